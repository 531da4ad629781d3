"""Moves: what a seat decides and what chance brings, each with a one-line text.

The text is the form of the log, ``seat kind cards``, with ``-`` for chance::

    - cut 5H KD            - deal 4H3D3H2S3S5C 3C2D4S4CKSAH      - starter KC
    0 discard 3D2S         1 play AH         1 play AH 2 (two points claimed)
    0 claim 12             1 muggins 2       1 pass              0 resign

With three players a deal ends with the card dealt to the crib; a seat that does not cut has ``--``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games.engine.cards import NAMES, Card, CardError, card_names, parse_card, parse_cards


class MoveError(ValueError):
    """A text that is no move; the message quotes it."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Chance: the cut for deal, one card for each seat; None for a seat that does not cut."""

    cards: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """Chance: each seat's cards in the order received; with three players one for the crib."""

    hands: tuple[tuple[Card, ...], ...]
    crib_card: Card | None = None


@dataclass(frozen=True, slots=True)
class Starter:
    """Chance: the card cut after everybody has discarded."""

    card: Card


@dataclass(frozen=True, slots=True)
class Discard:
    """A seat lays cards away to the crib: two of two players, one of three."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """A seat plays a card; with manual counting it claims the points of the card, else None."""

    seat: int
    card: Card
    claim: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """Manual counting: a seat says what the hand or crib being counted is worth."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Muggins:
    """A seat names points that the last claim left out."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Pass:
    """A seat lets the last claim at the show stand."""

    seat: int


@dataclass(frozen=True, slots=True)
class Resign:
    """A seat of two gives the match up."""

    seat: int


Decision = Discard | Play | Claim | Muggins | Pass | Resign
Chance = Cut | Deal | Starter
Move = Decision | Chance


def to_text(move: Move) -> str:
    """Return the log's text of ``move``; `parse_move` reads it back."""
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
    """Return the move that ``text`` writes. Whether it is legal is for the rules to say.

    Raises:
        MoveError: when it is no move; the message quotes the text.
    """
    words = text.split()
    try:
        who, kind, rest = words[0], words[1], words[2:]
        if who == "-":
            return _CHANCE[kind](rest)
        return _DECISIONS[kind](_number(who), rest)
    except (CardError, ValueError, KeyError, IndexError) as cause:
        shown = text if len(text) <= 60 else text[:60] + "..."
        reason = cause if isinstance(cause, CardError) else "seat, kind and cards are expected"
        raise MoveError(f"not a move: {shown!r}: {reason}") from cause


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
