"""Progressive web app: manifest, service worker and offline page."""

from __future__ import annotations

import json
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.pages.bundles import styles_of

MANIFEST_KEPT_S = 3600
"""Seconds that browsers may cache the manifest."""

OFFLINE_FILES = (
    "js/pages/offline.js",
    "img/logo.svg",
    "img/favicon.svg",
    "vendor/fonts/figtree-latin-wght-normal.woff2",
    "vendor/fonts/fraunces-latin-wght-normal.woff2",
)
"""The script, images and fonts of the offline page."""


@require_safe
@cache_control(max_age=MANIFEST_KEPT_S)
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the web app manifest."""
    icons = [
        {"src": static("img/favicon.svg"), "sizes": "any", "type": "image/svg+xml"},
        _icon("icon-192", 192),
        _icon("icon-512", 512),
        {**_icon("maskable-512", 512), "purpose": "maskable"},
    ]
    return JsonResponse(
        {
            "id": "/",
            "name": _("Cribbage"),
            "short_name": _("Cribbage"),
            "description": _("Cribbage for two or three, against friends or the computer."),
            "start_url": reverse("games:landing"),
            "scope": "/",
            "display": "standalone",
            "background_color": "#4e2e18",
            "theme_color": "#4e2e18",
            "icons": icons,
        },
        content_type="application/manifest+json",
    )


def _icon(name: str, size: int) -> dict[str, str]:
    return {
        "src": static(f"img/icons/{name}.png"),
        "sizes": f"{size}x{size}",
        "type": "image/png",
    }


@require_safe
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker from the root, so that its scope is the whole site."""
    found = finders.find("js/net/service_worker.js")
    if found is None:
        raise FileNotFoundError("js/net/service_worker.js is not among the static files.")
    precached = {
        "page": reverse("games:offline"),
        "files": [static(name) for name in (*styles_of("css/site.css"), *OFFLINE_FILES)],
        "icon": static("img/icons/icon-192.png"),
    }
    text = f"self.OFFLINE = {json.dumps(precached)};\n{Path(found).read_text()}"
    return HttpResponse(text, content_type="text/javascript")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show the offline page; it is the same for everyone, since browsers store it."""
    return render(request, "games/site/offline.html")
