"""The AsyncAPI document, which describes the websockets for programs."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from games.wire.asyncapi import document

KEPT_S = 3600
"""Seconds for which clients may cache the document."""


@require_GET
@cache_control(public=True, max_age=KEPT_S)
def asyncapi(request: HttpRequest) -> JsonResponse:
    """Serve the AsyncAPI document of the websockets."""
    return JsonResponse(document())
