"""Pages of the open data: what the files contain, and the files."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from games.archive import open_data as data
from games.models import OpenDataFile
from games.pages.people.export import streamed

CHUNK = 64 * 1024
"""Bytes sent in one part."""

TRIES = 3
"""The number of attempts to open a file that is just being replaced."""


@require_safe
def open_data(request: HttpRequest) -> HttpResponse:
    """List the files, and describe them."""
    rows = OpenDataFile.objects.order_by("-month")
    files = [{"row": row, "name": data.file_name(row.month)} for row in rows]
    context = {"files": files, "licence": data.LICENCE_ADDRESS}
    return render(request, "games/archive/open_data.html", context)


@require_safe
def download(request: HttpRequest, year: int, month: int) -> HttpResponseBase:
    """Return the file of a month."""
    try:
        first = date(year, month, 1)
    except (OverflowError, ValueError):
        raise Http404 from None
    row, parts = _opened(first)
    name = data.file_name(row.month)
    response = streamed(request, parts, name, "application/zstd")
    response["Content-Length"] = str(row.size)
    return response


@require_safe
def sums(_request: HttpRequest) -> HttpResponse:
    """Return the checksums of all files, as ``sha256sum --check`` reads them."""
    rows = OpenDataFile.objects.order_by("month")
    text = "".join(f"{row.sha256}  {data.file_name(row.month)}\n" for row in rows)
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


def _opened(month: date) -> tuple[OpenDataFile, Iterator[bytes]]:
    """Return the file of a month and its parts, opened: a job may replace and delete it meanwhile.

    Raises:
        Http404: without a file.
    """
    for _ in range(TRIES):
        row = get_object_or_404(OpenDataFile, month=month)
        parts = _parts(row)
        try:
            next(parts)
        except FileNotFoundError:
            continue  # it was replaced since its row was read
        return row, parts
    raise Http404


def _parts(row: OpenDataFile) -> Iterator[bytes]:
    """Yield nothing once the file is open, and then its bytes."""
    with data.storage().open(row.stored) as file:
        yield b""
        yield from file.chunks(CHUNK)
