"""Words for the result of a team-league match that was decided without being played."""

from __future__ import annotations

from django.utils.translation import gettext as _

from ratings.models import Event, Fixture, LeagueTeam

How = Fixture.How


def unplayed(row: Fixture | None) -> str:
    """Return who got a match that was not played, and why; "" for others, and for no match."""
    if row is None or row.ended_at is None:
        return ""
    if row.how in {How.WALKOVER, How.VOID} and _was_cancelled(row):
        return _cancelled()
    if row.how == How.WALKOVER:
        return _walkover(row)
    if row.how == How.VOID:
        return _void(row)
    if row.how == How.CORRECTED and (row.event is None or row.event.state == Event.State.OFF):
        return _("This match wasn't played. The organiser set the result.")
    return ""


def _walkover(row: Fixture) -> str:
    winner, loser = row.home, row.away
    if row.home_points < row.away_points:
        winner, loser = loser, winner
    names = {"winner": winner.name, "loser": loser.name}
    if _withdrew(row, loser):
        return _("Walkover for %(winner)s: %(loser)s withdrew.") % names
    return _("Walkover for %(winner)s: %(loser)s didn't have 2 players ready in time.") % names


def _void(row: Fixture) -> str:
    if _withdrew(row, row.home) and _withdrew(row, row.away):
        return _("Not played: both teams withdrew.")
    if row.ended_at is not None and row.ended_at < row.due_at:
        return _("Not played: the organiser ended the league first.")
    if row.event is not None and row.event.paused:
        return _cancelled()
    return _("Not played: neither team had 2 players ready in time.")


def _cancelled() -> str:
    return _("Not played: the organiser cancelled this match.")


def _was_cancelled(row: Fixture) -> bool:
    """Whether the organiser ended the match itself, before its deadline.

    A match that is called off because its league decided it ends in the same moment as the fixture.
    """
    over_at = row.event.over_at if row.event is not None else None
    return over_at is not None and over_at < row.due_at and over_at != row.ended_at


def _withdrew(row: Fixture, team: LeagueTeam) -> bool:
    """Whether a team withdrew before its match was decided: it wasn't opened, or ended early."""
    if not team.withdrawn or row.ended_at is None:
        return False
    return row.event is None or row.ended_at < row.due_at
