"""The player who makes a request, and the way to an account and back for those who need one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Player
from games.people.way_back import way_back_to


def player_of(request: HttpRequest) -> Player | None:
    """Return the logged-in person or guest, or None for a visitor without a session."""
    user = request.user
    return user if isinstance(user, Player) else None


def log_in_first(
    request: HttpRequest, back: str | None = None, *, lost: str = ""
) -> HttpResponseRedirect:
    """Redirect a visitor to the log-in page, which leads back.

    It tells them that a form was not saved.

    Args:
        request: the visitor's request.
        back: the name of the page to return to; None for the address that was asked for.
        lost: said of a form instead.
    """
    if request.method == "POST":
        unsaved = _("You're logged out, so nothing was saved. Log in and try again.")
        messages.error(request, lost or unsaved)
    return _account_first("account_login", request, back)


def sign_up_first(request: HttpRequest, back: str | None = None) -> HttpResponseRedirect:
    """Redirect a guest to the sign-up page, which leads back like `log_in_first`."""
    return _account_first("account_signup", request, back)


def _account_first(page: str, request: HttpRequest, back: str | None) -> HttpResponseRedirect:
    address = request.get_full_path() if back is None else reverse(back)
    return HttpResponseRedirect(reverse(page) + way_back_to(address))
