"""Clubs as their members see them: who is in them, their open tables, who leads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, Prefetch, Q
from django.utils import timezone

from games.api import Match, Player, Ruleset, Seat
from ratings.models import Club, ClubNight, Membership, Rating

OPEN_FOR = timedelta(hours=3)
"""How long a table that nobody joins stays on a club's list, as in the lobby."""
SEATS = 2
"""The ratings that a club's list shows are those of two seats."""
PAST = 20
"""Nights that are over on a club's page, the newest."""

_ORDER: dict[str, int] = {Membership.Role.FOUNDER: 0, Membership.Role.OFFICER: 1}


@dataclass(frozen=True, slots=True)
class ClubLine:
    """One club of a player: what he is there, how many are in it, its nights to come."""

    club: Club
    role: str
    members: int
    nights: tuple[ClubNight, ...]


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A member's table that waits for players."""

    public_id: str
    invite: str
    creator: str
    ruleset: Ruleset
    free: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Standing:
    """One member in the club's list.

    Attributes:
        place: by rating less RD; None for who has no rating, or keeps his page private.
        member: the row, its player fetched.
        rating: his rating, None as above.
        games, won, skunks: of his matches against other members, and how many he won, or won
            by a skunk.
    """

    place: int | None
    member: Membership
    rating: Rating | None
    games: int
    won: int
    skunks: int


def clubs_of(*, player: Player) -> list[ClubLine]:
    """Return a player's clubs by name, with the nights that are not over."""
    coming = ClubNight.objects.exclude(state=ClubNight.State.OVER).order_by("starts_at")
    rows = (
        Membership.objects.filter(player=player)
        .select_related("club")
        .annotate(members=Count("club__memberships"))
        .prefetch_related(Prefetch("club__nights", coming, to_attr="coming"))
        .order_by("club__name", "pk")
    )
    return [
        ClubLine(row.club, row.get_role_display(), row.members, tuple(row.club.coming))  # type: ignore[attr-defined]
        for row in rows
    ]


def membership(*, public_id: str, player: Player | None) -> Membership | None:
    """Return a player's place in a club, the club fetched; None to whom it is not shown."""
    if player is None:
        return None
    rows = Membership.objects.filter(club__public_id=public_id, player=player)
    return rows.select_related("club", "player").first()


def invited_to(*, token: str) -> Club | None:
    """Return the club of an invitation link, with its number of members as ``number``."""
    return Club.objects.filter(token=token).annotate(number=Count("memberships")).first()


def members(*, club: Club) -> list[Membership]:
    """Return a club's members: its founder, its officers, then by name."""
    rows = club.memberships.select_related("player")
    return sorted(rows, key=lambda row: (_ORDER.get(row.role, 2), row.player.name.casefold()))


def nights(*, club: Club) -> tuple[list[ClubNight], list[ClubNight]]:
    """Return a club's nights: those that are not over, the next first; and the newest others."""
    over = ClubNight.State.OVER
    coming = club.nights.exclude(state=over).order_by("starts_at", "pk")
    return list(coming), list(club.nights.filter(state=over).order_by("-starts_at", "-pk")[:PAST])


def open_tables(*, club: Club) -> list[OpenTable]:
    """Return the tables that members have made for the club and that wait, newest first."""
    rows = (
        Match.objects.filter(
            club_table__club=club,
            status=Match.Status.WAITING,
            created_at__gt=timezone.now() - OPEN_FOR,
        )
        .select_related("created_by")
        .annotate(free=Count("seats", filter=Q(seats__player__isnull=True)))
        .order_by("-created_at")
    )
    return [
        OpenTable(
            public_id=match.public_id,
            invite=match.invite,
            creator=match.created_by.name if match.created_by else "",
            ruleset=Ruleset.from_dict(match.ruleset),
            free=match.free,
            created_at=match.created_at,
        )
        for match in rows
    ]


def leaderboard(*, club: Club) -> list[Standing]:
    """Return the members by rating less RD, then those without one by games won.

    Games are those of two seats against other members, at any table of the site.
    """
    rows = members(club=club)
    keys = [row.player_id for row in rows]
    ratings = {
        rating.player_id: rating
        for rating in Rating.objects.filter(seats=SEATS, player__in=keys, player__private=False)
    }
    results = _results(keys)
    nothing = {"games": 0, "victories": 0, "by_skunk": 0}
    lines = []
    for row in rows:
        rating, made = ratings.get(row.player_id), results.get(row.player_id, nothing)
        above = sum(other.floor > rating.floor for other in ratings.values()) if rating else 0
        place = above + 1 if rating else None
        lines.append(
            Standing(place, row, rating, made["games"], made["victories"], made["by_skunk"])
        )
    return sorted(lines, key=lambda line: (line.place or len(lines) + 1, -line.won, -line.games))


def _results(keys: list[int]) -> dict[int, dict[str, int]]:
    """Return by player how the matches of these with each other ended."""
    rows = (
        Seat.objects.filter(
            player__in=keys, opponent__in=keys, computer=False, computers=0, places=SEATS
        )
        .exclude(ended_at=None)
        .exclude(player=F("opponent"))
        .values("player_id")
        .annotate(
            games=Count("pk"),
            victories=Count("pk", filter=Q(won=True)),
            by_skunk=Count("pk", filter=Q(won=True, skunks__gt=0)),
        )
    )
    return {row["player_id"]: row for row in rows}


def kept_of(player: int) -> Iterator[dict[str, Any]]:
    """Return a player's clubs, for him to take along."""
    rows = Membership.objects.filter(player_id=player).select_related("club")
    for row in rows.order_by("pk"):
        yield {
            "club": row.club.name,
            "id": row.club.public_id,
            "role": row.role,
            "joined_at": row.joined_at,
        }
