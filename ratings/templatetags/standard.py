"""Filters that format the numbers of ratings."""

from __future__ import annotations

from django import template

from ratings.pages import sentences

register = template.Library()


@register.filter
def signed(value: float | None, digits: int = 1) -> str:
    """Format a number with its sign; None is a dash."""
    return sentences.signed(value, int(digits))


@register.filter
def points(value: float | None, digits: int = 1) -> str:
    """Format a number with a true minus if it is negative; None is a dash."""
    return sentences.plain(value, int(digits))


@register.filter
def whole(value: float | None) -> str:
    """Format a number without decimals; None is a dash."""
    return sentences.plain(value, 0)
