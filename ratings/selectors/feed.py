"""Why a rating moved: changes put together into news that a person can read.

Between two games of a player's own, several others may play the same standard game; that is one
piece of news and not several: "3 others played #1207 in your seat".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from games.api import Player
from ratings.models import Attempt, Play, RatingChange, StandardGame
from ratings.selectors.standings import CONSTANTS

READ = 300
"""Changes that are read for one page."""
SHOWN = 40
"""Pieces of news on one page."""
SMALL_ELO = 0.1
"""Reasons smaller than this are told together, as the rest."""
REASONS = 6
"""Reasons that one piece of news gives; the others are told together."""


@dataclass(slots=True)
class Reason:
    """One cause, about one game.

    Attributes:
        cause: a `ratings.model.explain.Cause`, or "rest".
        game: number of the standard game, None for the rest.
        elo: what it did to the rating.
        was, now: points: what the seat was and is worth to whoever sits in it, or the own margin
            beyond it; Elo for opponents; None where there was or is none.
        others: how many others played the game in between.
        more: in how many more games than this one the same opponent sat.
    """

    cause: str
    game: int | None
    elo: float
    was: float | None = None
    now: float | None = None
    others: int = 0
    more: int = 0


@dataclass(slots=True)
class News:
    """A rating that moved, and why; the reasons sum to ``now - was``, the largest first.

    ``own``: by a game of the player's own; ``since``: when the news before it was, if there is any.
    """

    at: datetime
    since: datetime | None
    was: float
    now: float
    own: bool
    reasons: list[Reason] = field(default_factory=list)

    @property
    def elo(self) -> float:
        """How far it moved, Elo."""
        return self.now - self.was


def feed(*, player: Player, seats: int) -> list[News]:
    """Return why a player's rating moved, the newest news first."""
    rows = RatingChange.objects.filter(player=player, seats=seats).order_by("-pk")
    changes = list(rows[: READ + 1])
    older = changes[READ:]
    changes = changes[:READ][::-1]
    if not changes:
        return []
    worths = _worths(player, changes)
    news, since = [], older[0].at if older else None
    for group in _groups(changes):
        news.append(_news(group, since, worths))
        since = group[-1].at
    shown = [one for one in news[::-1] if one.own or abs(one.elo) >= SMALL_ELO / 2][:SHOWN]
    _count_others(player, shown)
    return shown


def _groups(changes: Iterable[RatingChange]) -> list[list[RatingChange]]:
    """Return changes put together: an own game by itself, the others of a day between two such."""
    groups: list[list[RatingChange]] = []
    for (own, _), rows in groupby(changes, lambda change: (change.own, change.at.date())):
        found = list(rows)
        groups += [[row] for row in found] if own else [found]
    return groups


def _news(
    group: Sequence[RatingChange],
    since: datetime | None,
    worths: dict[int, float],
) -> News:
    reasons: dict[tuple[str, int | None], Reason] = {}
    for change in group:
        for part in change.parts:
            _add(reasons, part, worths)
    last = group[-1]
    news = News(at=last.at, since=since, was=group[0].was, now=last.now, own=last.own)
    found = _by_opponent(reason for reason in reasons.values() if reason.cause != "rest")
    found.sort(key=lambda reason: -abs(reason.elo))
    news.reasons = [reason for reason in found[:REASONS] if abs(reason.elo) >= SMALL_ELO]
    rest = news.elo - sum(reason.elo for reason in news.reasons)
    if abs(rest) >= SMALL_ELO / 2:
        news.reasons.append(Reason("rest", None, rest))
    return news


def _by_opponent(reasons: Iterable[Reason]) -> list[Reason]:
    """Return reasons with those together that tell of one opponent, met in several games."""
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
    reasons: dict[tuple[str, int | None], Reason], part: dict[str, Any], worths: dict[int, float]
) -> None:
    """Add one part of a change to the reason that it belongs to."""
    cause, game = str(part["cause"]), part.get("game")
    was, now = part.get("was"), part.get("now")
    if cause == "effect":
        worth = worths.get(game or 0, 0.0)
        was, now = (None if value is None else value + worth for value in (was, now))
    known = reasons.get((cause, game))
    if known is None:
        reasons[cause, game] = Reason(cause, game, float(part["elo"]), was, now)
    else:
        known.elo += float(part["elo"])
        known.now = now


def _games(changes: Iterable[RatingChange]) -> set[int]:
    return {part["game"] for change in changes for part in change.parts if part.get("game")}


def _worths(player: Player, changes: Sequence[RatingChange]) -> dict[int, float]:
    """Return what the player's seat of each game is worth by par alone, points."""
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


def _count_others(player: Player, news: Sequence[News]) -> None:
    """Say in each reason how many others have played its game since the news before."""
    told = [(one, reason) for one in news for reason in one.reasons if reason.cause == "effect"]
    games = {reason.game for _, reason in told}
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
    for one, reason in told:
        reason.others = sum(
            (one.since is None or one.since < moment) and moment <= one.at
            for moment in played[reason.game or 0]
        )
