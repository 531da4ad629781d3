"""Golden playthroughs: whole matches as text, with the events of each move as comments.

The files pin how the rules interpret a log: logs outlive many versions of the code, so a file
changes only when the rules are meant to change. ``python -m tests.support.playthroughs`` writes
missing files.
"""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import count
from pathlib import Path
from typing import Any

from games.engine.cards import NAMES, card_names
from games.engine.events import Counted, CountEnded, Event, GameWon, Heels, Mugged, Played, Resigned
from games.engine.moves import Move, Resign, to_text
from games.engine.rules import steps
from games.engine.state import Ruleset
from tests.support.notation import head
from tests.support.positions import random_moves

FOLDER = Path(__file__).resolve().parents[1] / "engine" / "playthroughs"
TWO, THREE = Ruleset(target=61), Ruleset(players=3, target=61)
MUGGINS_TWO = Ruleset(target=61, counting="manual", muggins=True)
MUGGINS_THREE = Ruleset(players=3, target=61, counting="manual", muggins=True)

PLAYTHROUGHS: dict[str, tuple[Ruleset, str]] = {
    **{
        f"{players}_{ending}": (ruleset, ending)
        for players, ruleset in (("two", TWO), ("three", THREE))
        for ending in ("heels", "card", "go", "last_card", "hand", "crib")
    },
    "two_muggins": (MUGGINS_TWO, "muggins"),
    "three_muggins": (MUGGINS_THREE, "muggins"),
    "two_resign": (TWO, "resign"),
    "two_match_of_three_to_121": (Ruleset(games=3), "hand"),
    "three_match_of_two_to_121": (Ruleset(players=3, games=2), "hand"),
}
"""File name -> the rules, and how the last game ends."""


def render(ruleset: Ruleset, moves: Iterable[Move]) -> str:
    """Return the match as text, with the events after each move as comments."""
    moves = list(moves)
    lines = [*head(ruleset), ""]
    for move, step in zip(moves, steps(ruleset, moves), strict=True):
        lines.append(to_text(move))
        lines += [f"#   {description(event)}" for event in step.events]
    return "\n".join([*lines, ""])


def description(event: Event) -> str:
    """Return an event as one line: its name and its fields."""
    names = [item.name for item in fields(event)]
    if isinstance(event, Counted):
        names[names.index("starter")] = "parts"
    values = (_field(name, getattr(event, name)) for name in names)
    return " ".join([type(event).__name__, *values])


def _field(name: str, value: Any) -> str:
    match name:
        case "card":
            return str(NAMES[value])
        case "cards":
            return " ".join("--" if card is None else NAMES[card] for card in value)
        case "parts":
            parts = (f"{part.kind} {card_names(part.cards)} {part.points}" for part in value)
            return f"[{', '.join(parts)}]"
        case _:
            return f"{name}={str(value).replace(' ', '')}"


def ending(events: Iterable[Event]) -> str:
    """Return how the last game that these events end was won."""
    how = ""
    last: Event | None = None
    for event in events:
        if isinstance(event, GameWon | Resigned):
            how = _how(last if isinstance(event, GameWon) else event)
        last = event
    return how


def _how(event: Event | None) -> str:
    match event:
        case Heels():
            return "heels"
        case Played():
            return "card"
        case CountEnded(reason=reason):
            return reason
        case Counted(item=item):
            return item
        case Mugged():
            return "muggins"
        case _:
            return "resign"


def found(ruleset: Ruleset, wanted: str) -> list[Move]:
    """Return the first random match that ends as wanted."""
    for seed in count(1):
        moves = random_moves(ruleset, seed)
        if wanted == "resign":
            return [*moves[: len(moves) // 2], Resign(1)]
        if ending(_events(ruleset, moves)) == wanted:
            return moves
    raise AssertionError


def _events(ruleset: Ruleset, moves: list[Move]) -> Iterator[Event]:
    for step in steps(ruleset, moves):
        yield from step.events


def write_missing() -> None:
    """Write the missing files."""
    FOLDER.mkdir(exist_ok=True)
    for name, (ruleset, wanted) in PLAYTHROUGHS.items():
        file = FOLDER / f"{name}.txt"
        if not file.exists():
            file.write_text(render(ruleset, found(ruleset, wanted)))


if __name__ == "__main__":
    write_missing()
