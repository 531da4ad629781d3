"""The text notation of a whole match: reading and writing.

The head gives the ruleset, one field per line. The log follows after an empty line, one move per
line in the form of `games.engine.moves`. ``#`` starts a comment that runs to the end of the line::

    players 2
    target 121
    counting auto
    muggins no
    games 1
    skunks yes
    double_skunk 3
    first_dealer -

    - cut 5H KD
    - deal 4H3D3H2S3S5C 3C2D4S4CKSAH
    0 discard 3D2S
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import chain

from games.engine.faults import EngineError
from games.engine.illegal import IllegalMove
from games.engine.moves import Move, MoveError, parse_move, to_text
from games.engine.rules import apply, start
from games.engine.state import Ruleset, RulesetError, State

_WORDS = {True: "yes", False: "no", None: "-"}
_VALUES = {"yes": True, "no": False, "-": None}


class NotationError(EngineError, ValueError):
    """A line that cannot be read.

    Attributes:
        line: the number of the line, from 1.
    """

    def __init__(self, line: int, key: str, **params: object) -> None:
        super().__init__(key, **params)
        self.line = line

    def __str__(self) -> str:
        """Return the line and the detail."""
        return f"line {self.line}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Transcript:
    """A match read from text.

    Attributes:
        ruleset: the rules in the head.
        moves: the legal moves before the first error.
        state: the state after ``moves``.
        error: why reading stopped early; None if the whole text was read.
    """

    ruleset: Ruleset
    moves: tuple[Move, ...]
    state: State
    error: NotationError | None


def write_match(ruleset: Ruleset, moves: Iterable[Move]) -> str:
    """Return the match as text; `read_match` is the inverse."""
    return "\n".join(chain(head(ruleset), [""], map(to_text, moves), [""]))


def head(ruleset: Ruleset) -> list[str]:
    """Return the lines of the head."""
    return [f"{name} {_word(value)}" for name, value in ruleset.to_dict().items()]


def read_match(text: str) -> Transcript:
    """Return the match written in ``text``, up to the first error.

    Raises:
        NotationError: if the head is invalid; without a ruleset no move can be read.
    """
    lines = _lines(text)
    ruleset = _read_head(lines)
    state = start(ruleset)
    moves: list[Move] = []
    for number, line in lines:
        if not line:
            continue
        try:
            move = parse_move(line)
            state = apply(state, move).state
        except (MoveError, IllegalMove) as cause:
            error = NotationError(number, cause.key, **cause.params)
            return Transcript(ruleset, tuple(moves), state, error)
        moves.append(move)
    return Transcript(ruleset, tuple(moves), state, None)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield numbered lines without comments; lines that hold only a comment are skipped."""
    for number, line in enumerate(text.split("\n"), start=1):
        kept, mark, _ = line.partition("#")
        if not (mark and not kept.strip()):
            yield number, kept.strip()


def _read_head(lines: Iterator[tuple[int, str]]) -> Ruleset:
    """Consume the head of ``lines`` and the empty line after it; return its ruleset."""
    values: dict[str, object] = {}
    number = 1
    for number, line in lines:
        if not line and values:
            break
        if line:
            name, _, word = line.partition(" ")
            if name not in _FIELDS or name in values:
                expected = ", ".join(sorted(_FIELDS - set(values)))
                raise NotationError(number, "bad_head", found=repr(name[:40]), allowed=expected)
            found = [_value(each) for each in word.split()]
            values[name] = found if name == "scores" else _value(word.strip())
    try:
        return Ruleset.from_dict(values)
    except RulesetError as cause:
        raise NotationError(number, cause.key, **cause.params) from cause


_FIELDS = frozenset(item.name for item in fields(Ruleset))


def _word(value: str | int | list[int] | None) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return _WORDS[value] if value is None or isinstance(value, bool) else str(value)


def _value(word: str) -> object:
    if word in _VALUES:
        return _VALUES[word]
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 3 else word
