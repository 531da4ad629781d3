"""The page for visitors whose request got no turn: one file, made without queries.

It loads nothing else, since styles and pictures may have to wait for their turn as well.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from cribbage_site.faults import API, RETRY_AFTER, SAFE_METHODS
from cribbage_site.language import language_of


def busy_page(scope: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the answer to a request: status 503, as a page or, below /api/, as JSON."""
    language = language_of(scope["headers"])
    api = scope["path"].startswith(API)
    text = _json(language) if api else _page(language, again=scope["method"] in SAFE_METHODS)
    kind = "application/json" if api else "text/html; charset=utf-8"
    headers = {
        "content-type": kind,
        "content-length": str(len(text)),
        "content-language": language,
        "content-security-policy": "default-src 'none'",
        "cache-control": "no-store",
        "retry-after": str(RETRY_AFTER),
        "x-content-type-options": "nosniff",
    }
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    yield {"type": "http.response.start", "status": 503, "headers": encoded}
    yield {"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else text}


@functools.cache
def _page(language: str, *, again: bool) -> bytes:
    with translation.override(language):
        return render_to_string("503.html", {"again": again}).encode()


@functools.cache
def _json(language: str) -> bytes:
    with translation.override(language):
        detail = _("Too many people are visiting right now. Try again in a few seconds.")
    return json.dumps({"error": "busy", "detail": detail}).encode()
