"""Ignores the charset that a request names for its form: forms are in UTF-8.

They have no such parameter (URL Standard, 5.1). Django refuses a form that names another charset,
and then reads it again for the page that says so, which fails for the same reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cribbage_site.origin import Application

CONTENT_TYPE = b"content-type"


class Utf8Only:
    """ASGI middleware that removes the charset from the request's content type."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]
    ) -> Any:
        """Pass the request on."""
        if any(name == CONTENT_TYPE for name, _ in scope["headers"]):
            headers = [
                (name, _without_charset(value) if name == CONTENT_TYPE else value)
                for name, value in scope["headers"]
            ]
            scope = {**scope, "headers": headers}
        return await self.application(scope, receive, send)


def _without_charset(value: bytes) -> bytes:
    parts = value.split(b";")
    return b";".join(part for part in parts if part.split(b"=")[0].strip().lower() != b"charset")
