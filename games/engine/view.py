"""The view of a match for one seat or a watcher: everything that they may know.

A `View` is built from an allow-list: the seat's own cards, and the cards that are face up. Tests
check this property throughout whole matches: ``view_for(state, seat)`` equals
``view_for(resample(state, seat, rng), seat)``, where `resample` redeals every card that the seat
does not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from games.engine import rules, show
from games.engine.cards import PACK, Card
from games.engine.events import Event, Item
from games.engine.fast_replace import evolve
from games.engine.rules import Legal
from games.engine.state import GameResult, Hand, Phase, Ruleset, State


class Sampler(Protocol):
    """A source of randomness, such as `random.Random`."""

    def sample(self, population: Sequence[Card], k: int) -> list[Card]:
        """Return ``k`` of these cards in a random order."""


@dataclass(frozen=True, slots=True)
class Counting:
    """Manual counting: the hand or crib being counted, with its four cards (face up)."""

    seat: int
    item: Item
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class OpenClaim:
    """Muggins: the open claim, without its missed points, and the seats that must answer it."""

    seat: int
    item: Item
    asked: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Own:
    """The private part of a seat's view; the fields are those of `View`."""

    seat: int | None
    cards: tuple[Card, ...]
    dealt: tuple[Card, ...]
    thrown: tuple[Card, ...]
    legal: Legal


@dataclass(frozen=True, slots=True)
class View:
    """A match as one seat sees it; ``seat`` is None for a watcher.

    Attributes:
        seat: the seat that this view is for.
        ruleset: the rules in force.
        sequence: number of moves made.
        phase: the current phase.
        game: number of the game in the match, from 1.
        hand: number of the hand in the game, from 1 (0 before the first deal).
        dealer, pone: seats; None until known.
        scores, trailing: score and hole of the back peg of each seat, in points.
        match_points, results: of the finished games.
        winner: the winner of the match; None while it is in progress or if it was drawn.
        resigned: the seat that resigned, if any.
        cuts: the cuts for deal of this game.
        cards: own cards that have not been discarded or played, in the order dealt.
        dealt: own cards as dealt.
        thrown: own discards.
        hand_sizes: number of cards that each seat holds.
        discarded: whether each seat has discarded.
        crib_size: number of cards in the crib.
        starter: the card cut.
        pile: the cards of the current count, as (seat, card).
        count: the running total.
        played: all cards that each seat has played in this hand.
        plays: all cards played in this hand in order, as (seat, card).
        gos: whether each seat has said go in this count.
        waiting: the seats that must act.
        counting: the item being counted (manual counting).
        claim: the claim that is open to muggins.
        legal: the legal options of this seat; none for a watcher.
        events: the public events of this hand (between hands, of the last one).
        history: the public events of the finished hands of this game.
    """

    seat: int | None
    ruleset: Ruleset
    sequence: int
    phase: Phase
    game: int
    hand: int
    dealer: int | None
    pone: int | None
    scores: tuple[int, ...]
    trailing: tuple[int, ...]
    match_points: tuple[int, ...]
    results: tuple[GameResult, ...]
    winner: int | None
    resigned: int | None
    cuts: tuple[tuple[Card | None, ...], ...]
    cards: tuple[Card, ...]
    dealt: tuple[Card, ...]
    thrown: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    discarded: tuple[bool, ...]
    crib_size: int
    starter: Card | None
    pile: tuple[tuple[int, Card], ...]
    count: int
    played: tuple[tuple[Card, ...], ...]
    plays: tuple[tuple[int, Card], ...]
    gos: tuple[bool, ...]
    waiting: tuple[int, ...]
    counting: Counting | None
    claim: OpenClaim | None
    legal: Legal
    events: tuple[Event, ...]
    history: tuple[tuple[Event, ...], ...]


def view_for(state: State, seat: int | None) -> View:
    """Return the view of ``state`` for ``seat``; None is a watcher, who sees no hidden card.

    Raises:
        ValueError: if there is no such seat.
    """
    own = own_for(state, seat)
    players = state.ruleset.players
    hand = state.hand
    last = hand if hand is not None else (state.hands[-1] if state.hands else None)
    # The state's dealer is the next hand's, which is never dealt once the match is over.
    dealer = last.dealer if last is not None and state.phase is Phase.OVER else state.dealer
    window = state.window
    return View(
        seat=seat,
        ruleset=state.ruleset,
        sequence=state.sequence,
        phase=state.phase,
        game=state.game,
        hand=last.number if last is not None else 0,
        dealer=dealer,
        pone=None if dealer is None else (dealer + 1) % players,
        scores=state.scores,
        trailing=state.trailing,
        match_points=state.match_points,
        results=state.results,
        winner=state.winner,
        resigned=state.resigned,
        cuts=state.cuts,
        cards=own.cards,
        dealt=own.dealt,
        thrown=own.thrown,
        hand_sizes=tuple(map(len, hand.held)) if hand else (0,) * players,
        discarded=tuple(map(bool, hand.discards)) if hand else (False,) * players,
        crib_size=len(hand.crib) if hand else 0,
        starter=hand.starter if hand else None,
        pile=state.pile,
        count=state.count,
        played=_played(hand, players),
        plays=hand.plays if hand else (),
        gos=state.gos,
        waiting=rules.waiting(state),
        counting=_counting(state),
        claim=None if window is None else OpenClaim(window.seat, window.item, window.asked),
        legal=own.legal,
        events=last.events if last is not None else (),
        history=tuple(done.events for done in state.hands),
    )


def own_for(state: State, seat: int | None) -> Own:
    """Return the private part of the view of ``seat``; it is empty for None, a watcher.

    Raises:
        ValueError: if there is no such seat.
    """
    if seat is None:
        return Own(None, (), (), (), Legal("over" if state.phase is Phase.OVER else "wait"))
    players = state.ruleset.players
    if not 0 <= seat < players:
        raise ValueError(f"no seat {seat!r}; seats are 0 to {players - 1}")
    hand = state.hand
    options = rules.legal(state, seat)
    if hand is None:
        return Own(seat, (), (), (), options)
    return Own(seat, hand.held[seat], hand.dealt[seat], hand.discards[seat], options)


def resample(state: State, seat: int | None, rng: Sampler) -> State:
    """Return a state with the same view for ``seat``, its hidden cards redealt with ``rng``.

    The result may be unreachable in play: what a go reveals about a hand is ignored.
    """
    hand = None if state.hand is None else _resample(state.hand, seat, _crib_up(state), rng)
    hands = tuple(_resample(done, seat, done.crib_points is not None, rng) for done in state.hands)
    return evolve(state, hand=hand, hands=hands)


def _played(hand: Hand | None, players: int) -> tuple[tuple[Card, ...], ...]:
    played: list[list[Card]] = [[] for _ in range(players)]
    for seat, card in hand.plays if hand else ():
        played[seat].append(card)
    return tuple(map(tuple, played))


def _counting(state: State) -> Counting | None:
    item = show.next_item(state)
    if item is None or state.hand is None:
        return None
    seat, what = item
    if what == "crib" and not _crib_up(state):
        return None
    return Counting(seat, what, state.hand.item_cards(seat, what))


def _crib_up(state: State) -> bool:
    """Return whether the crib of the hand in progress has been turned up."""
    hand = state.hand
    if hand is None:
        return False
    if hand.crib_points is not None:
        return True
    item = show.next_item(state)
    return item is not None and item[1] == "crib" and not show.in_window(state)


def _resample(hand: Hand, seat: int | None, crib_up: bool, rng: Sampler) -> Hand:
    """Return ``hand`` with the cards that ``seat`` does not know redealt."""
    others = [other for other in range(hand.players) if other != seat]
    table = {card for _, card in hand.plays} | ({hand.starter} - {None})
    mine = set() if seat is None else set(hand.dealt[seat])
    known = table | mine | (set(hand.crib) if crib_up else set())
    wanted = sum(len(hand.held[other]) for other in others)
    if not crib_up:
        wanted += sum(len(hand.discards[other]) for other in others) + (hand.crib_card is not None)
    pool = rng.sample([card for card in PACK if card not in known], wanted)
    crib = _shuffled([card for card in hand.crib if card not in mine], rng) if crib_up else pool
    dealt, discards, held = list(hand.dealt), list(hand.discards), list(hand.held)
    for other in others:
        played = [card for who, card in hand.plays if who == other]
        held[other] = tuple(pool.pop() for _ in hand.held[other])
        discards[other] = tuple(crib.pop() for _ in hand.discards[other])
        dealt[other] = tuple(_shuffled([*held[other], *played, *discards[other]], rng))
        if not discards[other]:
            held[other] = dealt[other]
    return evolve(
        hand,
        dealt=tuple(dealt),
        discards=tuple(discards),
        held=tuple(held),
        crib_card=None if hand.crib_card is None else crib.pop(),
    )


def _shuffled(cards: Sequence[Card], rng: Sampler) -> list[Card]:
    return rng.sample(cards, len(cards))
