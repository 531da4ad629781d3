"""What templates need to show numbers of ratings."""

from __future__ import annotations

from django import template

from ratings.views import sentences

register = template.Library()


@register.filter
def signed(value: float | None, digits: int = 1) -> str:
    """Show a number with its sign, and a dash where there is none."""
    return sentences.signed(value, int(digits))


@register.filter
def points(value: float | None, digits: int = 1) -> str:
    """Show a number with a true minus where it is negative, and a dash where there is none."""
    return sentences.plain(value, int(digits))


@register.filter
def whole(value: float | None) -> str:
    """Show a number without decimals, and a dash where there is none."""
    return sentences.plain(value, 0)
