"""What a trial of players adds up to: wins with their interval, margins, points, times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from games.analysis.arena import Record
from games.analysis.winning import win_probability

PARTS = ("pegging", "hand", "crib")
ROLES = ("pone", "dealer", "other")
"""The third of three seats is called other."""
KINDS = ("discard", "play")
WHOLE = {121: 5, 61: 2}
"""Target -> the hands of a game that count for points a deal.

Later ones would count only in games that last so long, and so in those with poor cards.
"""
BINS = 10
"""Classes of the predicted chance to win."""
Z95 = 1.96
"""Standard deviations on either side of a normal mean that hold 95%."""


@dataclass
class Tally:
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
    foreseen: list[list[float]] = field(default_factory=lambda: [[0.0] * 3 for _ in range(BINS)])

    def add_round(self, records: Sequence[Record]) -> None:
        """Add the games of one pack, A sitting in seat 0, then 1 (then 2)."""
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
        for deed in record.deeds:
            key = (int(deed.seat != seat_of_a), deed.kind)
            self.times.setdefault(key, []).append(deed.seconds)
        if self.seats == 2 and seat_of_a == 0:
            self._add_foreseen(record)
        for hand in record.hands[:-1][: WHOLE[record.target]]:
            for seat in range(self.seats):
                self._add_hand(hand, seat, int(seat != seat_of_a))

    def _add_foreseen(self, record: Record) -> None:
        """Set what `win_probability` said before each deal beside what came of it."""
        target = record.target
        for hand in record.hands:
            for seat, chance in enumerate(win_probability(hand.before, hand.dealer, target=target)):
                cell = self.foreseen[min(BINS - 1, int(BINS * chance))]
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

    def merge(self, other: Tally) -> None:
        """Add what another process counted."""
        self.rounds += other.rounds
        self.games += other.games
        self.margin += other.margin
        self.dealer_wins += other.dealer_wins
        self.skunks = [a + b for a, b in zip(self.skunks, other.skunks, strict=True)]
        for name in ("points", "deals"):
            mine, theirs = getattr(self, name), getattr(other, name)
            for key, number in theirs.items():
                mine[key] = mine.get(key, 0) + number
        for cell, more in zip(self.foreseen, other.foreseen, strict=True):
            cell[:] = [a + b for a, b in zip(cell, more, strict=True)]
        for times, seconds in other.times.items():
            self.times.setdefault(times, []).extend(seconds)

    @property
    def win_rate(self) -> float:
        """A's share of the wins, 0 to 1."""
        return sum(self.rounds) / len(self.rounds)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of `win_rate`, from the spread of the mirrored rounds."""
        number = len(self.rounds)
        mean = self.win_rate
        spread = sum((share - mean) ** 2 for share in self.rounds) / max(1, number - 1)
        half = Z95 * sqrt(spread / number)
        return max(0.0, mean - half), min(1.0, mean + half)

    def to_dict(self, names: Sequence[str]) -> dict[str, Any]:
        """Return everything as plain values; ``names`` are A's and the others'."""
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
                {"deals": int(number), "predicted": said / number, "seen": came / number}
                for number, said, came in self.foreseen
                if number
            ],
            "milliseconds": {name: self._times(side) for side, name in enumerate("ab")},
        }

    def _points(self, side: int) -> dict[str, dict[str, float]]:
        told: dict[str, dict[str, float]] = {}
        for role in ROLES[: self.seats]:
            deals = self.deals.get((side, role), 0)
            if deals:
                parts = {
                    part: self.points[side, role, part] / deals
                    for part in PARTS
                    if (side, role, part) in self.points
                }
                told[role] = {**parts, "total": sum(parts.values())}
        return told

    def _times(self, side: int) -> dict[str, dict[str, float]]:
        told = {}
        for kind in KINDS:
            times = sorted(self.times.get((side, kind), ()))
            if times:
                told[kind] = {
                    "mean": 1000 * sum(times) / len(times),
                    "p99": 1000 * times[min(len(times) - 1, int(0.99 * len(times)))],
                }
        return told
