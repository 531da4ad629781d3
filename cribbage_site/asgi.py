"""The ASGI application: pages over HTTP, tables and the lobby over websockets."""

import os
from collections.abc import Callable
from typing import Any

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application
from django.urls import get_resolver

from cribbage_site.origin import Application, OwnOriginOnly

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")

pages = get_asgi_application()
# Load the code of all pages now, so that the first visitor need not wait for it.
get_resolver().url_patterns  # noqa: B018

# The sockets can be imported only now, since they need the apps to be loaded.
from cribbage_site.admission import admission  # noqa: E402
from cribbage_site.charsets import Utf8Only  # noqa: E402
from cribbage_site.draining import draining  # noqa: E402
from cribbage_site.head_requests import HeadRequests  # noqa: E402
from cribbage_site.health import Probes  # noqa: E402
from cribbage_site.language import LanguageMiddleware  # noqa: E402
from cribbage_site.page_turns import page_turns  # noqa: E402
from cribbage_site.session import SessionPlayer  # noqa: E402
from cribbage_site.starting import begin_under_daphne, lifespan  # noqa: E402
from games.sockets.routing import program_urlpatterns, websocket_urlpatterns  # noqa: E402

tables: Application = OwnOriginOnly(
    LanguageMiddleware(admission.sockets(SessionPlayer(URLRouter(websocket_urlpatterns))))
)
programs: Application = URLRouter(program_urlpatterns)

PROGRAMS = "/ws/bot/"


async def sockets(
    scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]
) -> Any:
    """Route sockets: pages of the site authenticate by session, programs by token."""
    application = programs if scope["path"] == PROGRAMS else tables
    return await application(scope, receive, send)


application = ProtocolTypeRouter(
    {
        "http": HeadRequests(Probes(draining.pages(page_turns().pages(Utf8Only(pages))))),
        "websocket": draining.sockets(sockets),
        "lifespan": lifespan,
    }
)

begin_under_daphne()
