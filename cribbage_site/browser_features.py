"""Permissions-Policy: features of browsers that the site does not use, and no script may."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

UNUSED = (
    "accelerometer",
    "browsing-topics",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
    "xr-spatial-tracking",
)

POLICY = ", ".join(f"{feature}=()" for feature in UNUSED)


class PermissionsPolicy:
    """Middleware that adds the header to each answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on, and add the header."""
        response = self._get_response(request)
        response.headers["Permissions-Policy"] = POLICY
        return response
