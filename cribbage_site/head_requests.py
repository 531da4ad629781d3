"""Removes the bodies of answers to HEAD: Daphne would send them.

A proxy would take such a body for the beginning of the next answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cribbage_site.origin import Application


class HeadRequests:
    """ASGI middleware that sends only the headers of an answer to HEAD."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]
    ) -> Any:
        """Pass the request on, and drop the body of its answer if it is HEAD."""

        async def send_head(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        return await self.application(
            scope, receive, send_head if scope["method"] == "HEAD" else send
        )
