"""Random hostile messages for `benchmarks.fuzz`, such as no honest client sends.

Most start as a message that is valid at the time, and then have one defect.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import orjson

from games.engine.cards import NAMES, PACK
from games.engine.moves import Claim, Decision, Discard, Muggins, Pass, Play, Resign, to_text
from games.engine.rules import chance, legal, legal_moves, waiting
from games.engine.state import State
from games.wire.protocol import MAX_FRAME, MESSAGES
from tests.support.positions import chance_move

Message = dict[str, Any]

TYPES = tuple(message.type for message in MESSAGES)
FIELDS = ("cards", "card", "claim", "points", "v", "seat", "level")
HUGE = (
    "99999999999999999999999999", "-1", "-9223372036854775809", "18446744073709551616", "1e400",
    "1e308", "-0.0", "100", "2147483648", "0.1", "1" * 400, "NaN", "Infinity",
)  # fmt: skip
ODD_SEATS = (-1, 2, 3, 99, 2**63)
ODD_TEXTS = (
    "", "5H", "5h", "H5", "10H", "5H5H", "\0", "\u202e", "\u2665", "\ud800", "0", "None", "{}",
    "../x", "'; --", "a" * 41, "\U0001f0a1", "5\u0048",
)  # fmt: skip
OWN_PHASE = 0.7
"""Probability that a message starts as one that is legal now."""


def hostile(kind: str, state: State, rng: random.Random) -> tuple[str, int]:
    """Return the text of a message, and the seat of its connection."""
    seat = rng.randrange(state.ruleset.players)
    acting = waiting(state)
    if acting and rng.random() < OWN_PHASE:
        seat = rng.choice(acting)
    return _MAKERS[kind](state, seat, rng)


def _legal(state: State, seat: int, rng: random.Random) -> Message:
    """Return a message that ``seat`` may send now, or any message if there is none."""
    options = legal(state, seat)
    moves = list(legal_moves(state, seat))
    if not moves or (options.action == "wait" and rng.random() < 0.5):
        return _any(rng)
    return _message(rng.choice(moves), rng)


def _message(move: Decision, rng: random.Random) -> Message:
    """Return the message for a move."""
    kind, data = _words(move)
    return {"t": kind, "d": data, "id": f"f-{rng.randrange(10**6)}"}


def _words(move: Decision) -> tuple[str, Message]:
    match move:
        case Discard(_, cards):
            return "discard", {"cards": [NAMES[card] for card in cards]}
        case Play(_, card, claim):
            return "play", {"card": NAMES[card], "claim": claim}
        case Claim(_, points):
            return "claim", {"points": points}
        case Muggins(_, points):
            return "muggins", {"points": points}
        case Pass():
            return "pass", {}
        case Resign():
            return "resign", {}


def _any(rng: random.Random) -> Message:
    """Return a message of a random type with all possible fields, each valid."""
    # Resign rarely: otherwise most matches of two would end so.
    kind = rng.choice([kind for kind in TYPES if kind != "resign" or rng.random() < 0.05])
    data: Message = {
        "cards": [NAMES[card] for card in rng.sample(PACK, rng.choice((1, 2)))],
        "card": rng.choice(NAMES),
        "points": rng.randrange(100),
        "v": rng.randrange(200),
        "seat": rng.randrange(3),
        "level": "walter",
    }
    if rng.random() < 0.5:
        data["claim"] = rng.randrange(100)
    return {"t": kind, "d": data, "id": f"f-{rng.randrange(10**6)}"}


def _value(rng: random.Random, depth: int = 0) -> Any:
    """Return any JSON value."""
    kind = rng.randrange(8 if depth < 3 else 6)
    if kind == 6:
        return [_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind == 7:
        return {rng.choice(FIELDS): _value(rng, depth + 1) for _ in range(rng.randrange(4))}
    return (
        None,
        rng.random() < 0.5,
        rng.randrange(-3, 120),
        rng.uniform(-1e9, 1e9),
        rng.choice([text for text in ODD_TEXTS if "\ud800" not in text]),
        rng.choice(NAMES),
    )[kind]


def _text(message: Any) -> str:
    return orjson.dumps(message).decode()


def legal_message(state: State, seat: int, rng: random.Random) -> tuple[str, int]:
    """Return a legal message, so that matches advance."""
    return _text(_legal(state, seat, rng)), seat


def wrong_seat(state: State, seat: int, rng: random.Random) -> tuple[str, int]:
    """Return a message that is legal for one seat, from another seat or one that does not exist."""
    others = [at for at in range(state.ruleset.players) if at != seat]
    return _text(_legal(state, seat, rng)), rng.choice((*others, *ODD_SEATS))


def wrong_cards(state: State, seat: int, rng: random.Random) -> tuple[str, int]:
    """Return a move of this phase with any cards: those of others, of the pack, or duplicates."""
    message = _legal(state, seat, rng)
    data = message["d"]
    if "card" in data:
        data["card"] = rng.choice(NAMES)
    if "cards" in data:
        data["cards"] = [rng.choice(NAMES) for _ in range(rng.choice((1, 2, 2, 2, 3)))]
    return _text(message), seat


def wrong_phase(_: State, seat: int, rng: random.Random) -> tuple[str, int]:
    """Return a message of any type, in any phase."""
    return _text(_any(rng)), seat


def wrong_types(state: State, seat: int, rng: random.Random) -> tuple[str, int]:
    """Return a message with a field, or as a whole, of another type."""
    message = _legal(state, seat, rng)
    place = rng.randrange(5)
    if place == 0:
        return _text(_value(rng)), seat
    if place == 1:
        message[rng.choice(("t", "d", "id"))] = _value(rng)
    elif place == 2:
        message.pop(rng.choice(("t", "d", "id")))
    else:
        data = message["d"]
        data[rng.choice([*data] or [*FIELDS])] = _value(rng)
    return _text(message), seat


def huge_numbers(state: State, seat: int, rng: random.Random) -> tuple[str, int]:
    """Return a message with a number out of range."""
    message = _legal(state, seat, rng) if rng.random() < OWN_PHASE else _any(rng)
    data = message["d"]
    numbers = [key for key in data if key in {"claim", "points", "v", "seat"}] or ["claim"]
    data[rng.choice(numbers)] = "@"
    return _text(message).replace('"@"', rng.choice(HUGE)), seat


def corrupted_bytes(state: State, seat: int, rng: random.Random) -> tuple[str, int]:
    """Return a message with some bytes changed, which may no longer be UTF-8."""
    raw = bytearray(_text(_legal(state, seat, rng)).encode())
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(raw))
        match rng.randrange(4):
            case 0:
                raw[at] ^= 1 << rng.randrange(8)
            case 1:
                raw[at:at] = rng.choice((b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\0", b"\\u"))
            case 2:
                del raw[at:]
            case _:
                raw[at:at] = raw[: rng.randrange(len(raw))]
        if not raw:
            break
    return raw.decode(errors=rng.choice(("surrogateescape", "replace"))), seat


def deep(state: State, seat: int, rng: random.Random) -> tuple[str, int]:
    """Return a message with deeply nested lists or objects, closed or not."""
    depth = rng.choice((3, 50, 500, 1000, 1100, MAX_FRAME // 2, MAX_FRAME, 20 * MAX_FRAME))
    left, right = rng.choice((("[", "]"), ('{"d":', "}"), ('[{"a":', "}]")))
    nest = left * depth + "1" + (right * depth if rng.random() < 0.8 else "")
    if rng.random() < 0.3:
        return nest, seat
    message = _legal(state, seat, rng)
    message["d"][rng.choice(FIELDS)] = "@"
    return _text(message).replace('"@"', nest), seat


def odd_texts(state: State, seat: int, rng: random.Random) -> tuple[str, int]:
    """Return a message with an odd text for a card, name, type or id, escaped or not."""
    message = _legal(state, seat, rng) if rng.random() < OWN_PHASE else _any(rng)
    odd = rng.choice(ODD_TEXTS)
    if rng.random() < 0.5:
        message["d"][rng.choice(FIELDS)] = rng.choice(("@", ["@", "@"]))
    else:
        message[rng.choice(("t", "id", "x"))] = "@"
    escaped = "".join(f"\\u{ord(one):04x}" for one in odd if ord(one) < 0x10000)
    return _text(message).replace("@", rng.choice((odd, escaped))), seat


def noise(_: State, seat: int, rng: random.Random) -> tuple[str, int]:
    """Return random characters, up to more than the maximum frame."""
    size = rng.choice((0, 1, 8, 60, 60, 60, MAX_FRAME + 1))
    return "".join(
        chr(rng.choice((rng.randrange(128), rng.randrange(0x110000)))) for _ in range(size)
    ), seat


def log_line(state: State, seat: int, rng: random.Random) -> tuple[str, int]:
    """Return a line of a log, deal or decision, valid or not."""
    if chance(state) and rng.random() < 0.5:
        line = to_text(chance_move(state, rng))
    else:
        moves = [*legal_moves(state, seat)] or [Discard(seat, tuple(PACK[:2])), Pass(seat)]
        line = to_text(Resign(seat) if rng.random() < 0.01 else rng.choice(moves))
    words = line.split(" ")
    if rng.random() < 0.7:
        words[rng.randrange(len(words))] = rng.choice(
            (*NAMES, *ODD_TEXTS, *HUGE, "-", "--", "deal")
        )
    return " ".join(words), seat


_MAKERS: dict[str, Callable[[State, int, random.Random], tuple[str, int]]] = {
    "as it should": legal_message,
    "wrong seat": wrong_seat,
    "wrong cards": wrong_cards,
    "wrong phase": wrong_phase,
    "wrong types": wrong_types,
    "huge numbers": huge_numbers,
    "spoiled bytes": corrupted_bytes,
    "deep": deep,
    "odd texts": odd_texts,
    "noise": noise,
    "log line": log_line,
}

KINDS = tuple(_MAKERS)
"""The kinds of hostile messages."""
