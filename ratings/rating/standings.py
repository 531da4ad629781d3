"""Leaderboards and rating profiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import F, QuerySet, Window
from django.db.models.functions import Rank, RowNumber
from django.utils import timezone

from games.api import Player, Seat, friend_keys
from ratings.model.constants import CONSTANTS, Constants
from ratings.model.scale import standard_score
from ratings.models import Attempt, Play, Rating, RatingChange, Record
from ratings.standard.field import Beaten, beaten_by

PER_PAGE = 50
RECENT = timedelta(days=30)
TREND = 24
"""Number of changes in the trend of a row."""
MAX_POINTS = 120
"""Maximum number of points in a history chart."""


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """One row of a leaderboard.

    Attributes:
        place: from 1; equal values of rating minus RD share one.
        rating: the row.
        record: None before the first ranked win or loss.
        trend: the newest ratings, oldest first.
    """

    place: int
    rating: Rating
    record: Record | None
    trend: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating and its RD at one time, Elo."""

    at: datetime
    rating: float
    rd: float


@dataclass(frozen=True, slots=True)
class Profile:
    """A player's rating, record and history at one number of seats.

    Attributes:
        rating: the row; None before the first result.
        record: wins and losses; None before the first of them.
        score: the standard score (0..100), a forecast; None without a rating.
        range: the standard scores one RD below and above the rating; None without a rating.
        beaten: how many others were really beaten with the same cards; None without a rating.
        place: place in the overall list; None without a rating.
        history: the rating over time, oldest first.
    """

    seats: int
    rating: Rating | None
    record: Record | None
    score: float | None
    range: tuple[float, float] | None
    beaten: Beaten | None
    place: int | None
    history: tuple[RatingPoint, ...]


def leaderboard(
    *,
    seats: int,
    recent: bool = False,
    friends_of: Player | None = None,
    met_by: Player | None = None,
    page: int | str = 1,
) -> Page[LeaderboardRow]:
    """Return a page of people by rating minus RD, except private pages and closed accounts.

    Args:
        seats: 2 or 3.
        recent: only people who played a rated game within 30 days.
        friends_of: only this player and their friends.
        met_by: only this player and people they met at a table or in a challenge.
        page: page number from 1; an invalid number gives the nearest page.
    """
    rows = _shown(seats).select_related("player")
    if friends_of is not None:
        rows = rows.filter(player__in={friends_of.pk, *friend_keys(player=friends_of)})
    if met_by is not None:
        rows = rows.filter(player__in=_met(met_by))
    if recent:
        rows = rows.filter(played_at__gte=timezone.now() - RECENT)
    rows = rows.annotate(place=Window(Rank(), order_by=F("floor").desc()))
    pages: Any = Paginator(rows.order_by("-floor", "pk"), PER_PAGE).get_page(page)
    ratings = list(pages.object_list)
    records = {
        record.player_id: record
        for record in Record.objects.filter(
            seats=seats, player__in=[rating.player_id for rating in ratings]
        )
    }
    trends = _trends([rating.player_id for rating in ratings], seats)
    pages.object_list = [
        LeaderboardRow(
            rating.place, rating, records.get(rating.player_id), trends.get(rating.player_id, ())
        )
        for rating in ratings
    ]
    return pages  # type: ignore[no-any-return]


def _shown(seats: int) -> QuerySet[Rating]:
    """Return the ratings of a leaderboard: without private pages, and accounts that are closed."""
    return Rating.objects.filter(
        seats=seats, computer=False, player__private=False, player__is_active=True
    )


def _met(player: Player) -> set[int]:
    """Return the primary keys of a player and of the people they have met."""
    tables = Seat.objects.filter(player=player, computer=False).values("match")
    together = Seat.objects.filter(match__in=tables, computer=False)
    links = Attempt.objects.filter(player=player, play__kind=Play.Kind.CHALLENGE)
    challenged = Attempt.objects.filter(
        standard_game__in=links.values("standard_game"), computer=False
    )
    met = together.exclude(player=None).values_list("player_id", flat=True)
    return {player.pk, *met, *challenged.values_list("player_id", flat=True)}


def profile(*, player: Player, seats: int) -> Profile:
    """Return a player's rating, record and history at a number of seats."""
    rating = Rating.objects.filter(player=player, seats=seats).first()
    score = place = range_ = None
    if rating is not None:
        score = standard_score(rating.skill, CONSTANTS[seats])
        range_ = _range(rating, CONSTANTS[seats])
        place = _shown(seats).filter(floor__gt=rating.floor).count() + 1
    return Profile(
        seats=seats,
        rating=rating,
        record=Record.objects.filter(player=player, seats=seats).first(),
        score=score,
        range=range_,
        beaten=beaten_by(player=player, seats=seats) if rating is not None else None,
        place=place,
        history=_history(player, seats),
    )


def _range(rating: Rating, constants: Constants) -> tuple[float, float]:
    deviation = rating.rd / constants.elo_per_point
    return (
        standard_score(rating.skill - deviation, constants),
        standard_score(rating.skill + deviation, constants),
    )


def _trends(players: Sequence[int], seats: int) -> dict[int, tuple[float, ...]]:
    """Return each player's newest ratings, oldest first; one query, mostly within the index."""
    changes = RatingChange.objects.filter(player__in=players, seats=seats)
    age = Window(RowNumber(), partition_by=F("player"), order_by=F("pk").desc())
    newest = changes.alias(age=age).filter(age__lte=TREND).values("pk")
    found: dict[int, list[float]] = {}
    rows = RatingChange.objects.filter(pk__in=newest).order_by("pk")
    for player, now in rows.values_list("player", "now"):
        found.setdefault(player, []).append(now)
    return {player: tuple(ratings) for player, ratings in found.items()}


def _history(player: Player, seats: int) -> tuple[RatingPoint, ...]:
    """Return the rating over time, evenly thinned out; the newest point is always included.

    The database thins it out, and reads only the index of the changes that are left out.
    """
    changes = RatingChange.objects.filter(player=player, seats=seats)
    first = changes.order_by("pk").values_list("at", "was").first()
    if first is None:
        return ()
    step = -(-changes.count() // MAX_POINTS)
    newer = Window(RowNumber(), order_by=F("pk").desc()) - 1
    kept = changes.alias(newer=newer).alias(left_out=F("newer") % step).filter(left_out=0)
    rows = RatingChange.objects.filter(pk__in=kept.values("pk")).order_by("pk")
    points = [RatingPoint(*row) for row in rows.values_list("at", "now", "rd")]
    return (RatingPoint(*first, points[0].rd), *points)
