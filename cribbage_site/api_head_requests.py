"""HEAD requests below /api/, which the API's library does not support: answered like GET.

The server drops the body later.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from cribbage_site.faults import API


class ApiHeadRequests:
    """Middleware that lets the API answer HEAD like GET, and adds HEAD to Allow beside GET."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on; a HEAD below /api/ becomes a GET."""
        if not request.path_info.startswith(API):
            return self._get_response(request)
        method = request.method
        request.method = "GET" if method == "HEAD" else method
        response = self._get_response(request)
        request.method = method
        if response.headers.get("Allow") == "GET":
            response.headers["Allow"] = "GET, HEAD"
        return response
