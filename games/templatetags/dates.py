"""The filter for days and moments, in place of Django's own in all templates."""

from __future__ import annotations

from datetime import date

from django import template
from django.template.defaultfilters import date as django_date

from games.text.dates import date_format

register = template.Library()


@register.filter("date", expects_localtime=True, is_safe=False)
def day_in_words(value: date | str | None, form: str = "DATE_FORMAT") -> str:
    """Render a day or a moment like `date_format`; other values as Django's filter does."""
    if isinstance(value, date):
        return date_format(value, form)
    return str(django_date(value, form))
