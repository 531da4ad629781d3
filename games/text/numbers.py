"""Numbers as players read them, in the active language."""

from __future__ import annotations

from django.utils.formats import number_format


def signed(value: float | None, digits: int = 1) -> str:
    """Format a number with its sign (a true minus); zero has none, and None is a dash."""
    if value is None:
        return "–"
    # `number_format` truncates, so the value is rounded first.
    rounded = round(value, digits)
    text: str = number_format(abs(rounded), digits)
    if not rounded:
        return text
    return ("\N{MINUS SIGN}" if rounded < 0 else "+") + text


def decimal_form(value: float) -> int:
    """Return the whole number whose plural form a number with one decimal takes.

    Below 2 it is that of 0: the singular in French, and the plural in the other languages.
    """
    return 0 if abs(round(value, 1)) < 2 else 2
