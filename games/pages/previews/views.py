"""The addresses of preview pictures, and the files that search engines ask for."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import resolve, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from games.pages.previews import picture
from games.pages.previews.previews import Preview, preview_of, site_preview

KEPT_S = 3600
"""Seconds for which a picture may be cached: a field grows, and players change their names."""

PUBLIC = (
    "games:landing",
    "games:lobby",
    "games:learn",
    "games:rules",
    "games:counting",
    "games:counter",
    "games:discards",
    "games:board",
    "games:explorer",
    "games:puzzle",
    "games:puzzles",
    "games:records",
    "games:open_data",
    "games:help",
    "games:privacy",
    "ratings:daily",
    "ratings:ranked",
    "ratings:how",
    "ratings:leaderboard",
    "ratings:clubs",
    "ratings:events",
    "ratings:challenge_new",
)
"""Pages for search engines."""

PRIVATE = ("/t/", "/accounts/", "/account/", "/admin/", "/language/", "/report/")
"""Addresses that robots are asked to leave out; none of them is kept secret by that."""


@require_safe
@vary_on_headers("Accept-Language", "Cookie")
@cache_control(max_age=KEPT_S)
def site(request: HttpRequest) -> HttpResponse:
    """Return the picture of pages without one of their own."""
    return _picture(site_preview())


@require_safe
@vary_on_headers("Accept-Language", "Cookie")
@cache_control(max_age=KEPT_S)
def page(request: HttpRequest, path: str) -> HttpResponse:
    """Return the picture of the page at an address; 404 unless a stranger may see that page."""
    found = resolve(f"/{path}/")
    preview = preview_of(found.view_name, found.kwargs)
    if preview is None:
        raise Http404
    return _picture(preview)


def _picture(preview: Preview) -> HttpResponse:
    """Return a picture; a title with letters that the fonts lack is replaced."""
    title = preview.title if picture.can_write(preview.title) else _("A game of cribbage")
    return HttpResponse(picture.drawn(title, preview.text, preview.big), content_type="image/jpeg")


@require_safe
@cache_control(max_age=KEPT_S)
def robots(request: HttpRequest) -> HttpResponse:
    """Return the rules for robots."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in PRIVATE)]
    lines.append(f"Sitemap: {request.build_absolute_uri(reverse('games:sitemap'))}")
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
@cache_control(max_age=KEPT_S)
def sitemap(request: HttpRequest) -> HttpResponse:
    """Return the list of public pages."""
    addresses = (request.build_absolute_uri(reverse(name)) for name in PUBLIC)
    rows = "".join(f"<url><loc>{address}</loc></url>" for address in addresses)
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>\n'
    )
    return HttpResponse(text, content_type="application/xml")


@require_safe
@cache_control(max_age=KEPT_S)
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect browsers that ask for the icon without reading the page."""
    return redirect(static("img/favicon.ico"))
