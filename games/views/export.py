"""What a player takes along: his hands as a table, and everything as one file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from functools import partial

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from games import limits
from games.models import Player
from games.services.export import everything, hands_csv
from games.views.visitor import player_of

LINES_AT_ONCE = 200
"""Lines of text that are sent together."""


@never_cache
@require_GET
def hands(request: HttpRequest) -> HttpResponseBase:
    """Send a row for each hand that the player was dealt, as CSV."""
    player = _own(request)
    return _file(request, _encoded(hands_csv(player)), "cribbage-hands.csv", "text/csv")


@never_cache
@require_GET
def archive(request: HttpRequest) -> HttpResponseBase:
    """Send all that the site has stored about the player, as a ZIP file of JSON."""
    player = _own(request)
    return _file(request, everything(player), "cribbage-data.zip", "application/zip")


def _own(request: HttpRequest) -> Player:
    player = player_of(request)
    if player is None:
        raise Http404
    limits.take(limits.named("exports"), str(player.pk))
    return player


def _encoded(lines: Iterator[str]) -> Iterator[bytes]:
    some: list[str] = []
    for line in lines:
        some.append(line)
        if len(some) == LINES_AT_ONCE:
            yield "".join(some).encode()
            some.clear()
    yield "".join(some).encode()


def _file(
    request: HttpRequest, parts: Iterator[bytes], name: str, kind: str
) -> StreamingHttpResponse:
    content = _in_thread(parts) if isinstance(request, ASGIRequest) else parts
    response = StreamingHttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


async def _in_thread(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Make each part in the request's own thread when the one before it is on its way.

    Of a plain iterator Django would keep all parts in memory first.
    """
    step = sync_to_async(partial(next, parts, None))
    while (part := await step()) is not None:
        yield part
