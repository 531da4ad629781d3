"""Addresses of the websockets."""

from typing import Any, cast

from django.urls import re_path

from games.consumers import LobbySocket, TableSocket
from games.program_socket import ProgramSocket

websocket_urlpatterns = [
    re_path(r"^ws/t/(?P<public_id>[a-z0-9]{1,20})/$", cast(Any, TableSocket.as_asgi())),
    re_path(r"^ws/lobby/$", cast(Any, LobbySocket.as_asgi())),
]

# Apart from the others: a program shows a token, and no cookie counts there.
program_urlpatterns = [
    re_path(r"^ws/bot/$", cast(Any, ProgramSocket.as_asgi())),
]
