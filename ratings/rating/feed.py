"""Rating feed: the changes of a player's rating, grouped into readable items with reasons.

Several others may play the same standard game between two games of the player; the feed shows
this as one item: "3 others played #1207 in your seat".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from games.api import Player
from ratings.model.constants import CONSTANTS
from ratings.models import Attempt, Play, RatingChange, StandardGame

MAX_CHANGES = 300
"""Maximum number of changes read for one page."""
MAX_ITEMS = 40
"""Maximum number of items on one page."""
SMALL_ELO = 0.1
"""Reasons smaller than this, in Elo, are summed up as the rest."""
MAX_REASONS = 6
"""Maximum number of reasons for one item; the others are summed up as the rest."""


@dataclass(slots=True)
class Reason:
    """One reason for a rating change.

    Attributes:
        cause: a `ratings.model.explain.Cause`, or "rest".
        game: number of the standard game; None for the rest.
        elo: effect on the rating.
        was, now: value of the seat, points; mean rating of the opponents, Elo; for a new result the
            margin that the cards and the ratings suggested, and the one that counts, points.
            None if there was or is none.
        others: number of others who played the game in between.
        more: number of further games with the same opponents.
        seats: number of players at the table.
    """

    cause: str
    game: int | None
    elo: float
    was: float | None = None
    now: float | None = None
    others: int = 0
    more: int = 0
    seats: int = 2


@dataclass(slots=True)
class FeedItem:
    """A rating change with its reasons, which sum to ``now - was``, largest first.

    ``own`` is whether a game of the player caused it; ``since`` is the time of the previous item.
    """

    at: datetime
    since: datetime | None
    was: float
    now: float
    own: bool
    reasons: list[Reason] = field(default_factory=list)

    @property
    def elo(self) -> float:
        """The change, Elo."""
        return self.now - self.was


def feed(*, player: Player, seats: int) -> list[FeedItem]:
    """Return the changes of a player's rating with their reasons, newest first."""
    rows = RatingChange.objects.filter(player=player, seats=seats).order_by("-pk")
    changes = list(rows[: MAX_CHANGES + 1])
    older = changes[MAX_CHANGES:]
    changes = changes[:MAX_CHANGES][::-1]
    if not changes:
        return []
    seat_values = _seat_values(player, changes)
    items, since = [], older[0].at if older else None
    for group in _groups(changes):
        items.append(_feed_item(group, since, seat_values))
        since = group[-1].at
    shown = [one for one in items[::-1] if one.own or abs(one.elo) >= SMALL_ELO / 2][:MAX_ITEMS]
    _count_others(player, shown)
    return shown


def change_by(*, player: Player, play: Play) -> FeedItem | None:
    """Return the change of a player's rating by a play of their own, largest reasons first.

    None until the play is rated. One update may rate several plays of a player.
    """
    change = own_changes(player=player, plays=[play]).get(play.pk)
    if change is None:
        return None
    return _feed_item([change], None, _seat_values(player, [change]))


def own_changes(*, player: Player, plays: Sequence[Play]) -> dict[int, RatingChange]:
    """Return the changes of a player's rating by plays of their own, by the play's primary key.

    Plays that are not rated are left out. One query; their standard games must be fetched.
    """
    ends = {
        play.pk: play.finished_at
        for play in plays
        if play.sequence is not None and play.finished_at is not None
    }
    if not ends:
        return {}
    rows = RatingChange.objects.filter(player=player, own=True, at__gte=min(ends.values()))
    changes = list(rows.order_by("pk")[: MAX_ITEMS * len(ends)])
    found = {}
    for play in plays:
        if play.pk not in ends:
            continue
        game = play.standard_game
        change = next((one for one in changes if _is_about(one, game)), None)
        if change is not None:
            found[play.pk] = change
    return found


def _is_about(change: RatingChange, game: StandardGame) -> bool:
    """Return whether a standard game's result made the change, alone or with others."""
    return change.seats == game.seats and any(
        part["cause"] == "new" and part.get("game") == game.pk for part in change.parts
    )


def _groups(changes: Iterable[RatingChange]) -> list[list[RatingChange]]:
    """Group changes: each of the player's own games alone, others by day between own games."""
    groups: list[list[RatingChange]] = []
    for (own, _), rows in groupby(changes, lambda change: (change.own, change.at.date())):
        found = list(rows)
        groups += [[row] for row in found] if own else [found]
    return groups


def _feed_item(
    group: Sequence[RatingChange],
    since: datetime | None,
    seat_values: dict[int, float],
) -> FeedItem:
    reasons: dict[tuple[str, int | None], Reason] = {}
    for change in group:
        for part in change.parts:
            _add(reasons, part, change.seats, seat_values)
    last = group[-1]
    item = FeedItem(at=last.at, since=since, was=group[0].was, now=last.now, own=last.own)
    found = _by_opponent(reason for reason in reasons.values() if reason.cause != "rest")
    found.sort(key=lambda reason: -abs(reason.elo))
    item.reasons = [reason for reason in found[:MAX_REASONS] if abs(reason.elo) >= SMALL_ELO]
    rest = item.elo - sum(reason.elo for reason in item.reasons)
    if abs(rest) >= SMALL_ELO / 2:
        item.reasons.append(Reason("rest", None, rest))
    return item


def _by_opponent(reasons: Iterable[Reason]) -> list[Reason]:
    """Merge the reasons that are about one opponent in several games."""
    found: list[Reason] = []
    opponents: dict[tuple[float | None, float | None], Reason] = {}
    for reason in sorted(reasons, key=lambda reason: -abs(reason.elo)):
        key = (reason.was, reason.now)
        known = opponents.get(key) if reason.cause == "opponent" else None
        if known is not None:
            known.elo += reason.elo
            known.more += 1
            continue
        found.append(reason)
        if reason.cause == "opponent":
            opponents[key] = reason
    return found


def _add(
    reasons: dict[tuple[str, int | None], Reason],
    part: dict[str, Any],
    seats: int,
    seat_values: dict[int, float],
) -> None:
    """Add a stored part of a change to the reason with the same cause and game."""
    cause, game = str(part["cause"]), part.get("game")
    was, now = part.get("was"), part.get("now")
    if cause in {"effect", "new"}:
        seat_value = seat_values.get(game or 0, 0.0)
        was, now = (None if value is None else value + seat_value for value in (was, now))
    known = reasons.get((cause, game))
    if known is None:
        reasons[cause, game] = Reason(cause, game, float(part["elo"]), was, now, seats=seats)
    else:
        known.elo += float(part["elo"])
        known.now = now


def _games(changes: Iterable[RatingChange]) -> set[int]:
    return {part["game"] for change in changes for part in change.parts if part.get("game")}


def _seat_values(player: Player, changes: Sequence[RatingChange]) -> dict[int, float]:
    """Return the value of the player's seat in each game from seat and par only, points."""
    seats = changes[0].seats
    constants = CONSTANTS[seats]
    held = dict(
        Attempt.objects.filter(
            player=player, standard_game__in=_games(changes), play__exclusion=Play.Exclusion.NONE
        ).values_list("standard_game_id", "seat")
    )
    pars = dict(StandardGame.objects.filter(pk__in=held).values_list("pk", "par"))
    return {
        game: constants.mu[seat]
        + (constants.beta * par[seat] if (par := pars.get(game)) is not None else 0.0)
        for game, seat in held.items()
    }


def _count_others(player: Player, items: Sequence[FeedItem]) -> None:
    """Set the number of others who played each reason's game since the previous item."""
    shown_reasons = [
        (one, reason) for one in items for reason in one.reasons if reason.cause == "effect"
    ]
    games = {reason.game for _, reason in shown_reasons}
    own = Attempt.objects.filter(player=player, standard_game__in=games).values_list("play_id")
    played: dict[int, list[datetime]] = defaultdict(list)
    rows = Play.objects.filter(
        standard_game__in=games,
        exclusion=Play.Exclusion.NONE,
        finished_at__isnull=False,
        sequence__isnull=False,
    ).exclude(pk__in=[key for (key,) in own])
    for game, moment in rows.values_list("standard_game_id", "finished_at"):
        if moment is not None:
            played[game].append(moment)
    for one, reason in shown_reasons:
        reason.others = sum(
            (one.since is None or one.since < moment) and moment <= one.at
            for moment in played[reason.game or 0]
        )
