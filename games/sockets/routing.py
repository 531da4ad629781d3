"""URL patterns of the websockets."""

from typing import Any, cast

from channels.security.websocket import WebsocketDenier
from django.urls import re_path

from games.sockets.consumers import TableSocket
from games.sockets.lobby_socket import LobbySocket
from games.sockets.program_socket import ProgramSocket

websocket_urlpatterns = [
    re_path(r"^ws/t/(?P<public_id>[a-z0-9]{1,20})/$", cast(Any, TableSocket.as_asgi())),
    re_path(r"^ws/lobby/$", cast(Any, LobbySocket.as_asgi())),
    # Everything else is refused; the router would raise an error.
    re_path(r"", cast(Any, WebsocketDenier.as_asgi())),
]

# Separate from the others: programs authenticate by token, and cookies are ignored.
program_urlpatterns = [
    re_path(r"^ws/bot/$", cast(Any, ProgramSocket.as_asgi())),
]
