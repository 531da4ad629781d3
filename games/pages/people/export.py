"""Downloads of a player's data: hands as CSV, and everything as one ZIP file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from functools import partial

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Player
from games.pages.site.visitor import player_of
from games.people import limits
from games.safety.export import everything, hands_csv

LINES_AT_ONCE = 200
"""Lines of text sent in one chunk."""


@never_cache
@require_safe
def hands(request: HttpRequest) -> HttpResponseBase:
    """Return a CSV row for each hand that the player was dealt."""
    player = _player_or_404(request)
    return streamed(request, _encoded(hands_csv(player)), "cribbage-hands.csv", "text/csv")


@never_cache
@require_safe
def archive(request: HttpRequest) -> HttpResponseBase:
    """Return everything that the site stores about the player, as a ZIP file of JSON."""
    player = _player_or_404(request)
    return streamed(request, everything(player), "cribbage-data.zip", "application/zip")


def _player_or_404(request: HttpRequest) -> Player:
    player = player_of(request)
    if player is None:
        raise Http404
    limits.consume(limits.named("exports"), str(player.pk))
    return player


def _encoded(lines: Iterator[str]) -> Iterator[bytes]:
    some: list[str] = []
    for line in lines:
        some.append(line)
        if len(some) == LINES_AT_ONCE:
            yield "".join(some).encode()
            some.clear()
    yield "".join(some).encode()


def streamed(
    request: HttpRequest, parts: Iterator[bytes], name: str, kind: str
) -> StreamingHttpResponse:
    """Return a download whose parts are computed one by one, while it is sent."""
    content = _in_thread(parts) if isinstance(request, ASGIRequest) else parts
    response = StreamingHttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


async def _in_thread(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield parts, each computed in the request's thread after the previous one is sent.

    Django would collect all parts of a plain iterator in memory first.
    """
    step = sync_to_async(partial(next, parts, None))
    while (part := await step()) is not None:
        yield part
