"""Error messages for text that is too long or too short, in place of Django's."""

from __future__ import annotations

from django.core.validators import MaxLengthValidator, MinLengthValidator
from django.utils.translation import gettext_lazy, ngettext_lazy

TOO_LONG = gettext_lazy("That's %(show_value)d characters. Use at most %(limit_value)d.")
TOO_SHORT = ngettext_lazy(
    "Use at least %(limit_value)d character.",
    "Use at least %(limit_value)d characters.",
    "limit_value",
)


def use() -> None:
    """Have every field say this; those with a sentence of their own keep it."""
    MaxLengthValidator.message = TOO_LONG
    MinLengthValidator.message = TOO_SHORT
