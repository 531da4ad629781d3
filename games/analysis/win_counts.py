"""Statistics of a trial between players: wins with confidence interval, margins, points, times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from games.analysis.arena import Record
from games.analysis.winning import win_probability

PARTS = ("pegging", "hand", "crib")
ROLES = ("pone", "dealer", "other")
"""Roles; with three seats the one that is neither pone nor dealer is "other"."""
KINDS = ("discard", "play")
WHOLE = {121: 5, 61: 2}
"""Target -> how many hands from the start of a game count towards points per deal.

Later hands occur only in long games, which are those with poor cards.
"""
BINS = 10
"""Number of classes of the predicted chance to win."""
Z95 = 1.96
"""Standard deviations on either side of a normal mean that cover 95%."""


@dataclass
class TrialStats:
    """The games of player A (always index 0) against the others, in rounds of mirrored games."""

    seats: int
    rounds: list[float] = field(default_factory=list)
    games: int = 0
    margin: int = 0
    skunks: list[int] = field(default_factory=lambda: [0, 0])
    dealer_wins: int = 0
    points: dict[tuple[int, str, str], int] = field(default_factory=dict)
    deals: dict[tuple[int, str], int] = field(default_factory=dict)
    times: dict[tuple[int, str], list[float]] = field(default_factory=dict)
    calibration: list[list[float]] = field(default_factory=lambda: [[0.0] * 3 for _ in range(BINS)])

    def add_round(self, records: Sequence[Record]) -> None:
        """Add the games of one round, with A in seat 0, then 1 (then 2)."""
        self.rounds.append(
            sum(record.result.winner == at for at, record in enumerate(records)) / len(records)
        )
        for at, record in enumerate(records):
            self._add_game(record, at)

    def _add_game(self, record: Record, seat_of_a: int) -> None:
        self.games += 1
        result = record.result
        own = result.scores[seat_of_a]
        others = [score for seat, score in enumerate(result.scores) if seat != seat_of_a]
        self.margin += own - max(others)
        self.dealer_wins += result.winner == 0
        self.skunks[int(result.winner != seat_of_a)] += sum(map(bool, result.skunks))
        for decision in record.decisions:
            key = (int(decision.seat != seat_of_a), decision.kind)
            self.times.setdefault(key, []).append(decision.seconds)
        if self.seats == 2 and seat_of_a == 0:
            self._add_calibration(record)
        for hand in record.hands[:-1][: WHOLE[record.target]]:
            for seat in range(self.seats):
                self._add_hand(hand, seat, int(seat != seat_of_a))

    def _add_calibration(self, record: Record) -> None:
        """Compare the prediction of `win_probability` before each deal with the result."""
        target = record.target
        for hand in record.hands:
            for seat, chance in enumerate(win_probability(hand.before, hand.dealer, target=target)):
                cell = self.calibration[min(BINS - 1, int(BINS * chance))]
                cell[0] += 1
                cell[1] += chance
                cell[2] += record.result.winner == seat

    def _add_hand(self, hand: Any, seat: int, side: int) -> None:
        role = ROLES[0] if seat == hand.pone else ROLES[2]
        if seat == hand.dealer:
            role = ROLES[1]
        self.deals[side, role] = self.deals.get((side, role), 0) + 1
        earned = {"pegging": hand.pegged[seat], "hand": hand.shown[seat]}
        if seat == hand.dealer:
            earned["crib"] = hand.crib_points
        for part, points in earned.items():
            key = (side, role, part)
            self.points[key] = self.points.get(key, 0) + (points or 0)

    def merge(self, other: TrialStats) -> None:
        """Add the statistics of another process."""
        self.rounds += other.rounds
        self.games += other.games
        self.margin += other.margin
        self.dealer_wins += other.dealer_wins
        self.skunks = [a + b for a, b in zip(self.skunks, other.skunks, strict=True)]
        for name in ("points", "deals"):
            mine, theirs = getattr(self, name), getattr(other, name)
            for key, number in theirs.items():
                mine[key] = mine.get(key, 0) + number
        for cell, more in zip(self.calibration, other.calibration, strict=True):
            cell[:] = [a + b for a, b in zip(cell, more, strict=True)]
        for times, seconds in other.times.items():
            self.times.setdefault(times, []).extend(seconds)

    @property
    def win_rate(self) -> float:
        """A's share of the wins, 0 to 1."""
        return sum(self.rounds) / len(self.rounds)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of `win_rate`, from the spread of the mirrored rounds."""
        number = len(self.rounds)
        mean = self.win_rate
        spread = sum((share - mean) ** 2 for share in self.rounds) / max(1, number - 1)
        half = Z95 * sqrt(spread / number)
        return max(0.0, mean - half), min(1.0, mean + half)

    def to_dict(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the statistics as plain values; ``names`` are A's name, then the others'."""
        return {
            "players": list(names),
            "seats": self.seats,
            "pairs": len(self.rounds),
            "games": self.games,
            "win_rate": self.win_rate,
            "win_rate_95": list(self.interval),
            "margin": self.margin / self.games,
            "skunks": self.skunks,
            "first_dealer_wins": self.dealer_wins / self.games,
            "points_per_deal": {name: self._points(side) for side, name in enumerate("ab")},
            "calibration": [
                {"deals": int(number), "predicted": predicted / number, "seen": won / number}
                for number, predicted, won in self.calibration
                if number
            ],
            "milliseconds": {name: self._times(side) for side, name in enumerate("ab")},
        }

    def _points(self, side: int) -> dict[str, dict[str, float]]:
        by_role: dict[str, dict[str, float]] = {}
        for role in ROLES[: self.seats]:
            deals = self.deals.get((side, role), 0)
            if deals:
                parts = {
                    part: self.points[side, role, part] / deals
                    for part in PARTS
                    if (side, role, part) in self.points
                }
                by_role[role] = {**parts, "total": sum(parts.values())}
        return by_role

    def _times(self, side: int) -> dict[str, dict[str, float]]:
        by_kind = {}
        for kind in KINDS:
            times = sorted(self.times.get((side, kind), ()))
            if times:
                by_kind[kind] = {
                    "mean": 1000 * sum(times) / len(times),
                    "p99": 1000 * times[min(len(times) - 1, int(0.99 * len(times)))],
                }
        return by_kind
