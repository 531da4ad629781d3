"""HALSCRIB's "PGN for Cribbage" (home.mountaincable.net/~halscrib/pgn.htm), for two players.

A proposal of the author of the program HALSCRIB for writing a game down at the table: player A's
suits are capitals, player B's are small letters. Each deal is a line with the starter, the cards
played in order, and the discards::

    Player A: Ann (UPPER CASE)
    Player B: Bob (lower case)
    Date: 26/11/30
    Muggins Game: N
    Deal  1:  5H  4d  9C  Kd  8C  ...

The dealer follows from who leads. The proposal has no place for cards that were not played, so
they are written in brackets at the end of the line: ``(5H 9c)``. Marks for missed points (``<2``),
penalties (``>2``), overcounts (``#2``) and violations (``R2``, ``r2``) are refused. Dates are not
read: the proposal allows two forms that look alike. Words after the cards are remarks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.archive.notations.written_game import (
    NotationError,
    WrittenGame,
    filled_lines,
    names,
    reading_hand,
    unexpected,
)
from games.engine.cards import NAMES, Card, parse_card
from games.engine.faults import quoted
from games.engine.state import Ruleset

_PLAYER = re.compile(r"player\s+([ab])\s*:(.*)", re.IGNORECASE)
_CASE = re.compile(r"\(\s*(?:upper|lower)\s+case\s*\)\s*$", re.IGNORECASE)
_ABOUT = re.compile(r"(?:date|event|muggins game)\s*:", re.IGNORECASE)
_DEAL = re.compile(r"deal\s*(\d{1,4})\s*:(.*)", re.IGNORECASE)
_TITLE = re.compile(r"(?:pgn|portable game notation) for\b", re.IGNORECASE)
_WORD = re.compile(r"[()\[\]]|[<>#]\d*|[^\s,_()\[\]<>#]+")
_CARD = re.compile(r"(?:10|[2-9ATJQK])[SHDC]", re.IGNORECASE | re.ASCII)
_MARK = re.compile(r"[<>#]\d*|[Rr]\d+")
_SCORE = re.compile(r"[\d:/.–-]+")
_WHOLE = 13
"""The cards of a deal that was played to its end: the starter, the play, and the discards."""
_THROWN = 4
_TARGET = 121


@dataclass(slots=True)
class _Deal:
    """The cards of a deal with the seats of their case, and those in brackets."""

    line: int
    cards: list[tuple[int, Card]] = field(default_factory=list)
    unplayed: list[tuple[int, Card]] = field(default_factory=list)


@dataclass(slots=True)
class _Game:
    """A game of a file."""

    line: int
    names: dict[int, str] = field(default_factory=dict)
    deals: list[_Deal] = field(default_factory=list)


def is_halscrib(text: str) -> bool:
    """Return whether a file starts with a line of this notation."""
    first = next(filled_lines(text), (1, ""))[1]
    return any(each.match(first) for each in (_PLAYER, _ABOUT, _DEAL, _TITLE))


def read_halscrib(text: str) -> Iterator[WrittenGame]:
    """Yield the games of a file.

    Raises:
        NotationError: if it is malformed, has marks, or a deal lacks cards.
    """
    return (_read(game) for game in _games(text) if game.deals)


def can_be_written(ruleset: Ruleset) -> bool:
    """Return whether this notation can hold games with these rules.

    They are for two players who claim no points. A file says neither the target nor the points at
    the start, so every game is from 0 to 121.
    """
    whole = ruleset.target == _TARGET and ruleset.scores is None
    return whole and ruleset.players == 2 and ruleset.counting == "auto"


def write_halscrib(record: dict[str, Any]) -> str:
    """Return a game that `can_be_written`, from its record, in this notation.

    A resignation cannot be written, nor can a last deal whose starter was not cut, nor a first one
    in which no card was played; all three are left out.
    """
    seats = record.get("seats") or [None, None]
    player_names = [seat["name"] if seat else "" for seat in seats]
    lines = [
        f"Player A: {player_names[0]} (UPPER CASE)",
        f"Player B: {player_names[1]} (lower case)",
    ]
    if started := record.get("started_at"):
        lines.append(f"Date: {started[2:10].replace('-', '/')} (yy/mm/dd)")
    lines.append("Muggins Game: N")
    first, *others = record["hands"]
    hands = [first] if first["plays"] else []
    hands += [hand for hand in others if hand["starter"] is not None]
    lines += [f"Deal {number:2}:  {_line(hand)}" for number, hand in enumerate(hands, start=1)]
    return "\n".join(lines) + "\n"


def _line(hand: dict[str, Any]) -> str:
    played = [_cased(card, seat) for seat, card, *_ in hand["plays"]]
    thrown = [_cased(card, seat) for seat in (0, 1) for card in hand["discards"][seat]]
    out = {card for _, card, *_ in hand["plays"]} | {
        card for cards in hand["discards"] for card in cards
    }
    left = [
        _cased(card, seat) for seat in (0, 1) for card in hand["dealt"][seat] if card not in out
    ]
    brackets = [f"({' '.join(left)})"] if left else []
    return "  ".join([hand["starter"], *played, *thrown, *brackets])


def _cased(card: str, seat: int) -> str:
    return card if seat == 0 else card[0] + card[1].lower()


def _games(text: str) -> Iterator[_Game]:
    game: _Game | None = None
    for number, line in filled_lines(text):
        player, deal = _PLAYER.match(line), _DEAL.match(line)
        if game is None or (game.deals and (player or (deal and int(deal[1]) == 1))):
            if game is not None:
                yield game
            game = _Game(number, {} if game is None or player else dict(game.names))
        if player:
            name = _CASE.sub("", player[2]).strip(" _\t")
            game.names["ab".index(player[1].lower())] = name
        elif deal:
            _add_deal(game, int(deal[1]), deal[2], number)
        elif not (_ABOUT.match(line) or _TITLE.match(line)):
            raise unexpected(line, "Player A, Player B, Deal 1", number)
    if game is not None:
        yield game


def _add_deal(game: _Game, number: int, words: str, line: int) -> None:
    if not words.strip(" _\t"):
        return  # a line of the printed form that was not needed
    expected = len(game.deals) + 1
    if number != expected:
        raise unexpected(f"Deal {number}", f"Deal {expected}", line)
    with reading_hand(number):
        game.deals.append(_deal(words, line))


def _deal(words: str, line: int) -> _Deal:
    deal = _Deal(line)
    into = deal.cards
    for word in _WORD.findall(words):
        complete = len(deal.cards) + len(deal.unplayed) >= _WHOLE
        if _MARK.fullmatch(word):
            raise NotationError("marked_points", line, found=quoted(word))
        if word in "([" and not complete:
            into = deal.unplayed
        elif word in ")]" and into is deal.unplayed:
            into = deal.cards
        elif _CARD.fullmatch(word):
            into.append((int(word[-1].islower()), parse_card(word)))
        elif complete or _SCORE.fullmatch(word):
            break
        else:
            raise unexpected(word, "5H, 5h", line)
    return deal


def _read(game: _Game) -> WrittenGame:
    dealers = _dealers(game.deals)
    data = {
        "players": 2,
        "target": _TARGET,
        "first_dealer": dealers[0],
        "seats": [{"name": game.names.get(seat)} for seat in (0, 1)],
        "hands": [_hand(deal, dealer) for deal, dealer in zip(game.deals, dealers, strict=True)],
    }
    return WrittenGame(game.line, data, tuple(deal.line for deal in game.deals))


def _dealers(deals: Sequence[_Deal]) -> list[int]:
    """Return each deal's dealer, who does not lead; without a card played, by turns."""
    dealers: list[int] = []
    for number, deal in enumerate(deals, start=1):
        with reading_hand(number):
            _check(deal, first=number == 1)
        led = len(deal.cards) > _THROWN + 1
        dealers.append(1 - (deal.cards[1][0] if led else dealers[-1]))
    return dealers


def _check(deal: _Deal, *, first: bool) -> None:
    number = len(deal.cards) + len(deal.unplayed)
    if number != _WHOLE or len(deal.cards) <= _THROWN:
        raise NotationError("deal_cards", deal.line, number=number, expected=_WHOLE)
    if first and len(deal.cards) == _THROWN + 1:
        raise NotationError("no_leader", deal.line)


def _hand(deal: _Deal, dealer: int) -> dict[str, Any]:
    (_, starter), *rest = deal.cards
    played, thrown = rest[:-_THROWN], rest[-_THROWN:]
    dealt = [[card for owner, card in [*rest, *deal.unplayed] if owner == seat] for seat in (0, 1)]
    return {
        "dealer": dealer,
        "dealt": [names(cards) for cards in dealt],
        "crib_card": None,
        "discards": [names([card for owner, card in thrown if owner == seat]) for seat in (0, 1)],
        "starter": NAMES[starter],
        "plays": [[seat, NAMES[card]] for seat, card in played],
    }
