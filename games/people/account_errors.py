"""The site's own words for the errors of log-in, sign-up and password forms."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_WRONG_LOGIN = _("The name and password don't match. Try again, or reset your password.")

MESSAGES: Final[dict[str, Promise]] = {
    "account_inactive": _("This account is closed."),
    "cannot_remove_primary_email": _("Choose another main address first."),
    "duplicate_email": _("You've already added this address."),
    "email_password_mismatch": _WRONG_LOGIN,
    "email_taken": _("This address belongs to another account. Use another."),
    "enter_current_password": _("Wrong password. Try again."),
    "incorrect_password": _("Wrong password. Try again."),
    "invalid_login": _WRONG_LOGIN,
    "invalid_or_expired_key": _("This link has expired. Ask for a new one."),
    "invalid_password_reset": _("This link has expired. Ask for a new one."),
    "max_email_addresses": _("You can have up to %d addresses. Remove one first."),
    "rate_limited": _("Too many tries. Wait a few minutes, then try again."),
    "same_as_current": _("Enter something different from the current one."),
    "select_only_one": _("Choose only one."),
    "too_many_login_attempts": _("Too many tries. Wait a few minutes, then try again."),
    "unknown_email": _("No account has this address. Check the spelling."),
    "unverified_primary_email": _("Confirm your main address first."),
    "username_blacklisted": _("That name is reserved. Try another."),
    "username_password_mismatch": _WRONG_LOGIN,
    "username_taken": _("That name is taken. Try another."),
}
"""Allauth's error codes and their sentences, instead of its own."""
