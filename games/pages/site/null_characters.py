"""Refusal of null characters, which PostgreSQL cannot store and answers with an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.urls import get_resolver

NULL = "\0"


class NullCharacter(BadRequest):
    """A query or a form holds a null character."""


class NoNullCharacters:
    """Middleware that answers 400 to a null character in a query or form, and 404 in a path.

    Text fields of forms refuse them as well, but views also read single values.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on."""
        return self._get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponseBase | None:
        """Look at the request before its view does.

        The 400 is returned, not raised: Django would log a traceback for each such request.

        Raises:
            Http404: if there is a null character in the path.
        """
        if NULL in request.path:
            raise Http404
        if _has_null(request.GET) or (request.method == "POST" and _has_null(request.POST)):
            refuse: Callable[..., HttpResponseBase] = get_resolver().resolve_error_handler(400)
            return refuse(request, exception=NullCharacter())
        return None


def _has_null(values: QueryDict) -> bool:
    return any(
        NULL in name or any(NULL in value for value in found) for name, found in values.lists()
    )
