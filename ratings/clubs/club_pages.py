"""Selectors for the pages of clubs: members, open tables, nights and leaderboard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, F, Prefetch, Q

from games.api import Match, OpenTable, Player, Seat, true_now
from ratings.models import Club, ClubNight, Membership, Rating

OPEN_FOR = timedelta(hours=3)
"""Time that a table without a second player stays on a club's list, as in the lobby."""
SEATS = 2
"""Number of seats for which a club's leaderboard shows ratings."""
FOUND = 20
"""Maximum number of clubs that a search finds."""
MAX_WORDS = 5
"""Maximum number of words of a search."""
PAST = 20
"""Number of finished nights on a club's page."""

_ORDER: dict[str, int] = {Membership.Role.FOUNDER: 0, Membership.Role.OFFICER: 1}


@dataclass(frozen=True, slots=True)
class ClubRow:
    """One of a player's clubs: their role, the number of members, and the nights to come."""

    club: Club
    role: str
    members: int
    nights: tuple[ClubNight, ...]


@dataclass(frozen=True, slots=True)
class FoundClub:
    """A club that everyone can find: the number of members, the founder, the next night."""

    club: Club
    members: int
    founder: Player
    night: ClubNight | None


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member in the club's leaderboard.

    Attributes:
        place: by rating minus RD; None without a rating, or if their page is private.
        member: the row, with its player fetched.
        rating: their rating; None as for ``place``.
        games, won, skunks: numbers of matches against other members, of wins, and of wins by skunk.
    """

    place: int | None
    member: Membership
    rating: Rating | None
    games: int
    won: int
    skunks: int


def clubs_of(*, player: Player) -> list[ClubRow]:
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
        ClubRow(row.club, row.get_role_display(), row.members, tuple(row.club.coming))  # type: ignore[attr-defined]
        for row in rows
    ]


def membership(*, public_id: str, player: Player | None) -> Membership | None:
    """Return a player's membership with its club; None if they are not a member."""
    if player is None:
        return None
    rows = Membership.objects.filter(club__public_id=public_id, player=player)
    return rows.select_related("club", "player").first()


def club_of_link(*, token: str) -> Club | None:
    """Return the club of an invitation link, which may no longer work (`Club.link_works`).

    The club has its number of members as ``number``.
    """
    return Club.objects.filter(token=token).annotate(number=Count("memberships")).first()


def invited_to(*, token: str) -> Club | None:
    """Return the club of an invitation link that works."""
    found = club_of_link(token=token)
    return found if found is not None and found.link_works else None


def search(*, text: str, player: Player | None) -> list[FoundClub]:
    """Return the clubs that everyone can find, by words of their name and description.

    Without words these are the largest. Clubs of which the player is a member are left out.
    """
    rows = Club.objects.filter(listed=True)
    for word in text.split()[:MAX_WORDS]:
        rows = rows.filter(_has_word(word))
    if player is not None:
        rows = rows.exclude(pk__in=Membership.objects.filter(player=player).values("club"))
    coming = ClubNight.objects.exclude(state=ClubNight.State.OVER).order_by("starts_at")
    founder = Membership.objects.filter(role=Membership.Role.FOUNDER).select_related("player")
    rows = rows.annotate(number=Count("memberships")).prefetch_related(
        Prefetch("nights", coming, to_attr="coming"),
        Prefetch("memberships", founder, to_attr="founders"),
    )
    return [
        FoundClub(
            club, club.number, club.founders[0].player, club.coming[0] if club.coming else None
        )
        for club in rows.order_by("-number", "name", "pk")[:FOUND]
        if club.founders
    ]


def _has_word(word: str) -> Q:
    """Return the condition that a club's name or description has a word, in any case.

    SQLite by itself ignores only the case of ASCII letters. Phones write typographic apostrophes.
    """
    spellings = {word.replace("’", "'"), word.replace("'", "’")}
    if not word.isascii():
        spellings |= {word.lower(), word.upper(), word.capitalize()}
    found = Q()
    for spelling in spellings:
        found |= Q(name__icontains=spelling) | Q(description__icontains=spelling)
    return found


def members(*, club: Club) -> list[Membership]:
    """Return a club's members: founder, officers, then the others by name."""
    rows = club.memberships.select_related("player")
    return sorted(rows, key=lambda row: (_ORDER.get(row.role, 2), row.player.name.casefold()))


def nights(*, club: Club) -> tuple[list[ClubNight], list[ClubNight]]:
    """Return a club's nights: the coming ones, next first, and the newest finished ones."""
    over = ClubNight.State.OVER
    coming = club.nights.exclude(state=over).order_by("starts_at", "pk")
    return list(coming), list(club.nights.filter(state=over).order_by("-starts_at", "-pk")[:PAST])


def open_tables(*, club: Club) -> list[OpenTable]:
    """Return the waiting tables that members created for the club, newest first."""
    rows = (
        Match.objects.filter(
            club_table__club=club,
            status=Match.Status.WAITING,
            created_at__gt=true_now() - OPEN_FOR,
        )
        .select_related("created_by")
        .annotate(free=Count("seats", filter=Q(seats__player__isnull=True)))
        .order_by("-created_at")
    )
    return [OpenTable.of(match, free=match.free) for match in rows]


def leaderboard(*, club: Club) -> list[MemberRow]:
    """Return the members by rating minus RD, then those without a rating by games won.

    Games are those with two seats against other members, at any table of the site.
    """
    rows = members(club=club)
    keys = [row.player_id for row in rows]
    ratings = {
        rating.player_id: rating
        for rating in Rating.objects.filter(seats=SEATS, player__in=keys, player__private=False)
    }
    results = _results(keys)
    no_results = {"games": 0, "victories": 0, "by_skunk": 0}
    lines = []
    for row in rows:
        rating, made = ratings.get(row.player_id), results.get(row.player_id, no_results)
        above = sum(other.floor > rating.floor for other in ratings.values()) if rating else 0
        place = above + 1 if rating else None
        lines.append(
            MemberRow(place, row, rating, made["games"], made["victories"], made["by_skunk"])
        )
    return sorted(lines, key=lambda line: (line.place or len(lines) + 1, -line.won, -line.games))


def _results(keys: list[int]) -> dict[int, dict[str, int]]:
    """Return the results of these players' matches with each other, by player."""
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


def export_of(player: int) -> Iterator[dict[str, Any]]:
    """Return a player's clubs for the data export."""
    rows = Membership.objects.filter(player_id=player).select_related("club")
    for row in rows.order_by("pk"):
        yield {
            "club": row.club.name,
            "id": row.club.public_id,
            "role": row.role,
            "joined_at": row.joined_at,
        }
