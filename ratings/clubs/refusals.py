"""Refusals of club actions, as sentences for people."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.api import Refused


def refused(code: str) -> Refused:
    """Return the refusal with this code, in the active language."""
    return Refused(code, str(SENTENCES[code]))


SENTENCES: Mapping[str, Promise] = {
    "club_account": _("You need an account to join a club."),
    "club_unknown": _("This link has expired. Ask a member for a new one."),
    "club_unlisted": _("You need an invitation to join this club."),
    "news_gone": _("This post is gone."),
    "news_many": _("The club has posted enough news for today. Try again tomorrow."),
    "club_full": _("This club is full."),
    "club_many": _("You've reached the limit of clubs. Leave one first."),
    "club_officers": _("Only club officers can do this."),
    "club_founder": _("Only the club founder can do this."),
    "club_member": _("This player isn't in the club."),
    "club_hand_over": _("Hand the club over first, or delete it."),
    "club_night_runs": _("Wait until the club night is over."),
    "club_muted": _("You can't change this while you're muted."),
    "league_many": _("Too many leagues are under way. End one first."),
    "league_full": _("All nights of this league are planned or over."),
    "league_over": _("This league is over."),
    "night_many": _("Too many nights are planned. Cancel one first."),
    "night_full": _("This club night is full."),
    "night_begun": _("This club night has already started."),
    "night_late": _("The last game has started."),
    "night_gone": _("Club night cancelled."),
    "night_over": _("This club night is over."),
    "night_linked": _("Another account from this browser is already playing."),
    "night_elsewhere": _("You're playing at another club night. Leave that one first."),
    "night_few": _("A club night needs at least two players."),
    "night_not_in": _("This player isn't playing tonight."),
    "night_not_now": _("The club night isn't under way."),
    "night_last": _("That was the last game."),
}
