"""Parser for CSV files of results: returns columns, or an error that names the faulty lines."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path

import numpy as np
from django.utils.translation import gettext as _

from ratings.model.results import Results

WHOLE_NUMBERS = ("t", "game", "seat0", "seat1", "score0", "score1")
PAR = "par"
MAX_FAULTS = 20
"""Maximum number of faults that are listed; the rest are counted."""


class MalformedError(ValueError):
    """The file is not a valid table of results; the message has a line for each fault."""


@dataclass(frozen=True, slots=True)
class Table:
    """Results, and the file's numbers for their players."""

    players: tuple[int, ...]
    """The file's number for each player in `results`, ascending."""
    results: Results


@dataclass(slots=True)
class _Rows:
    """Rows read so far, and the faults found."""

    whole: list[list[int]] = field(default_factory=list)
    par: list[float] = field(default_factory=list)
    par_of_game: dict[int, tuple[float, int]] = field(default_factory=dict)
    """Par of each game, and the line that gave it first."""
    faults: list[str] = field(default_factory=list)


def read_table(path: Path, *, with_par: bool) -> Table:
    """Read a CSV file with a header; its column par is used if it exists and `with_par` is true.

    Raises MalformedError if a column is missing or a row is malformed, OSError and
    UnicodeDecodeError if the file cannot be read.
    """
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.reader(file)
        header = [name.strip() for name in next(reader, [])]
        missing = [name for name in WHOLE_NUMBERS if name not in header]
        if missing:
            raise MalformedError(
                _("line 1: missing columns: %(names)s") % {"names": ", ".join(missing)}
            )
        par_at = header.index(PAR) if with_par and PAR in header else None
        columns = [header.index(name) for name in WHOLE_NUMBERS]
        rows = _Rows()
        try:
            for cells in reader:
                if cells:
                    _take(rows, reader.line_num, cells, len(header), columns, par_at)
        except csv.Error as error:
            rows.faults.append(_fault(reader.line_num, str(error)))
    if rows.faults:
        raise MalformedError(_listed(rows.faults))
    return _table(rows, has_par=par_at is not None)


def _take(
    rows: _Rows,
    line: int,
    cells: Sequence[str],
    width: int,
    columns: Sequence[int],
    par_at: int | None,
) -> None:
    """Parse one row into `rows`, or add its fault."""
    try:
        if len(cells) != width:
            raise ValueError(
                _("%(got)d fields, but the header has %(want)d")
                % {"got": len(cells), "want": width}
            )
        whole = [_whole(name, cells[at]) for name, at in zip(WHOLE_NUMBERS, columns, strict=True)]
        if whole[2] == whole[3]:
            raise ValueError(_("player %(player)d has both seats") % {"player": whole[2]})
        if par_at is not None:
            rows.par.append(_par(rows, line, whole[1], cells[par_at]))
    except ValueError as error:
        rows.faults.append(_fault(line, str(error)))
    else:
        rows.whole.append(whole)


def _whole(name: str, text: str) -> int:
    """Parse a number without sign or fraction."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
        raise ValueError(
            _("%(name)s is %(text)r, not a whole number") % {"name": name, "text": text}
        )
    return int(digits)


def _par(rows: _Rows, line: int, game: int, text: str) -> float:
    """Parse the par of a game, which must be the same on all its rows."""
    try:
        par = float(text)
    except ValueError:
        par = float("nan")
    if not isfinite(par):
        raise ValueError(_("par is %(text)r, not a number") % {"text": text})
    known, line_of_known = rows.par_of_game.setdefault(game, (par, line))
    if known != par:
        raise ValueError(
            _("par of game %(game)d is %(par)s here, but %(known)s in line %(line)d")
            % {"game": game, "par": par, "known": known, "line": line_of_known}
        )
    return par


def _fault(line: int, what: str) -> str:
    """Return one line of the error message."""
    return _("line %(line)d: %(what)s") % {"line": line, "what": what}


def _listed(faults: list[str]) -> str:
    """Return the error message: all faults, or the first of very many."""
    more = len(faults) - MAX_FAULTS
    if more > 0:
        faults = [*faults[:MAX_FAULTS], _("and %(more)d more") % {"more": more}]
    return "\n".join(faults)


def _table(rows: _Rows, *, has_par: bool) -> Table:
    """Return the rows as columns in the order of t, with players and games numbered from 0."""
    whole = np.array(rows.whole, np.intp).reshape(-1, len(WHOLE_NUMBERS))
    order = np.argsort(whole[:, 0], kind="stable")
    whole = whole[order]
    names, players = np.unique(whole[:, 2:4], return_inverse=True)
    _games, game = np.unique(whole[:, 1], return_inverse=True)
    seats = players.reshape(-1, 2)
    results = Results.from_margins(
        seats[:, 0],
        seats[:, 1],
        game,
        whole[:, 4] - whole[:, 5],
        par=np.array(rows.par)[order] if has_par else None,
    )
    return Table(tuple(names.tolist()), results)
