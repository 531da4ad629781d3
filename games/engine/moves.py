"""Moves: a seat's decisions and chance moves, each with a one-line text form.

The log stores the text, ``seat kind cards``, with ``-`` in place of the seat for chance::

    - cut 5H KD            - deal 4H3D3H2S3S5C 3C2D4S4CKSAH      - starter KC
    0 discard 3D2S         1 play AH         1 play AH 2 (two points claimed)
    0 claim 12             1 muggins 2       1 pass              0 resign

With three players, a deal ends with the crib card; a seat that does not cut is written ``--``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games.engine.cards import NAMES, Card, CardError, card_names, parse_card, parse_cards
from games.engine.faults import EngineError


class MoveError(EngineError, ValueError):
    """Text that is not a move; ``found`` quotes it."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Chance: the cut for deal, one card for each seat; None for a seat that does not cut."""

    cards: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """Chance: each seat's cards in the order received, plus the crib card with three players."""

    hands: tuple[tuple[Card, ...], ...]
    crib_card: Card | None = None


@dataclass(frozen=True, slots=True)
class Starter:
    """Chance: the card cut after all seats have discarded."""

    card: Card


@dataclass(frozen=True, slots=True)
class Discard:
    """A seat discards to the crib: two cards with two players, one with three."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """A seat plays a card; ``claim`` is its points under manual counting, otherwise None."""

    seat: int
    card: Card
    claim: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """Manual counting: a seat claims points for the hand or crib being counted."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Muggins:
    """A seat calls muggins: it claims points that the last claim missed."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Pass:
    """A seat accepts the last claim at the show."""

    seat: int


@dataclass(frozen=True, slots=True)
class Resign:
    """A seat resigns the match (two players only)."""

    seat: int


Decision = Discard | Play | Claim | Muggins | Pass | Resign
Chance = Cut | Deal | Starter
Move = Decision | Chance


def to_text(move: Move) -> str:
    """Return the text of ``move`` for the log; `parse_move` is the inverse."""
    match move:
        case Cut(cards):
            return "- cut " + " ".join("--" if card is None else NAMES[card] for card in cards)
        case Deal(hands, crib_card):
            words = [card_names(hand) for hand in hands]
            if crib_card is not None:
                words.append(NAMES[crib_card])
            return "- deal " + " ".join(words)
        case Starter(card):
            return f"- starter {NAMES[card]}"
        case Discard(seat, cards):
            return f"{seat} discard {card_names(cards)}"
        case Play(seat, card, None):
            return f"{seat} play {NAMES[card]}"
        case Play(seat, card, claim):
            return f"{seat} play {NAMES[card]} {claim}"
        case _:
            return _plain_text(move)


def _plain_text(move: Claim | Muggins | Pass | Resign) -> str:
    match move:
        case Claim(seat, points):
            return f"{seat} claim {points}"
        case Muggins(seat, points):
            return f"{seat} muggins {points}"
        case Pass(seat):
            return f"{seat} pass"
        case Resign(seat):
            return f"{seat} resign"


def parse_move(text: str) -> Move:
    """Return the move written in ``text``; its legality is not checked.

    Raises:
        MoveError: if ``text`` is not a move; the message quotes it.
    """
    words = text.split()
    try:
        actor, kind, rest = words[0], words[1], words[2:]
        if actor == "-":
            return _CHANCE[kind](rest)
        return _DECISIONS[kind](_number(actor), rest)
    except (CardError, ValueError, KeyError, IndexError) as cause:
        shown = text if len(text) <= 60 else text[:60] + "..."
        if isinstance(cause, CardError):
            card = cause.params["found"]
            raise MoveError("no_move.card", found=repr(shown), card=card) from cause
        raise MoveError("no_move", found=repr(shown)) from cause


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 3):
        raise ValueError(word)
    return int(word)


def _one(words: list[str]) -> str:
    (word,) = words
    return word


def _none(words: list[str]) -> None:
    if words:
        raise ValueError(words)


def _parse_cut(words: list[str]) -> Cut:
    return Cut(tuple(None if word == "--" else parse_card(word) for word in words))


def _parse_deal(words: list[str]) -> Deal:
    groups = [parse_cards(word) for word in words]
    if len(groups[-1]) == 1:
        return Deal(tuple(groups[:-1]), groups[-1][0])
    return Deal(tuple(groups))


def _parse_play(seat: int, words: list[str]) -> Play:
    if len(words) == 2:
        return Play(seat, parse_card(words[0]), _number(words[1]))
    return Play(seat, parse_card(_one(words)))


def _parse_pass(seat: int, words: list[str]) -> Pass:
    _none(words)
    return Pass(seat)


def _parse_resign(seat: int, words: list[str]) -> Resign:
    _none(words)
    return Resign(seat)


_CHANCE: dict[str, Callable[[list[str]], Chance]] = {
    "cut": _parse_cut,
    "deal": _parse_deal,
    "starter": lambda words: Starter(parse_card(_one(words))),
}

_DECISIONS: dict[str, Callable[[int, list[str]], Decision]] = {
    "discard": lambda seat, words: Discard(seat, parse_cards(_one(words))),
    "play": _parse_play,
    "claim": lambda seat, words: Claim(seat, _number(_one(words))),
    "muggins": lambda seat, words: Muggins(seat, _number(_one(words))),
    "pass": _parse_pass,
    "resign": _parse_resign,
}
