"""Answers to requests that cannot be served: pages, or JSON below /api/."""

from __future__ import annotations

import sys
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat
from django.template.loader import render_to_string
from django.utils.log import log_response
from django.utils.translation import gettext as _
from django.views import defaults

from games.pages.site.null_characters import NullCharacter
from ratings.pages.dead_links import dead_link

API = "/api/"

RETRY_AFTER = 10
"""Seconds after which to retry what the site could not do."""

SAFE_METHODS = {"GET", "HEAD"}
"""Methods of requests that a link can repeat."""


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return status 404 in the form that the caller understands."""
    link = dead_link(request.path_info)
    if link is not None:
        return render(request, "ratings/dead_link.html", {"link": link}, status=404)
    if not request.path_info.startswith(API):
        return defaults.page_not_found(request, exception)
    detail = _("This doesn't exist, or you can't see it.")
    return JsonResponse({"error": "not_found", "detail": detail}, status=404)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return status 400 in the form that the caller understands."""
    of_program = request.path_info.startswith(API)
    if isinstance(exception, DisallowedHost) and not of_program:
        return defaults.bad_request(request, exception)  # the site's links would not work there
    detail = _what_was_wrong(exception, of_program=of_program)
    if not of_program:
        request.resolver_match = None  # the page's links neither read the query nor lead back to it
        return render(request, "bad_request.html", {"why": detail}, status=400)
    return JsonResponse({"error": "bad_request", "detail": detail}, status=400)


def _what_was_wrong(exception: Exception, *, of_program: bool) -> str:
    match exception:
        case DisallowedHost():
            return _("This site doesn't answer to that host name. Use its own address.")
        case RequestDataTooBig():
            most = {"most": filesizeformat(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)}
            if of_program:
                return _("That request is too large: %(most)s is the most. Send less.") % most
            return _("That's too much text for one form: %(most)s is the most. Send less.") % most
        case NullCharacter():
            return _(
                "The text has an invisible character (NUL) that can't be saved. "
                "Remove it and try again."
            )
        case _:
            return _("That request isn't valid. Check the address and data.")


def server_error(request: HttpRequest) -> HttpResponse:
    """Return status 500, or 503 without the database, in the form that the caller understands.

    Django calls this for every exception that no view or middleware has handled.
    """
    error = sys.exception()
    if isinstance(error, OperationalError | InterfaceError):
        response = _without_database(request)
        _log_briefly(request, response, error)
        return response
    if not request.path_info.startswith(API):
        return defaults.server_error(request)
    detail = "Something went wrong here. Games are not affected: every confirmed move is stored."
    return JsonResponse({"error": "server_error", "detail": detail}, status=500)


def _without_database(request: HttpRequest) -> HttpResponse:
    """Return status 503: nothing could be read or stored, and the same request may work later."""
    headers = {"Retry-After": str(RETRY_AFTER), "Cache-Control": "no-store"}
    if request.path_info.startswith(API):
        detail = _("The server can't read or save anything right now. Try again in a few seconds.")
        content = {"error": "unavailable", "detail": detail}
        return JsonResponse(content, status=503, headers=headers)
    page = render_to_string("unavailable.html", {"again": request.method in SAFE_METHODS})
    return HttpResponse(page, status=503, headers=headers)


def _log_briefly(request: HttpRequest, response: HttpResponse, error: Exception) -> None:
    """Log one line, and no traceback: every request fails while the database is away."""
    cause = str(error).partition("\n")[0]
    log_response(
        "%s: %s (%s: %s)",
        response.reason_phrase,
        request.path,
        type(error).__name__,
        cause,
        response=response,
        request=request,
        level="warning",
    )


class WrongMethods:
    """Middleware that explains a wrong method (status 405): as JSON below /api/, else on a page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on, and replace the answer if its status is 405."""
        response = self._get_response(request)
        if response.status_code != 405:
            return response
        allowed = response.headers["Allow"]
        if not request.path_info.startswith(API):
            page = render(request, "405.html", status=405)
            page.headers["Allow"] = allowed
            return page
        detail = _("Use %(methods)s at this address.") % {"methods": allowed}
        content = {"error": "wrong_method", "detail": detail}
        return JsonResponse(content, status=405, headers={"Allow": allowed})
