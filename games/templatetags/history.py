"""Filters that format averages and shares."""

from __future__ import annotations

from django import template
from django.utils.formats import number_format

register = template.Library()

NONE = "–"


@register.filter
def decimal(value: float | None, digits: int = 2) -> str:
    """Format a number with that many decimals; None is a dash."""
    if value is None:
        return NONE
    # A rounded zero may be negative.
    return _minus(number_format(round(value, int(digits)) + 0.0, int(digits)))


@register.filter
def plus(value: float | None, digits: int = 2) -> str:
    """Format a number with its sign; None is a dash."""
    if value is None:
        return NONE
    text = number_format(abs(round(value, int(digits))), int(digits))
    sign = "" if not round(value, int(digits)) else "+" if value > 0 else "−"
    return f"{sign}{text}"


@register.filter
def margin(value: float | None) -> str:
    """Format a margin with its sign; half points, of three players, have a decimal."""
    return plus(value, 0 if value is None or value == round(value) else 1)


def _minus(text: str) -> str:
    return text.replace("-", "−")
