"""The table of the newest measured figures in docs/scaling.md, from the files in docs/results.

    python -m benchmarks.newest     # `make bench` does this too

A row names a line that a benchmark prints, and the first line of the run that it belongs to. The
newest file that has both gives the figure; a row that no file has is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "docs" / "results"
PAGE = ROOT / "docs" / "scaling.md"
BEGIN = "<!-- newest figures: python -m benchmarks.newest -->"
END = "<!-- end of the newest figures -->"


@dataclass(frozen=True)
class Row:
    """A row of the table.

    Attributes:
        thing: what it says.
        line: how the line with the figure begins.
        run: a part of the first line of its run; "" if the line says enough.
    """

    thing: str
    line: str
    run: str = ""


_SOCKET = "CPU of the serving process, each socket"
_TERM, _KILL = "PostgreSQL, one process, SIGTERM", "PostgreSQL, one process, SIGKILL"
_EVENT_MOVE = "server: processor time a move, pages included"
ROWS = (
    Row("a move to two sockets, uvicorn", "uvicorn: a move, no match ends: server"),
    Row("a move to two sockets, Daphne", "daphne: a move, no match ends: server"),
    Row(
        "a beginning and an end of a match of two, uvicorn",
        "uvicorn: the same of matches resigned at once",
    ),
    Row(
        "a beginning and an end of a match of two, Daphne",
        "daphne: the same of matches resigned at once",
    ),
    Row(
        "a move with an end every 110 moves, as a multiple of one without, uvicorn",
        "P9 uvicorn: with such an end every 110 moves / without",
    ),
    Row("a socket that comes back after a restart, uvicorn", _SOCKET, f"uvicorn, {_TERM}"),
    Row("a socket that comes back after SIGKILL, Daphne", _SOCKET, f"daphne, {_KILL}"),
    Row(
        "failed attempts to come back after SIGKILL, Daphne", "failed attempts", f"daphne, {_KILL}"
    ),
    Row(
        "a move of live events, pages included, uvicorn",
        _EVENT_MOVE,
        "uvicorn, PostgreSQL, one worker",
    ),
    Row(
        "a move of live events, pages included, Daphne",
        _EVENT_MOVE,
        "daphne, PostgreSQL, one worker",
    ),
)
_FIGURE = re.compile(r"^(?P<name>.*?) {2,}(?P<value>[\d,]+\.\d+(?: [a-zA-Z/%]+)?)(?: {2,}.*)?$")


def runs(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the first line and the figures of each run in a file of results."""
    for block in re.findall(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        first, found = "", dict[str, str]()
        for line in block.splitlines():
            figure = _FIGURE.match(line)
            if figure is not None:
                found[figure["name"].strip()] = figure["value"].removesuffix(".00")
            elif found and not line.startswith("load "):
                yield first, found
                first, found = line, {}
            elif not found:
                first = first or line
        yield first, found


def newest(row: Row) -> tuple[str, str] | None:
    """Return a row's figures in the newest file that has any, and the file's name, or None."""
    for file in sorted(RESULTS.glob("*.md"), reverse=True):
        values = [
            figures[row.line]
            for first, figures in runs(file.read_text("utf-8"))
            if row.run in first and row.line in figures
        ]
        if values:
            return ", ".join(values), file.stem
    return None


def table() -> str:
    """Return the table, with the lines around it."""
    lines = [
        "| processor time, or number | each run of the file, in order | file |",
        "|---|---|---|",
    ]
    for row in ROWS:
        found = newest(row)
        if found is not None:
            value, file = found
            lines.append(f"| {row.thing} | {value} | [{file}](results/{file}.md) |")
    return "\n".join([BEGIN, "", *lines, "", END])


def main() -> None:
    """Write the table into the page."""
    page = PAGE.read_text("utf-8")
    before, _, rest = page.partition(BEGIN)
    PAGE.write_text(before + table() + rest.partition(END)[2], "utf-8")


if __name__ == "__main__":
    main()
