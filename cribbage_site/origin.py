"""Origin check for websockets: only the site's own pages may open one.

A browser sends its cookies with any websocket, whatever page opens it, so the page's origin must
be checked; otherwise a page of another site could play in a visitor's name.
"""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import validate_host

# Django, Channels and asgiref each have their own type for an ASGI application.
Application = Callable[..., Awaitable[Any]]


def is_own(origin: str, host: str, *, secure: bool = False) -> bool:
    """Return whether a page of `origin` may open a socket on `host` (both are header values).

    The host must be one of ALLOWED_HOSTS, which a page of another site cannot choose freely. The
    origin must be on the same host, or one of CSRF_TRUSTED_ORIGINS. If the site is `secure`, the
    page must be as well: anyone on the way could have written a page without HTTPS.
    """
    if not validate_host(_without_port(host), settings.ALLOWED_HOSTS):
        return False
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        return False
    if origin.lower() in settings.CSRF_TRUSTED_ORIGINS:
        return True
    return parts.netloc.lower() == host.lower() and (parts.scheme == "https" or not secure)


def is_secure(scope: dict[str, Any]) -> bool:
    """Return whether the site's pages are served over HTTPS, as far as a connection shows."""
    if settings.SESSION_COOKIE_SECURE or scope.get("scheme") == "wss":
        return True
    proxy: tuple[str, str] | None = getattr(settings, "SECURE_PROXY_SSL_HEADER", None)
    if proxy is None:
        return False
    name, wanted = proxy
    header = name.removeprefix("HTTP_").replace("_", "-").lower().encode()
    values = [value.decode("latin1") for key, value in scope["headers"] if key == header]
    return bool(values) and values[-1].partition(",")[0].strip() == wanted


def _without_port(host: str) -> str:
    if host.endswith("]"):
        return host.lower()
    return host.rpartition(":")[0].lower() if ":" in host else host.lower()


class OwnOriginOnly:
    """ASGI middleware that denies a websocket whose Origin is missing, repeated or foreign."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]
    ) -> Any:
        """Pass the connection on, or deny it before any consumer sees it."""
        headers = scope["headers"]
        origins = [value for name, value in headers if name == b"origin"]
        hosts = [value for name, value in headers if name == b"host"]
        if (
            len(origins) == 1
            and len(hosts) == 1
            and is_own(
                origins[0].decode("latin1"), hosts[0].decode("latin1"), secure=is_secure(scope)
            )
        ):
            return await self.application(scope, receive, send)
        denier: Application = WebsocketDenier()
        return await denier(scope, receive, send)
