"""Tags of a page's head: its description, and what a link to it looks like elsewhere."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.translation import get_language

from games.pages.previews.descriptions import description_of
from games.pages.previews.picture import SIZE
from games.pages.previews.previews import preview_of, site_preview

register = template.Library()


@register.simple_tag(takes_context=True)
def page_description(context: Context) -> str:
    """Return the description of the page for search engines."""
    match = getattr(context.get("request"), "resolver_match", None)
    return description_of(match.view_name if match is not None else "")


@register.inclusion_tag("_preview.html", takes_context=True)
def preview_tags(context: Context) -> dict[str, Any]:
    """Render the tags of Open Graph and Twitter; none for an error page."""
    request = context.get("request")
    match = getattr(request, "resolver_match", None)
    if request is None or match is None or request.method not in {"GET", "HEAD"}:
        return {}
    own = preview_of(match.view_name, match.kwargs)
    shown = own or site_preview()
    address = reverse("games:preview_site")
    if own is not None:
        address = reverse("games:preview", args=[request.path.strip("/")])
    return {
        "title": " · ".join(filter(None, (shown.title, shown.big))),
        "description": own.text if own is not None else description_of(match.view_name),
        "address": request.build_absolute_uri(request.path),
        "picture": request.build_absolute_uri(address),
        "size": SIZE,
        "language": get_language(),
    }
