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
    "club_account": _("Clubs are for players with an account: sign up, and your games stay yours."),
    "club_unknown": _("This invitation to a club is not known. It may have been renewed."),
    "club_full": _("This club is full."),
    "club_many": _("You are in as many clubs as one player can be."),
    "club_officers": _("Only the club's officers can do this."),
    "club_founder": _("Only the club's founder can do this."),
    "club_member": _("This player is not in the club."),
    "club_hand_over": _("Hand the club over to somebody first, or dissolve it."),
    "club_night_runs": _("A club night is under way. It has to be over first."),
    "club_muted": _("A moderator has taken this from you for a while."),
    "night_many": _("So many nights are planned already. Call one off first."),
    "night_full": _("This club night is full."),
    "night_begun": _("This club night has begun: the games are drawn."),
    "night_over": _("This club night is over."),
    "night_linked": _("Another account that is used in this browser takes part already."),
    "night_few": _("A club night needs two players at least."),
    "night_not_in": _("This player does not take part."),
    "night_not_now": _("The club night is not under way."),
    "night_last": _("There is no further game."),
}
