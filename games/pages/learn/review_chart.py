"""Chart of the chance to win by step, with links to the steps, and the same data as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from games.analysis.review import Item
from games.analysis.review_luck import GameAccount
from games.analysis.review_verdicts import WRONG, Verdict
from games.archive.replays import Replay
from games.models import Match
from games.pages.learn import review_words as words

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 68, 8, 16, 30
"""Margins for labels, in units of the picture."""

LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Band:
    """A step of the chart: position, link and title."""

    x: str
    width: str
    address: str
    title: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark for a mistake or blunder on the line of its seat."""

    x: str
    y: str
    seat: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class StepRow:
    """A row of the table: each seat's chance after a step, and its change."""

    hand: int
    what: str
    who: str
    chances: tuple[str, ...]
    changes: tuple[str, ...]
    address: str

    @property
    def numbers(self) -> list[tuple[str, str]]:
        """Chance and change by seat."""
        return list(zip(self.chances, self.changes, strict=True))


@dataclass(frozen=True, slots=True)
class Chart:
    """The coordinates of a chart of size `width` x `height`.

    Attributes:
        lines: (seat, points of its line).
        levels: (y, label) of the grid.
        hands: (x, number) at the start of each hand.
    """

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    lines: tuple[tuple[int, str], ...]
    levels: tuple[tuple[str, str], ...]
    hands: tuple[tuple[str, int], ...]
    bands: tuple[Band, ...]
    marks: tuple[Mark, ...]
    rows: tuple[StepRow, ...]


def chart(
    account: GameAccount,
    replay: Replay,
    items: Sequence[Item],
    *,
    names: Sequence[str],
    match: Match,
    side: int,
) -> Chart:
    """Return the chart of one game; with two seats it has one line, of seat ``side``."""
    seats = [side] if len(names) == 2 else list(range(len(names)))
    wide = (WIDTH - LEFT - RIGHT) / max(1, len(account.shifts))
    rows = tuple(_rows(account, replay, names, match))
    places = {shift.sequence: at for at, shift in enumerate(account.shifts)}

    def x(at: int) -> str:
        return f"{LEFT + at * wide:.1f}"

    def line(seat: int) -> str:
        chances = [account.start[seat], *(shift.after[seat] for shift in account.shifts)]
        return " ".join(f"{x(at)},{_y(chance)}" for at, chance in enumerate(chances))

    return Chart(
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=WIDTH - RIGHT,
        top=TOP,
        bottom=HEIGHT - BOTTOM,
        lines=tuple((seat, line(seat)) for seat in seats),
        levels=tuple((_y(level), words.percent(level, places=0)) for level in LEVELS),
        hands=tuple(
            (x(at), rows[at].hand)
            for at, shift in enumerate(account.shifts)
            if shift.kind == "deal"
        ),
        bands=tuple(
            Band(x(at), f"{wide:.2f}", row.address, _title(row, names))
            for at, row in enumerate(rows)
        ),
        marks=tuple(
            Mark(
                x(places[item.sequence] + 1),
                _y(account.shifts[places[item.sequence]].after[_line_of(item.seat, seats)]),
                item.seat,
                item.verdict,
            )
            for item in items
            if item.verdict in WRONG and item.sequence in places and item.game == account.game
        ),
        rows=rows,
    )


def _y(chance: float) -> str:
    return f"{TOP + (1.0 - chance) * (HEIGHT - TOP - BOTTOM):.1f}"


def _line_of(seat: int, seats: Sequence[int]) -> int:
    return seat if seat in seats else seats[0]


def _rows(
    account: GameAccount, replay: Replay, names: Sequence[str], match: Match
) -> list[StepRow]:
    rows = []
    for shift in account.shifts:
        step = shift.sequence + 1
        hand = replay.hand_at(step)
        number = hand.number if hand else 0
        where = [match.public_id, account.game, number, step]
        changes = [after - before for before, after in zip(shift.before, shift.after, strict=True)]
        rows.append(
            StepRow(
                hand=number,
                what=str(words.KINDS[shift.kind]),
                who="" if shift.seat is None else names[shift.seat],
                chances=tuple(words.percent(chance) for chance in shift.after),
                changes=tuple(words.signed(change) for change in changes),
                address=reverse("games:replay_step", args=where),
            )
        )
    return rows


def _title(row: StepRow, names: Sequence[str]) -> str:
    who = f"{row.who}: " if row.who else ""
    chances = ", ".join(f"{name} {chance}" for name, chance in zip(names, row.chances, strict=True))
    return f"{who}{row.what} · {chances}"
