"""Entering a game record card by card: finds the part that the record needs next.

It supports automatic counting only, where a record is deals, discards, starters and plays. The
last hand may be incomplete; the hands before it are complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from games.engine import record_shape as shape
from games.engine.cards import NAMES, PACK, Card
from games.engine.pegging import playable
from games.engine.record import GameRecord, RecordError, read_record
from games.engine.record_check import RecordEvent
from games.engine.record_shape import ShapeError
from games.engine.state import Hand, Phase, Ruleset, RulesetError, State, require

_DEAL = RecordEvent("deal")

Need = Literal["dealt", "crib_card", "discard", "starter", "play", "nothing"]


@dataclass(frozen=True, slots=True)
class NextEntry:
    """The part that a record needs next.

    Attributes:
        need: the kind of part; "nothing" if the game is over.
        seat: the seat it belongs to; None for the starter, the crib card, and at the end.
        number: how many cards are needed.
        cards: the cards to choose from.
        left: the cards of the pack that have not been dealt, lowest first.
        hand: the number of the hand, from 1.
        dealer: the dealer of the hand.
        game: the game so far, without an incomplete deal.
    """

    need: Need
    seat: int | None
    number: int
    cards: tuple[Card, ...]
    left: tuple[Card, ...]
    hand: int
    dealer: int
    game: GameRecord


def next_entry(data: object) -> NextEntry:
    """Return the part that an unfinished record needs next.

    Raises:
        RecordError: if the record is malformed, or the rules do not allow it.
    """
    try:
        record = shape.mapping(data, "record")
        hands = shape.items(record.get("hands"), "hands")
        rules = shape.mapping(record.get("rules") or {}, "rules")
        if rules.get("counting", "auto") != "auto":
            raise ShapeError("manual_counting")
        last = shape.mapping(hands[-1], "hand") if hands else {}
        players = Ruleset(players=shape.number(record.get("players"), "players")).players
        dealt = _dealt(last, players)
    except (ShapeError, RulesetError) as cause:
        raise RecordError.at(cause) from cause
    size = 6 if players == 2 else 5
    complete = all(len(cards) == size for cards in dealt)
    if hands and complete and (players == 2 or last.get("crib_card") is not None):
        return _after_deal(read_record(data))
    game = read_record({**record, "hands": hands[:-1]})
    return _deal(game, dealt, last.get("crib_card"), size)


def _dealt(hand: Mapping[str, Any], players: int) -> list[tuple[Card, ...]]:
    """Return the cards of each seat that have been entered so far."""
    lists = shape.items(hand.get("dealt") or [], "dealt", most=players)
    dealt = [shape.cards(cards or [], f"dealt[{seat}]") for seat, cards in enumerate(lists)]
    return dealt + [()] * (players - len(dealt))


def _deal(game: GameRecord, dealt: list[tuple[Card, ...]], crib: object, size: int) -> NextEntry:
    """Ask for the next part of a deal, starting to the dealer's left."""
    state = game.state
    number = len(state.hands) + 1
    if state.phase is not Phase.DEAL:
        if state.phase is Phase.OVER and not any(dealt):
            return _after_deal(game)
        phase = str(state.phase)
        raise RecordError("wrong_phase.deal", number, _DEAL, game, phase=phase)
    _check(dealt, size, number, game)
    dealer = require(state.dealer)
    given = {card for cards in dealt for card in cards}
    left = tuple(card for card in PACK if card not in given)
    for step in range(1, len(dealt) + 1):
        seat = (dealer + step) % len(dealt)
        missing = size - len(dealt[seat])
        if missing:
            return NextEntry("dealt", seat, missing, left, left, number, dealer, game)
    if crib is not None:
        raise RecordError("bad_deal.crib", number, _DEAL, game)
    return NextEntry("crib_card", None, 1, left, left, number, dealer, game)


def _check(dealt: list[tuple[Card, ...]], size: int, number: int, game: GameRecord) -> None:
    seen: set[Card] = set()
    for seat, cards in enumerate(dealt):
        if len(cards) > size:
            sizes = {"seat": seat, "number": len(cards), "expected": size}
            raise RecordError("bad_deal.size", number, _DEAL, game, **sizes)
        for card in cards:
            if card in seen:
                raise RecordError("bad_deal.twice", number, _DEAL, game, cards=NAMES[card])
            seen.add(card)


def _after_deal(game: GameRecord) -> NextEntry:
    """Ask for the part that follows the deal, or for the next deal."""
    state = game.state
    hand = state.hand
    if hand is None:
        if state.phase is Phase.DEAL:
            size = state.ruleset.dealt
            return _deal(game, [()] * state.ruleset.players, None, size)
        done = len(state.hands)
        return NextEntry(
            "nothing", None, 0, (), (), done, state.hands[-1].dealer if done else 0, game
        )
    left = _left(hand)
    what, seat, number, cards = _next(state, hand, left)
    return NextEntry(what, seat, number, cards, left, hand.number, hand.dealer, game)


def _left(hand: Hand) -> tuple[Card, ...]:
    out = {card for cards in hand.dealt for card in cards} | {hand.crib_card, hand.starter}
    return tuple(card for card in PACK if card not in out)


def _next(
    state: State, hand: Hand, left: tuple[Card, ...]
) -> tuple[Need, int | None, int, tuple[Card, ...]]:
    if state.phase is Phase.STARTER:
        return "starter", None, 1, left
    if state.phase is Phase.PLAY:
        seat = require(state.turn)
        return "play", seat, 1, playable(hand.held[seat], state.count)
    order = [(hand.pone + step) % hand.players for step in range(hand.players)]
    seat = next(seat for seat in order if not hand.discards[seat])
    return "discard", seat, state.ruleset.thrown, hand.held[seat]
