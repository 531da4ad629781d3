"""The language of a websocket: the language of the page that opened it.

For pages, Django's LocaleMiddleware takes it from the language cookie, or else from the browser's
preferences. For a socket this module does the same once, when it is opened.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

from django.http import HttpRequest, parse_cookie
from django.utils import translation

from cribbage_site.origin import Application


class LanguageMiddleware:
    """ASGI middleware that activates the language of a connection.

    The language is active in the connection's own task, and in tasks that it starts.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]
    ) -> Any:
        """Pass the connection on, with its language active."""
        with translation.override(language_of(scope["headers"])):
            return await self.application(scope, receive, send)


def language_of(headers: list[tuple[bytes, bytes]]) -> str:
    """Return the language of a page requested with these headers."""
    found: dict[bytes, str] = {name: value.decode("latin1") for name, value in headers}
    asked = SimpleNamespace(
        COOKIES=parse_cookie(found.get(b"cookie", "")),
        META={"HTTP_ACCEPT_LANGUAGE": found.get(b"accept-language", "")},
    )
    return translation.get_language_from_request(cast(HttpRequest, asked))
