"""Cache-Control for answers that depend on the visitor: no cache may show them to anyone else."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import add_never_cache_headers, has_vary_header, patch_cache_control

ACCOUNT = "/accounts/"
"""The pages with addresses, passwords, recovery codes and links from mails: no browser keeps them,
so that after a log-out the Back button shows none."""


class PrivateAnswers:
    """Middleware that adds the header to answers that depend on a cookie or a token.

    Views that have set it themselves keep theirs, except for the pages of an account.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on, and add the header."""
        response = self._get_response(request)
        if request.path_info.startswith(ACCOUNT):
            add_never_cache_headers(response)
        elif "Cache-Control" not in response and (
            has_vary_header(response, "Cookie") or "Authorization" in request.headers
        ):
            patch_cache_control(response, private=True)
        return response
