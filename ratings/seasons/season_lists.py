"""Selectors of seasons: a season's standings, past seasons, and a player's titles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Prefetch, Q, QuerySet, Subquery

from games.api import Player
from ratings.models import Season, SeasonEntry
from ratings.seasons.counting import MIN_GAMES

PER_PAGE = 50
SHOWN = 36
"""Maximum number of seasons in the list of past ones."""


@dataclass(frozen=True, slots=True)
class OwnStanding:
    """A reader's standing; `entry` is None without a rated game.

    `missing` is the number of games until they have a place, `page` the page that lists them.
    """

    entry: SeasonEntry | None
    missing: int
    page: int


def season_of(*, name: str) -> Season | None:
    """Return the season of an address, ``2026-11`` or ``2026``; None if there is none."""
    year, _, month = name.partition("-")
    try:
        start = date(int(year), int(month or 1), 1)
    except ValueError:
        return None
    kind = Season.Kind.MONTH if month else Season.Kind.YEAR
    return Season.objects.filter(kind=kind, starts_on=start).first()


def current(*, kind: str, on: date) -> Season | None:
    """Return the newest season of a kind that has begun on a day; None before the first."""
    rows = Season.objects.filter(kind=kind, starts_on__lte=on)
    return rows.order_by("-starts_on").first()


def past(*, on: date, seats: int) -> Sequence[Season]:
    """Return the seasons that ended before a day, newest first, with the first three.

    Their entries are the attribute ``first``.
    """
    first = _shown().filter(seats=seats, place__lte=3).order_by("place", "pk")
    rows = Season.objects.order_by("-starts_on", "kind")
    rows = rows.prefetch_related(Prefetch("entries", first, to_attr="first"))
    return [season for season in rows[: SHOWN + 2] if season.ends_before <= on][:SHOWN]


def standings(*, season: Season, seats: int, page: int | str = 1) -> Page[SeasonEntry]:
    """Return a page of the players who have a place."""
    rows = _shown().filter(season=season, seats=seats, place__isnull=False)
    found: Page[SeasonEntry] = Paginator(rows.order_by("place", "pk"), PER_PAGE).get_page(page)
    return found


def own(*, season: Season, seats: int, player: Player | None) -> OwnStanding | None:
    """Return a reader's own standing; None for those who can have no place."""
    if player is None or not player.is_person or player.private:
        return None
    entry = _shown().filter(season=season, seats=seats, player=player).first()
    if entry is None or entry.place is None:
        games = entry.games if entry else 0
        return OwnStanding(entry, max(0, MIN_GAMES[season.kind] - games), 1)
    rows = _shown().filter(season=season, seats=seats, place__lt=entry.place)
    return OwnStanding(entry, 0, rows.count() // PER_PAGE + 1)


def titles_of(*, player: Player) -> Sequence[SeasonEntry]:
    """Return a player's titles, newest first, with their seasons."""
    rows = _shown().filter(player=player, titled=True)
    return list(rows.select_related("season").order_by("-season__starts_on", "-pk")[:SHOWN])


def champions(*, players: Sequence[int], seats: int, on: date) -> dict[int, SeasonEntry]:
    """Return the winners of the newest final month and year among players (primary keys).

    The year goes before the month.
    """
    newest = Q()
    for kind in Season.Kind:
        final = Season.objects.filter(kind=kind, state=Season.State.FINAL, starts_on__lte=on)
        newest |= Q(season=Subquery(final.order_by("-starts_on").values("pk")[:1]))
    rows = _shown().filter(newest, player__in=players, seats=seats, place=1, titled=True)
    # Months before years, whatever their dates, so that a year replaces a month.
    return {row.player_id: row for row in rows.select_related("season").order_by("season__kind")}


def export_of(player: int) -> Iterator[dict[str, Any]]:
    """Return a player's standings for the data export."""
    rows = SeasonEntry.objects.filter(player_id=player).select_related("season")
    for row in rows.order_by("pk"):
        yield {
            "season": str(row.season),
            "seats": row.seats,
            "games": row.games,
            "average": row.average,
            "score": row.score,
            "place": row.place,
            "title": row.titled,
            "final": row.season.is_final,
        }


def _shown() -> QuerySet[SeasonEntry]:
    """Return the entries that everybody may see, with their players."""
    rows = SeasonEntry.objects.filter(withdrawn=False, player__private=False)
    return rows.filter(player__kind=Player.Kind.PERSON).select_related("player")
