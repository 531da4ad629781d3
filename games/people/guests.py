"""Guests: their names, and one guest for two clicks.

No guest has the name of an account, or one that looks like it; a guest who has it when an account
takes it gets a generated one. Guests may share names with each other.
"""

from __future__ import annotations

from functools import partial

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import translation
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from games.cluster import announce
from games.models import Match, Player, Seat
from games.models.names import guest_marks, skeleton
from games.people.resent import CLICKED_WITHIN


def check_guest_name(name: str) -> None:
    """Check that a guest may have `name`, which is in its stored form.

    Raises:
        ValidationError: if an account, a program or a computer has it, or one that looks like it.
    """
    if _is_taken(name):
        text = _("That name belongs to an account. Log in if it's yours, or try another.")
        raise ValidationError(text, code="username_taken")


def generated_name(ident: str) -> str:
    """Return a guest's name in the active language, from the public id; no account has it."""
    names = [_("Guest %(id)s") % {"id": mark} for mark in guest_marks(ident)]
    return next((name for name in names if not _is_taken(name)), names[-1])


def free_of_guests(name: str) -> None:
    """After the commit, give new names to the guests who have what is now an account's name."""
    transaction.on_commit(partial(_rename_guests, name), robust=True)


def free_for_account(name: str) -> None:
    """Once a guest's name is committed, rename the guest if an account took it meanwhile.

    Neither transaction sees the other's name before its commit, so the later one looks again.
    """
    transaction.on_commit(partial(_rename_if_taken, name), robust=True)


def guest_of_first_click(request: HttpRequest, new: Player, name: str | None) -> Player:
    """Return the guest whom the first of two clicks created, or else the new one.

    Two guests would share one browser, and a quick match would seat them at one table. The second
    request came without the session that the first one started, but with the same CSRF token, which
    the login replaces.
    """
    secret = request.META.get("CSRF_COOKIE")
    if not secret:
        return new
    digest = salted_hmac("first-guest", f"{secret}:{name or ''}").hexdigest()
    key = f"first-guest:{digest}"
    if cache.add(key, new.pk, timeout=CLICKED_WITHIN.total_seconds()):
        return new
    first = Player.objects.filter(pk=cache.get(key), kind=Player.Kind.GUEST, is_active=True).first()
    if first is None:
        return new
    new.delete()
    return first


def announce_name(player: Player) -> None:
    """Tell the tables at which a player sits that their name changed."""
    seats = Seat.objects.filter(player=player, ended_at__isnull=True)
    open_tables = seats.filter(match__status__in=[Match.Status.WAITING, Match.Status.PLAYING])
    for match in open_tables.values_list("match_id", flat=True):
        transaction.on_commit(partial(announce.table, match))


def _is_taken(name: str) -> bool:
    # In the words of the constraints, so that PostgreSQL uses their indexes.
    look = Q(name_skeleton=skeleton(name))
    accounts = look & (Q(kind=Player.Kind.PERSON) | Q(owner__isnull=False))
    return Player.objects.filter(accounts | look & Q(kind=Player.Kind.COMPUTER)).exists()


def _rename_if_taken(name: str) -> None:
    if _is_taken(name):
        _rename_guests(name)


def _rename_guests(name: str) -> None:
    guests = Player.objects.filter(kind=Player.Kind.GUEST)
    for guest in guests.filter(name_skeleton=skeleton(name), is_active=True):
        with translation.override(guest.language or settings.LANGUAGE_CODE):
            given = generated_name(guest.public_id)
        # One at a time, and only if they are guests still: they may be logging in.
        same = guests.filter(pk=guest.pk, name=guest.name)
        if same.update(name=given, name_skeleton=skeleton(given)):
            announce_name(guest)
