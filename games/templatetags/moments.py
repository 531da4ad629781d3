"""Tags for moments: in UTC as the server writes them, in the reader's zone by a script."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from games.text.dates import date_format

register = template.Library()


@register.simple_tag
def moment(at: datetime | None, form: str = "DATETIME_FORMAT") -> SafeString:
    """Render a moment; ``form`` is DATETIME_FORMAT, which names the zone, or DATE_FORMAT."""
    if at is None:
        return SafeString("")
    own = localtime(at)
    return format_html('<time datetime="{}">{}</time>', own.isoformat(), date_format(own, form))
