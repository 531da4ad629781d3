"""Filters that format the numbers of ratings."""

from __future__ import annotations

from django import template

from ratings.pages import sentences
from ratings.standard.field import Verdict

register = template.Library()


@register.filter
def signed(value: float | None, digits: int = 1) -> str:
    """Format a number with its sign; None is a dash."""
    return sentences.signed(value, int(digits))


@register.filter
def place(verdict: Verdict) -> str:
    """Return the place in the field: "4th of 6"."""
    return sentences.place(verdict)


@register.filter
def beat(verdict: Verdict) -> str:
    """Return how many of the others were beaten: "3 of 5"."""
    return sentences.beat(verdict)


@register.filter
def points(value: float | None, digits: int = 1) -> str:
    """Format a number with a true minus if it is negative; None is a dash."""
    return sentences.plain(value, int(digits))


@register.filter
def whole(value: float | None) -> str:
    """Format a number without decimals; None is a dash."""
    return sentences.plain(value, 0)
