"""Refusals of actions in tournaments, as sentences for people."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.api import Refused


def refused(code: str, **values: int) -> Refused:
    """Return the refusal with this code, in the active language, with these values filled in."""
    return Refused(code, str(SENTENCES[code]) % values if values else str(SENTENCES[code]))


SENTENCES: Mapping[str, Promise] = {
    "event_account": _("Sign up to plan a tournament."),
    "event_muted": _("You're muted, so you can't plan tournaments."),
    "event_many": _("You've reached the limit of tournaments. Finish or cancel one."),
    "event_officers": _("Only the club's officers can plan its tournaments."),
    "event_organiser": _("Only the organiser can do this."),
    "event_over": _("This tournament is over."),
    "event_closed": _("Sign-up is closed."),
    "event_full": _("This tournament is full."),
    "event_club": _("For members of the club only."),
    "event_link": _("By invitation only. Ask the organiser for the link."),
    "event_team": _("Only the two teams can play."),
    "event_band": _("Your rating is outside this tournament's range."),
    "event_linked": _("Another account from this browser is already playing."),
    "event_not_in": _("This player isn't in the tournament."),
    "event_begun": _("The tournament has already begun."),
    "event_not_begun": _("The tournament hasn't begun yet."),
    "event_few": _("At least %(n)s players are needed to start."),
    "event_not_yet": _("Check-in hasn't opened yet."),
    "event_running": _("You can correct the result when the game is over."),
    "event_scores": _("Enter two different scores: one player has to win."),
    "event_reason": _("Give a reason. Everyone will see it."),
    "event_reason_muted": _("You're muted, so leave the reason empty."),
    "event_went_on": _("The next round has started, so you can't change the winner."),
}
