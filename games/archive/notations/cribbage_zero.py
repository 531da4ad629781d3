"""The PGN of cribbage-zero (github.com/derpy-pug/cribbage-zero), for two players.

Tags as in chess, then a round for each deal. Players 1 and 2 keep their numbers when the deal
changes hands; player 1 deals first::

    [FirstDealer "Staples"]
    [FirstPone "Stanley"]
    [Result "1-0"]

    1.
      H1 3D 9S TC TH TD JH  D1 3D TD  S1 15
      H2 AD AS 4C 8C 9H QS  D2 8C 9H  S2 8
      SC 5
      C 5H
      P 4C TH AD TC AS | JH QS 9S
      SP 0 0 2 0 1 0 0 1

``H1`` is the hand of player 1, ``D1`` the discard, ``C`` the starter, ``P`` the cards played with
``|`` where a new count starts. ``S1``, ``S2``, ``SC``, ``SH`` and ``SP`` are the points of the
hands, the crib, his heels and each card played; any may be left out, and those given are compared
with the cards. The result is compared only if the cards finish the game: the program leaves out
the last round of a game that is won in the play, and has versions that leave out the ``|`` of an
early count and the point for the last card.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from games.archive.notations.written_game import (
    NotationError,
    WrittenGame,
    filled_lines,
    holder,
    names,
    reading_hand,
    unexpected,
)
from games.engine.cards import NAMES, PIPS, Card, CardError, parse_cards
from games.engine.faults import quoted
from games.engine.record import GameRecord, RecordError, read_record
from games.engine.record_check import write_hand
from games.engine.scoring import count_hand
from games.engine.state import Hand, Phase

_ROUND = re.compile(r"(\d{1,6})\.")
_PARTS = ("H1", "H2", "D1", "D2", "C", "P", "S1", "S2", "SC", "SP", "SH")
_BAR = "|"
_DATE = re.compile(r"(\d{4})[.-](\d{2})[.-](\d{2})")
_WINNERS = {"1-0": 0, "0-1": 1}


@dataclass(slots=True)
class _Round:
    """A round: the words after each part, with their lines."""

    line: int
    words: dict[str, list[tuple[int, str]]] = field(default_factory=dict)


@dataclass(slots=True)
class _Game:
    """A game of a file: its tags in small letters, and its rounds."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    rounds: list[_Round] = field(default_factory=list)


def is_cribbage_zero(text: str) -> bool:
    """Return whether a file starts with a tag or a round."""
    first = next(filled_lines(text), (1, ""))[1]
    return _tag(first) is not None or bool(first and _ROUND.fullmatch(first.split()[0]))


def read_cribbage_zero(text: str) -> Iterator[WrittenGame]:
    """Yield the games of a file.

    Raises:
        NotationError: if it is malformed, or its points are not those of its cards.
    """
    return (_read(game) for game in _games(text) if game.rounds)


def _games(text: str) -> Iterator[_Game]:
    game: _Game | None = None
    for number, line in filled_lines(text):
        tag = _tag(line)
        if game is None or (tag and game.rounds):
            if game is not None:
                yield game
            game = _Game(number)
        if tag:
            game.tags[tag[0]] = tag[1]
        else:
            _add_line(game, line, number)
    if game is not None:
        yield game


def _tag(line: str) -> tuple[str, str] | None:
    """Return the name of a tag, in small letters, and its value; None if the line is no tag."""
    if not (line.startswith("[") and line.endswith("]")):
        return None
    name, _, value = line[1:-1].strip().partition(" ")
    value = value.strip()
    if not (name.isalnum() and value.startswith('"')):
        return None
    return name.lower(), value.strip('"').strip()


def _add_line(game: _Game, line: str, number: int) -> None:
    words = line.split()
    if found := _ROUND.fullmatch(words[0]):
        expected = len(game.rounds) + 1
        if int(found[1]) != expected:
            raise unexpected(words[0], str(expected), number)
        game.rounds.append(_Round(number))
        words = words[1:]
    elif not game.rounds:
        raise unexpected(words[0], "[FirstDealer], 1", number)
    part = ""
    parts = game.rounds[-1].words
    for word in words:
        if word in _PARTS:
            part = word
            if part in parts:
                raise unexpected(word, _listed(set(_PARTS) - set(parts)), number)
            parts[part] = []
        elif part:
            parts[part].append((number, word))
        else:
            raise unexpected(word, _listed(_PARTS), number)


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(sorted(parts, key=_PARTS.index))


def _read(game: _Game) -> WrittenGame:
    lines = tuple(each.line for each in game.rounds)
    data: dict[str, Any] = {
        "players": 2,
        "target": 121,
        "first_dealer": 0,
        "seats": [{"name": game.tags.get(tag)} for tag in ("firstdealer", "firstpone")],
        "hands": _hands(game.rounds),
    }
    if date := _DATE.fullmatch(game.tags.get("date", "")):
        data["started_at"] = "-".join(date.groups())
    try:
        record = read_record(data)
    except RecordError:
        return WrittenGame(game.line, data, lines)  # importing it reports the error
    for each, hand in zip(game.rounds, _all_hands(record), strict=True):
        with reading_hand(hand.number):
            _compare(each, hand)
    if record.state.phase is Phase.OVER:
        data["winner"] = _WINNERS.get(game.tags.get("result", ""))
    return WrittenGame(game.line, data, lines)


def _all_hands(record: GameRecord) -> tuple[Hand, ...]:
    state = record.state
    return state.hands if state.hand is None else (*state.hands, state.hand)


def _hands(rounds: list[_Round]) -> list[dict[str, Any]]:
    hands = []
    for number, each in enumerate(rounds, start=1):
        with reading_hand(number):
            hands.append(_hand(each, (number - 1) % 2))
    return hands


def _hand(each: _Round, dealer: int) -> dict[str, Any]:
    dealt = [_cards(each, part) for part in ("H1", "H2")]
    for seat, cards in enumerate(dealt):
        if not cards:
            raise NotationError("missing", each.line, place=f"dealt[{seat}]")
    held = [frozenset(cards) for cards in dealt]  # a damaged file may have hands of any size
    starter = _cards(each, "C")
    if len(starter) > 1:
        line, word = each.words["C"][:2][-1]
        raise unexpected(word, _listed(_PARTS), line)
    return {
        "dealer": dealer,
        "dealt": [names(cards) for cards in dealt],
        "crib_card": None,
        "discards": [names(_cards(each, part)) for part in ("D1", "D2")],
        "starter": NAMES[starter[0]] if starter else None,
        "plays": [
            [holder(held, card, line), NAMES[card]]
            for line, word in each.words.get("P", [])
            if word != _BAR
            for card in _parsed(word, line)
        ],
    }


def _cards(each: _Round, part: str) -> list[Card]:
    words = each.words.get(part, [])
    return [card for line, word in words for card in _parsed(word, line)]


def _parsed(word: str, line: int) -> tuple[Card, ...]:
    """Return the cards of a word, which need no spaces between them."""
    try:
        return parse_cards(word)
    except CardError as cause:
        raise NotationError(cause.key, line, **cause.params) from cause


def _compare(each: _Round, hand: Hand) -> None:
    """Compare the points and the new counts of a round with its cards."""
    written = write_hand(hand)
    expected = {"SH": written["heels"]}
    if hand.starter is not None:
        expected["S1"] = count_hand(hand.kept(0), hand.starter)
        expected["S2"] = count_hand(hand.kept(1), hand.starter)
        expected["SC"] = count_hand(hand.crib, hand.starter, True)
    for part in ("S1", "S2", "SC", "SH"):
        for found, line in _points(each, part):
            if found != expected.get(part):
                raise _differs(part, found, expected.get(part), line)
    plays = [(count, points + go) for _, _, count, points, go in written["plays"]]
    _compare_plays(each, [points for _, points in plays])
    _compare_bars(each, hand, [count for count, _ in plays])


def _compare_plays(each: _Round, expected: list[int]) -> None:
    for at, (found, line) in enumerate(_points(each, "SP")):
        points = expected[at] if at < len(expected) else None
        without_last = at == 7 and points is not None and found == points - 1
        if found != points and not without_last:
            raise _differs(f"SP {at + 1}", found, points, line)


def _compare_bars(each: _Round, hand: Hand, counts: list[int]) -> None:
    at = 0
    for line, word in each.words.get("P", []):
        if word != _BAR:
            at += len(_parsed(word, line))
        elif 0 < at < len(counts) and counts[at] != PIPS[hand.plays[at][1]]:
            raise NotationError("no_new_count", line, number=at + 1, count=counts[at - 1])


def _points(each: _Round, part: str) -> Iterator[tuple[int, int]]:
    for line, word in each.words.get(part, []):
        if not (word.isascii() and word.isdigit() and len(word) <= 3):
            raise unexpected(word, "0–29", line)
        yield int(word), line


def _differs(part: str, found: int, expected: int | None, line: int) -> NotationError:
    if expected is None:
        return NotationError("differs.surplus", line, place=part, found=quoted(found))
    params = {"found": quoted(found), "expected": quoted(expected)}
    return NotationError("differs", line, place=part, **params)
