"""Tag for fragments that other apps add to the pages of games."""

from __future__ import annotations

from django import template
from django.template.context import Context
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from games import hooks

register = template.Library()


@register.simple_tag(takes_context=True)
def fragments(context: Context, place: hooks.Place) -> SafeString:
    """Render what other apps have registered for a place on the page; empty if none has."""
    page = {str(key): value for key, value in context.flatten().items()}
    parts = hooks.fragments(place, page)
    return format_html_join("", "{}", ((part,) for part in parts))
