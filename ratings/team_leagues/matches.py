"""Services of a league's matches: players say that they are ready, organisers set results."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from games.api import Player, Refused, made_already, true_now
from ratings.events import team_matches
from ratings.models import Fixture, FixtureCorrection, TeamLeague, TeamPlayer
from ratings.team_leagues import leagues, progress, scoring
from ratings.team_leagues.refusals import refused

FARTHEST = 999
"""The highest margin of a match that can be set, points."""

_REFUSALS = {"event_full": "team_seats_taken", "event_linked": "team_linked"}
"""Codes of a match's refusals as those of its league."""


def get_ready(*, league: TeamLeague, player: Player, fixture: int) -> Fixture:
    """Note that a player is ready for their team's match (by primary key), or is back at it.

    It begins when two of each team are ready.

    Raises:
        Refused: ``team_no_match``, ``team_not_in``, ``team_seats_taken`` or ``team_linked``.
    """
    with transaction.atomic():
        found = progress.locked(league)  # so that nobody leaves their team meanwhile
        rows = found.fixtures.filter(pk=fixture, ended_at__isnull=True)
        row = rows.select_related("event", "home", "away").first()
        if row is None or row.event is None or row.home.withdrawn or row.away.withdrawn:
            raise refused("team_no_match")
        own = TeamPlayer.objects.filter(
            player=player, computer=False, team__in=[row.home_id, row.away_id]
        ).first()
        if own is None:
            raise refused("team_not_in")
        side = 0 if own.team_id == row.home_id else 1
        try:
            complete = team_matches.enter(event=row.event, player=player, team=side)
        except Refused as refusal:
            raise refused(_REFUSALS.get(refusal.code, "team_no_match")) from refusal
        if complete:
            progress.tell_ready(row, true_now())
    return row


def set_result(
    *, league: TeamLeague, by: Player, fixture: int, margin: int, reason: str
) -> FixtureCorrection:
    """Set the result of a match that is over, by the home team's margin; 0 is a draw.

    A later correction of one of its games no longer changes it. Places and titles of a league that
    is over follow. A form that is sent again changes nothing.

    Raises:
        Refused: ``team_organiser``, ``team_no_match``, ``team_not_decided``, ``team_result``,
            ``team_reason`` or ``team_reason_muted``.
    """
    leagues.check_organiser(league, by)
    words = " ".join(reason.split())
    if by.is_muted != (not words):
        raise refused("team_reason_muted" if by.is_muted else "team_reason")
    if abs(margin) > FARTHEST:
        raise refused("team_result")
    with transaction.atomic():
        found = progress.locked(league)
        row = found.fixtures.filter(pk=fixture).first()
        if row is None:
            raise refused("team_no_match")
        if row.ended_at is None:
            raise refused("team_not_decided")
        before = in_short(row)
        row.how, row.margin = Fixture.How.CORRECTED, margin
        row.home_points, row.away_points = scoring.points_of(margin)
        said: dict[str, Any] = {"by": by, "after": in_short(row), "reason": words[:200]}
        known = made_already(row.corrections.all(), at="at", **said)
        if known is not None:
            return known
        row.save(update_fields=["how", "margin", "home_points", "away_points"])
        correction = FixtureCorrection.objects.create(fixture=row, before=before, **said)
        if found.is_over:
            progress.set_places(found)
        progress.touch(found)
    return correction


def in_short(row: Fixture) -> str:
    """Return a result as its list of corrections shows it: league points, and the margin."""
    return f"{row.home_points} : {row.away_points} ({round(row.margin, 1):+g})"
