"""Refusals of actions in team leagues, as sentences for people."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.api import Refused


def refused(code: str) -> Refused:
    """Return the refusal with this code, in the active language."""
    return Refused(code, str(SENTENCES[code]))


SENTENCES: Mapping[str, Promise] = {
    "team_account": _("Sign up to play in a league."),
    "team_muted": _("You're muted, so you can't start a league or a team."),
    "team_leagues_many": _("You've reached the limit of leagues. End or cancel one."),
    "team_organiser": _("Only the organiser can do this."),
    "team_league_over": _("This league is over."),
    "team_league_begun": _("The league has already begun."),
    "team_league_full": _("This league is full."),
    "team_link": _("By invitation only. Ask the organiser for the link."),
    "team_name_taken": _("That team name is taken. Try another."),
    "team_full": _("This team is full."),
    "team_gone": _("This team is no longer in the league."),
    "team_already": _("You're already in a team of this league."),
    "team_linked": _("Another account from this browser is already playing."),
    "team_not_in": _("You aren't in this team."),
    "team_few": _("A league needs two teams of two players to begin."),
    "team_no_match": _("This match can't be played now."),
    "team_seats_taken": _("Your team already has 2 players ready."),
    "team_not_decided": _("You can set the result when the match is over."),
    "team_result": _("Choose a winner and a margin above 0, or a draw."),
    "team_reason": _("Give a reason. Everyone will see it."),
    "team_reason_muted": _("You're muted, so leave the reason empty."),
}
