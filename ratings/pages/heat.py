"""Heat strip of a traveller: players' hands, coloured by distance from the others' average."""

from __future__ import annotations

from dataclasses import dataclass

from games.api import signed
from ratings.standard.field import CLOSE, HandComparison
from ratings.standard.traveller import Line, Sheet

FAR = 5.0
"""Net points beyond the others' average from which a hand has the strongest colour."""


@dataclass(frozen=True, slots=True)
class HeatCell:
    """One player's hand.

    Attributes:
        level: from -2 (far below the others' average) to 2 (far above it).
        beyond: net points beyond the others' average, as text.
    """

    level: int
    beyond: str


@dataclass(frozen=True, slots=True)
class HeatRow:
    """One player's hands; None where they played no such hand, or no one else did."""

    line: Line
    cells: tuple[HeatCell | None, ...]


def heat_rows(sheet: Sheet) -> list[HeatRow]:
    """Return the rows of the strip, best margin first: only the hands that the sheet compares."""
    columns = [_column(hand.compared, sheet) for hand in sheet.hands]
    return [
        HeatRow(line, tuple(column.get(line.attempt.pk) for column in columns))
        for line in sheet.lines
    ]


def level_of(beyond: float) -> int:
    """Return the level of net points beyond the others' average."""
    if abs(beyond) < CLOSE:
        return 0
    level = 2 if abs(beyond) >= FAR else 1
    return level if beyond > 0 else -level


def _column(hand: HandComparison, sheet: Sheet) -> dict[int, HeatCell]:
    """Return attempt -> its cell in the column of a hand."""
    if not hand.others:
        return {}
    total = float(hand.own["net"]) + (hand.mean or 0.0) * hand.others
    found = {}
    for line in sheet.lines:
        if hand.number <= len(line.attempt.hands):
            net = float(line.attempt.hands[hand.number - 1]["net"])
            beyond = net - (total - net) / hand.others
            found[line.attempt.pk] = HeatCell(level_of(beyond), signed(beyond, 0))
    return found
