"""Answers to requests that cannot be served: pages, or JSON below /api/."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views import defaults

API = "/api/"


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return status 404 in the form that the caller understands."""
    if not request.path.startswith(API):
        return defaults.page_not_found(request, exception)
    detail = _("This doesn't exist, or you can't see it.")
    return JsonResponse({"error": "not_found", "detail": detail}, status=404)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return status 400 in the form that the caller understands."""
    if not request.path.startswith(API):
        return defaults.bad_request(request, exception)
    detail = _("That request isn't valid. Check the address and data.")
    return JsonResponse({"error": "bad_request", "detail": detail}, status=400)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return status 500 in the form that the caller understands."""
    if not request.path.startswith(API):
        return defaults.server_error(request)
    detail = "Something went wrong here. Games are not affected: every confirmed move is stored."
    return JsonResponse({"error": "server_error", "detail": detail}, status=500)


class ApiMethods:
    """Middleware that answers a wrong method below /api/ (status 405) as JSON."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on, and replace the answer if its status is 405."""
        response = self._get_response(request)
        if response.status_code != 405 or not request.path.startswith(API):
            return response
        allowed = response.headers["Allow"]
        detail = _("Use %(methods)s at this address.") % {"methods": allowed}
        content = {"error": "wrong_method", "detail": detail}
        return JsonResponse(content, status=405, headers={"Allow": allowed})
