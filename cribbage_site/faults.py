"""Answers to unknown addresses and unreadable requests: pages, or JSON below /api/."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views import defaults

API = "/api/"


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return status 404 in the form that the caller understands."""
    if not request.path.startswith(API):
        return defaults.page_not_found(request, exception)
    detail = "There is nothing here that you may see."
    return JsonResponse({"error": "not_found", "detail": detail}, status=404)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return status 400 in the form that the caller understands."""
    if not request.path.startswith(API):
        return defaults.bad_request(request, exception)
    detail = "The request could not be read."
    return JsonResponse({"error": "bad_request", "detail": detail}, status=400)
