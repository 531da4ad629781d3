"""Clubs with members, and club nights played without a server."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from games.models import Match, Player
from ratings.clubs import clubs, night_standings, nights
from ratings.clubs.night_state_machine import advance, advance_after
from ratings.models import Club, ClubNight, NightTable
from ratings.rating.results import collect
from tests.support.standard_tables import people, play_on


def club_of(number: int, start: int = 0) -> tuple[Club, list[Player]]:
    """Create a club with this many members, founded by the first."""
    members = people(number, start)
    club = clubs.create(player=members[0], name="Pegs and Holes")
    for member in members[1:]:
        clubs.join(player=member, token=club.token)
    return club, members


def night_of(
    club: Club, by: Player, *, games: int = 9, entrants: Sequence[Player] = (), seats: int = 2
) -> ClubNight:
    """Plan a night that starts in an hour, with these entrants."""
    begins = timezone.now() + timedelta(hours=1)
    night = nights.plan(
        club=club,
        by=by,
        title="Thursday",
        games=games,
        seats=seats,
        minutes=25,
        starts_at=begins,
        ends_at=begins + timedelta(hours=4),
    )
    for player in entrants:
        nights.join(night=night, player=player)
    return night


def begun(number: int, games: int = 9) -> tuple[ClubNight, list[Player]]:
    """Return a running night and its players."""
    club, members = club_of(number)
    night = night_of(club, members[0], games=games, entrants=members)
    nights.begin(night=night, by=members[0])
    return ClubNight.objects.get(pk=night.pk), members


def seated(match: Match) -> list[Player]:
    """Return the players of a match, by seat."""
    return [row.player for row in match.seats.order_by("seat") if row.player]


def lines_of(night: ClubNight, viewer: Player | None = None) -> Sequence[night_standings.Line]:
    """Return the standings of a night as a viewer sees them."""
    night = ClubNight.objects.get(pk=night.pk)
    return night_standings.sheet(night=night, viewer=viewer).lines


def under_way(night: ClubNight) -> list[Match]:
    """Return the running matches of a night."""
    tables = NightTable.objects.filter(
        game__night=night, play__match__status=Match.Status.PLAYING
    ).select_related("play__match")
    return [table.play.match for table in tables.order_by("pk") if table.play and table.play.match]


def play_out(match: Match) -> None:
    """Play a match of a night to its end, and advance the night."""
    play_on(match)
    play = collect(match=match.pk)
    assert play is not None
    advance_after(play=play)


def play_all(night: ClubNight) -> ClubNight:
    """Play a running night to its end."""
    while matches := under_way(night):
        for match in matches:
            play_out(match)
    return advance(night=ClubNight.objects.get(pk=night.pk))
