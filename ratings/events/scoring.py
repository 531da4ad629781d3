"""Scores and places in a tournament, from the results of its games. Pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ratings.clubs import acc_scoring
from ratings.events.formats import TieBreak

BYE_POINTS = 2
"""Game points of a bye or a walkover, those of a win."""
HALF = 0.5
"""Half of the matchpoints: the least that a player gets whose opponent left."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one game, by place at the table.

    Attributes:
        round: the number of the round.
        sitting: the entrants; None for a computer that filled up the table.
        deals: the place that dealt first.
        scores: points; None for a bye or a walkover.
        margins: the margins that count, points.
        gone: the places of those who left.
        winner: the place of the winner, if there is one.
    """

    round: int
    sitting: tuple[int | None, ...]
    deals: int
    scores: tuple[int, ...] | None
    margins: tuple[float, ...]
    gone: frozenset[int] = frozenset()
    winner: int | None = None

    def seat(self, place: int) -> int:
        """Return the seat of a place; seat 0 deals first."""
        return (place - self.deals) % len(self.sitting)


@dataclass(slots=True)
class Total:
    """An entrant's score.

    Attributes:
        played, won, skunks: numbers of games.
        byes: the number of byes and walkovers.
        points: game points.
        spread: points by which games were won minus those by which they were lost.
        matchpoints: the shares (0..1) of the others beaten with the same cards, summed over rounds.
        opponents: the matchpoints of all opponents, summed.
        met: the opponents.
        dealt: 1 for each game in which they dealt first, -1 for each other one.
    """

    played: int = 0
    won: int = 0
    skunks: int = 0
    byes: int = 0
    points: int = 0
    spread: int = 0
    matchpoints: float = 0.0
    opponents: float = 0.0
    met: list[int] = field(default_factory=list)
    dealt: list[int] = field(default_factory=list)

    @property
    def percent(self) -> float:
        """The matchpoints, where a round has 100."""
        return 100 * self.matchpoints

    def key(self, order: Iterable[TieBreak]) -> tuple[float, ...]:
        """Return the sort key for places; larger is better."""
        return tuple(round(float(getattr(self, each)), 6) for each in order)


def totals(
    entrants: Iterable[int], results: Sequence[Result], *, duplicate: bool
) -> dict[int, Total]:
    """Return the total of each entrant."""
    found = {entrant: Total() for entrant in entrants}
    for result in results:
        for place, entrant in enumerate(result.sitting):
            if entrant in found:
                _add(found[entrant], result, place)
    if duplicate:
        _add_matchpoints(found, results)
    for total in found.values():
        total.opponents = sum(found[other].matchpoints for other in total.met if other in found)
    return found


def _add(total: Total, result: Result, place: int) -> None:
    others = [each for at, each in enumerate(result.sitting) if at != place and each is not None]
    if result.scores is None:
        total.byes += 1
        if result.winner == place:
            total.points += BYE_POINTS
            total.won += 1
        return
    total.met += others
    total.dealt.append(1 if result.deals == place else -1)
    total.played += 1
    total.won += result.winner == place
    points, spread, skunk = game_score(result, place)
    total.points, total.spread = total.points + points, total.spread + spread
    total.skunks += skunk


def game_score(result: Result, place: int) -> tuple[int, int, bool]:
    """Return the game points, the spread and whether it was a skunk, for one place of a game.

    As at club nights: with two seats by the rules of the American Cribbage Congress.
    """
    scores = result.scores or ()
    if len(scores) == 2:
        score = acc_scoring.score(
            won=result.winner == place,
            margin=scores[place] - scores[1 - place],
            left=bool(result.gone),
        )
    else:
        score = acc_scoring.score_of_three(scores=scores, gone=[*result.gone], seat=place)
    return score.points, score.spread, score.skunk


def matchpoints(results: Sequence[Result]) -> dict[tuple[int, int], float]:
    """Return (index of a result, place) -> the share of the others beaten with the same cards.

    The results are those of one round. The others are those who held the same seat at other tables,
    except where someone left. Without others it is half. A player who left gets nothing, and a
    player whose opponent left gets at least half.
    """
    fields: dict[int, list[float]] = {}
    for result in results:
        if result.scores is not None and not result.gone:
            for place, margin in enumerate(result.margins):
                fields.setdefault(result.seat(place), []).append(margin)
    for margins in fields.values():
        margins.sort()
    found = {}
    for at, result in enumerate(results):
        if result.scores is None:
            continue
        for place, margin in enumerate(result.margins):
            field = fields.get(result.seat(place), [])
            share = share_beaten(margin, field, among=not result.gone)
            if place in result.gone:
                share = 0.0
            elif result.gone:
                share = max(share, HALF)
            found[at, place] = share
    return found


def share_beaten(margin: float, field: Sequence[float], *, among: bool) -> float:
    """Return the share of the others with a smaller margin; equal ones count half.

    Args:
        margin: the player's own, in points.
        field: the margins of the field, in order.
        among: whether the player's own margin is among them; the others are the rest.
    """
    others = len(field) - among
    if not others:
        return HALF
    less = bisect_left(field, margin)
    level = bisect_right(field, margin) - less - among
    return (less + level / 2) / others


def _add_matchpoints(found: dict[int, Total], results: Sequence[Result]) -> None:
    for number in {result.round for result in results}:
        of_round = [result for result in results if result.round == number]
        for (at, place), share in matchpoints(of_round).items():
            entrant = of_round[at].sitting[place]
            if entrant in found:
                found[entrant].matchpoints += share


def places(keys: Mapping[int, tuple[float, ...]], absent: Collection[int]) -> dict[int, int]:
    """Return the place of each entrant, from 1; equal keys share one, the absent come last."""
    ranks = {entrant: (entrant not in absent, key) for entrant, key in keys.items()}
    ordered = sorted(ranks.values(), reverse=True)
    first: dict[tuple[bool, tuple[float, ...]], int] = {}
    for at, rank in enumerate(ordered, start=1):
        first.setdefault(rank, at)
    return {entrant: first[rank] for entrant, rank in ranks.items()}
