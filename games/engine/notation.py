"""A whole match as text, both ways.

A head names the ruleset, one field a line; after an empty line comes the log, one move a line in
the form of `games.engine.moves`. ``#`` starts a comment that ends with its line::

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

from games.engine.illegal import IllegalMove
from games.engine.moves import Move, MoveError, parse_move, to_text
from games.engine.rules import apply, start
from games.engine.state import Ruleset, RulesetError, State

_WORDS = {True: "yes", False: "no", None: "-"}
_VALUES = {"yes": True, "no": False, "-": None}


class NotationError(ValueError):
    """A line that does not fit; the message has its number and the reason.

    Attributes:
        line: which line, from 1.
        reason: what is wrong with it.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Transcript:
    """A match read from text.

    Attributes:
        ruleset: the rules of the head.
        moves: the moves up to the first that does not fit; the rules allow them all.
        state: what they lead to.
        error: why reading stopped early, None when the whole text was read.
    """

    ruleset: Ruleset
    moves: tuple[Move, ...]
    state: State
    error: NotationError | None


def write_match(ruleset: Ruleset, moves: Iterable[Move]) -> str:
    """Return the match as text; `read_match` reads it back."""
    return "\n".join(chain(head(ruleset), [""], map(to_text, moves), [""]))


def head(ruleset: Ruleset) -> list[str]:
    """Return the lines of the head."""
    return [f"{name} {_word(value)}" for name, value in ruleset.to_dict().items()]


def read_match(text: str) -> Transcript:
    """Return the match that ``text`` writes, up to the first line that does not fit.

    Raises:
        NotationError: when the head does not fit; without rules there is nothing to keep.
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
            error = NotationError(number, str(cause))
            return Transcript(ruleset, tuple(moves), state, error)
        moves.append(move)
    return Transcript(ruleset, tuple(moves), state, None)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield numbered lines without their comments; a line that is only a comment is left out."""
    for number, line in enumerate(text.split("\n"), start=1):
        kept, mark, _ = line.partition("#")
        if not (mark and not kept.strip()):
            yield number, kept.strip()


def _read_head(lines: Iterator[tuple[int, str]]) -> Ruleset:
    """Take the head off ``lines``, with the empty line after it."""
    values: dict[str, object] = {}
    number = 1
    for number, line in lines:
        if not line and values:
            break
        if line:
            name, _, word = line.partition(" ")
            if name not in _FIELDS or name in values:
                expected = ", ".join(sorted(_FIELDS - set(values)))
                raise NotationError(number, f"{name[:40]!r} in the head; expected: {expected}")
            values[name] = _value(word.strip())
    try:
        return Ruleset.from_dict(values)
    except RulesetError as cause:
        raise NotationError(number, str(cause)) from cause


_FIELDS = frozenset(item.name for item in fields(Ruleset))


def _word(value: str | int | None) -> str:
    return _WORDS[value] if value is None or isinstance(value, bool) else str(value)


def _value(word: str) -> object:
    if word in _VALUES:
        return _VALUES[word]
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 3 else word
