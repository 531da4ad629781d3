"""What templates need to show averages and shares."""

from __future__ import annotations

from django import template
from django.utils.formats import number_format

register = template.Library()

NONE = "–"


@register.filter
def decimal(value: float | None, digits: int = 2) -> str:
    """Show a number with so many digits behind the point, and a dash where there is none."""
    return NONE if value is None else _minus(number_format(round(value, int(digits)), int(digits)))


@register.filter
def plus(value: float | None, digits: int = 2) -> str:
    """Show a number with its sign, and a dash where there is none."""
    if value is None:
        return NONE
    text = number_format(abs(round(value, int(digits))), int(digits))
    sign = "" if not round(value, int(digits)) else "+" if value > 0 else "−"
    return f"{sign}{text}"


def _minus(text: str) -> str:
    return text.replace("-", "−")
