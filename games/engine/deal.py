"""The start of a hand: cut for deal, deal, discards and starter (rule 2)."""

from __future__ import annotations

from functools import cache

from games.engine.cards import JACK, NAMES, RANK, Card
from games.engine.events import CutForDeal, Dealt, Discarded, Event, Heels, StarterCut
from games.engine.fast_replace import evolve
from games.engine.faults import quoted
from games.engine.illegal import IllegalMove
from games.engine.moves import Cut, Deal, Discard, Starter
from games.engine.scorekeeping import add, finish_game, is_won, peg, put
from games.engine.state import Hand, Phase, State, require

# Equal events are shared between matches: only a few distinct ones exist.
_discarded = cache(Discarded)


def cut(state: State, move: Cut, events: list[Event]) -> State:
    """Cut for the deal; on a tie for the lowest rank all cutters cut again."""
    _expect(state, Phase.CUT)
    seats = tuple(seat for seat, card in enumerate(move.cards) if card is not None)
    cards = [card for card in move.cards if card is not None]
    if len(move.cards) != state.ruleset.players or seats != state.cutters:
        raise IllegalMove("bad_cut", seats=seats, expected=state.cutters)
    _check_cards(cards, "bad_cut")
    state = _open_game(state)
    low = min(RANK[card] for card in cards)
    lowest = [seat for seat in seats if RANK[move.cards[seat] or 0] == low]
    dealer = lowest[0] if len(lowest) == 1 else None
    events.append(CutForDeal(move.cards, dealer))
    return evolve(
        state,
        cuts=(*state.cuts, move.cards),
        dealer=dealer,
        phase=Phase.CUT if dealer is None else Phase.DEAL,
    )


def deal(state: State, move: Deal, events: list[Event]) -> State:
    """Deal a hand."""
    _expect(state, Phase.DEAL)
    ruleset = state.ruleset
    sizes = [len(hand) for hand in move.hands]
    if sizes != [ruleset.dealt] * ruleset.players:
        raise IllegalMove("bad_deal", sizes=sizes, players=ruleset.players, number=ruleset.dealt)
    if (move.crib_card is None) != (ruleset.players == 2):
        raise IllegalMove("bad_deal.crib")
    cards = [card for hand in move.hands for card in hand]
    if move.crib_card is not None:
        cards.append(move.crib_card)
    _check_cards(cards, "bad_deal")
    state = _open_game(state)
    nothing = (0,) * ruleset.players
    dealer = require(state.dealer)
    hand = Hand(
        game=state.game,
        number=len(state.hands) + 1,
        dealer=dealer,
        before=state.scores,
        dealt=move.hands,
        crib_card=move.crib_card,
        discards=((),) * ruleset.players,
        held=move.hands,
        pegged=nothing,
        shown=(None,) * ruleset.players,
        mugged=nothing,
    )
    events.append(Dealt(hand.game, hand.number, dealer))
    return evolve(state, phase=Phase.DISCARD, hand=hand)


def discard(state: State, move: Discard, events: list[Event]) -> State:
    """Discard to the crib; after the last seat's discard the starter is cut."""
    _expect(state, Phase.DISCARD)
    hand = require(state.hand)
    if hand.discards[move.seat]:
        raise IllegalMove("already_discarded")
    number = state.ruleset.thrown
    if len(move.cards) != number or len(set(move.cards)) != number:
        raise IllegalMove("wrong_number", cards=_names(move.cards), number=number)
    held = hand.held[move.seat]
    for card in move.cards:
        if card not in held:
            raise IllegalMove("not_your_card", cards=_names([card]), held=_names(held))
    kept = tuple(card for card in held if card not in move.cards)
    hand = evolve(
        hand,
        discards=put(hand.discards, move.seat, move.cards),
        held=put(hand.held, move.seat, kept),
    )
    events.append(_discarded(move.seat, number))
    phase = Phase.STARTER if all(hand.discards) else Phase.DISCARD
    return evolve(state, hand=hand, phase=phase)


def starter(state: State, move: Starter, events: list[Event]) -> State:
    """Turn up the starter; a jack scores his heels, which can win the game."""
    _expect(state, Phase.STARTER)
    hand = require(state.hand)
    _check_cards([move.card], "bad_starter")
    if any(move.card in cards for cards in hand.dealt) or move.card == hand.crib_card:
        raise IllegalMove("bad_starter", cards=NAMES[move.card])
    events.append(StarterCut(move.card))
    hand = evolve(hand, starter=move.card)
    no_gos = (False,) * state.ruleset.players
    state = evolve(
        state, phase=Phase.PLAY, hand=hand, turn=hand.pone, count=0, pile_start=0, gos=no_gos
    )
    if RANK[move.card] != JACK:
        return state
    state = peg(state, hand.dealer, 2)
    hand = evolve(hand, pegged=add(hand.pegged, hand.dealer, 2))
    events.append(Heels(hand.dealer, 2, state.scores))
    state = evolve(state, hand=hand)
    return finish_game(state, events) if is_won(state) else state


def _open_game(state: State) -> State:
    """Return the state with a fresh board if the previous game has ended."""
    if len(state.results) < state.game:
        return state
    zero = (0,) * state.ruleset.players
    return evolve(state, game=state.game + 1, scores=zero, trailing=zero, hands=(), cuts=())


def _expect(state: State, phase: Phase) -> None:
    if state.phase is not phase:
        raise IllegalMove(f"wrong_phase.{phase}", phase=str(state.phase))


def _check_cards(cards: list[Card], code: str) -> None:
    if any(type(card) is not int or not 0 <= card < 52 for card in cards):
        raise IllegalMove(f"{code}.range", found=quoted(cards))
    if len(set(cards)) != len(cards):
        twice = dict.fromkeys(card for at, card in enumerate(cards) if card in cards[:at])
        raise IllegalMove(f"{code}.twice", cards=_names(list(twice)))


def _names(cards: tuple[Card, ...] | list[Card]) -> str:
    return " ".join(
        NAMES[card] if type(card) is int and 0 <= card < 52 else repr(card)[:12] for card in cards
    )
