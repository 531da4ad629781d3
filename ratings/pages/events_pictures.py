"""Pictures of tournaments: the bracket and the cross-table, as values for SVG templates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from ratings.events.event_pages import RoundLine, Sheet, TableLine
from ratings.events.results import rules_of
from ratings.models import Event, EventEntrant

BOX_WIDTH, ROW = 220, 24
"""Size of a player's box in a bracket, pixels."""
WINS = 40
"""Room in a box for its margins and the games won."""
COLUMN = BOX_WIDTH + 40
GAP = 16
MARGIN = 12
CELL = 44
NAMES = 200
MOST = 24
"""Maximum number of players in a cross-table that can be read."""


@dataclass(frozen=True, slots=True)
class Box:
    """A table of a bracket: its two lines of text, and the line to the next round."""

    x: int
    y: int
    names: tuple[str, str]
    wins: tuple[str, str]
    won: tuple[bool, bool]
    path: str


@dataclass(frozen=True, slots=True)
class Bracket:
    """A picture of a bracket, in pixels; a longer name than `name_width` is cut."""

    width: int
    height: int
    box_width: int
    name_width: int
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a cross-table."""

    x: int
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """A player's row of a cross-table."""

    y: int
    place: int
    name: str
    cells: tuple[Cell, ...]
    total: str


@dataclass(frozen=True, slots=True)
class CrossTable:
    """A picture of a cross-table, in pixels."""

    width: int
    height: int
    heads: tuple[Cell, ...]
    rows: tuple[Row, ...]


def bracket(event: Event, rounds: Sequence[RoundLine]) -> Bracket | None:
    """Return the picture of an event's bracket, rounds to come included; None without one."""
    played = [line for line in reversed(rounds) if line.row.bracket]
    if not played:
        return None
    size = len(played[0].tables)
    boxes: list[Box] = []
    level, step = 0, 2 * ROW + GAP
    while size >= 1:
        tables = played[level].tables if level < len(played) else ()
        for at in range(size):
            height = step * 2**level
            middle = MARGIN + height * at + height // 2
            table = tables[at] if at < len(tables) else None
            boxes.append(_box(level, middle, table, last=size == 1, height=height, upper=at % 2))
        level, size = level + 1, size // 2
    first = len(played[0].tables)
    return Bracket(
        width=2 * MARGIN + COLUMN * level - 40,
        height=2 * MARGIN + step * first,
        box_width=BOX_WIDTH,
        name_width=BOX_WIDTH - WINS,
        boxes=tuple(boxes),
    )


def _box(
    level: int, middle: int, table: TableLine | None, *, last: bool, height: int, upper: int
) -> Box:
    x = MARGIN + COLUMN * level
    path = ""
    if not last:
        right, onward = x + BOX_WIDTH, middle + (-height // 2 if upper else height // 2)
        path = f"M{right} {middle}h20V{onward}h20"
    names = wins = ("", "")
    won = (False, False)
    if table is not None:
        one, other = table.sitting[0], table.sitting[1]
        empty = _("bye") if one is not None else ""
        names = (_name(one, ""), _name(other, empty))
        won = (_is(table.winner, one), _is(table.winner, other))
        if table.wins and not table.bye:
            wins = (str(table.wins[0]), str(table.wins[1]))
    return Box(x, middle - ROW, names, wins, won, path)


def _is(winner: EventEntrant | None, row: EventEntrant | None) -> bool:
    return winner is not None and winner == row


def _name(row: EventEntrant | None, empty: str) -> str:
    return empty if row is None else row.player.name


def cross_table(event: Event, sheet: Sheet) -> CrossTable | None:
    """Return the results of all against all; None if there are too many players or no rounds.

    In a round robin a column is an opponent, otherwise a round, and a cell has the opponent's place
    and the result: games won, or matchpoints in percent.
    """
    lines = sheet.lines
    rounds = [line for line in reversed(sheet.rounds) if not line.row.bracket and line.shown]
    if event.format in {"arena", "teams"} or not rounds or not 2 <= len(lines) <= MOST:
        return None
    at = {line.entrant.pk: number for number, line in enumerate(lines, start=1)}
    robin = event.format == "robin"
    columns = len(lines) if robin else len(rounds)
    cells: dict[tuple[int, int], str] = {}
    for number, line in enumerate(rounds):
        for table in line.tables:
            for place, entrant in enumerate(table.sitting):
                if entrant is not None and table.over:
                    column = _column(table, place, at) if robin else number
                    if column is not None:
                        cells[entrant.pk, column] = _result(event, table, place, at)
    heads = tuple(Cell(NAMES + CELL * each, str(each + 1)) for each in range(columns))
    rows = tuple(
        Row(
            y=MARGIN + ROW * number + ROW,
            place=line.place or number,
            name=line.entrant.player.name,
            cells=tuple(
                Cell(NAMES + CELL * each, cells.get((line.entrant.pk, each), ""))
                for each in range(columns)
            ),
            total=_total(event, line.total.points, line.total.matchpoints),
        )
        for number, line in enumerate(lines, start=1)
    )
    width = NAMES + CELL * columns + CELL + 2 * MARGIN
    return CrossTable(width, 2 * MARGIN + ROW * (len(rows) + 2), heads, rows)


def _column(table: TableLine, place: int, at: dict[int, int]) -> int | None:
    other = table.sitting[1 - place] if len(table.sitting) == 2 else None
    return None if other is None else at[other.pk] - 1


def _result(event: Event, table: TableLine, place: int, at: dict[int, int]) -> str:
    """Return a player's result at a table, as "2+" for a win against the second."""
    if table.bye or not table.games:
        return "+" if table.games and table.games[0].game.winner == place else "–"
    sign = "+" if table.games[0].game.winner == place else "−"
    if event.format == "robin":
        scores = table.games[0].scores or ()
        return f"{scores[place]}" + sign if scores else sign
    others = [row for number, row in enumerate(table.sitting) if number != place]
    return ",".join(str(at[row.pk]) if row is not None else "·" for row in others) + sign


def _total(event: Event, points: int, matchpoints: float) -> str:
    if rules_of(event).duplicate:
        return number_format(100 * matchpoints, decimal_pos=0)
    return str(points)
