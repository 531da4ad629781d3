"""Whole matches as text, as the files of golden playthroughs have them.

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

from games.engine.moves import Move, parse_move
from games.engine.state import Ruleset

_WORDS = {True: "yes", False: "no", None: "-"}
_VALUES = {"yes": True, "no": False, "-": None}


def head(ruleset: Ruleset) -> list[str]:
    """Return the lines of the head."""
    return [
        f"{name} {_WORDS[value] if value is None or isinstance(value, bool) else value}"
        for name, value in ruleset.to_dict().items()
    ]


def read_match(text: str) -> tuple[Ruleset, list[Move]]:
    """Return the ruleset and the moves of a match written in ``text``."""
    rules, _, log = text.partition("\n\n")
    values: dict[str, object] = {}
    for line in rules.splitlines():
        name, word = line.split()
        values[name] = _VALUES[word] if word in _VALUES else int(word) if word.isdigit() else word
    kept = (line.partition("#")[0].strip() for line in log.splitlines())
    return Ruleset.from_dict(values), [parse_move(line) for line in kept if line]
