"""No view tells what its seat may not know.

The promise: deal every card that a seat does not know anew, and its view is the same, at every
moment of a match, for every seat and for a watcher.
"""

import random

import pytest

from games.engine.cards import PACK
from games.engine.rules import start
from games.engine.state import Hand, Phase, Ruleset, State
from games.engine.view import resample, view_for
from tests.engine.tables import TWO, before_starter, in_play, random_match

RULESETS = [
    Ruleset(games=2),
    Ruleset(players=3, games=2, target=61),
    Ruleset(counting="manual"),
    Ruleset(players=3, counting="manual"),
    Ruleset(counting="manual", muggins=True),
    Ruleset(players=3, counting="manual", muggins=True),
]
IDS = ["two", "three", "manual", "manual three", "muggins", "muggins three"]


def hidden(state: State, seat: int | None) -> set[int]:
    """Return the cards of the hand in progress that a seat has not seen and nobody has shown."""
    hand = state.hand
    if hand is None:
        return set()
    seen = {card for _, card in hand.plays} | {hand.starter}
    if seat is not None:
        seen |= set(hand.dealt[seat])
    dealt = {card for cards in hand.dealt for card in cards} | {hand.crib_card}
    return {card for card in dealt - seen if card is not None}


def promise_kept(ruleset: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    changed = 0
    for moment in random_match(ruleset, seed):
        state = moment.step.state
        for seat in (None, *range(ruleset.players)):
            other = resample(state, seat, rng)
            changed += other != state
            assert view_for(other, seat) == view_for(state, seat)
    assert changed > state.sequence, "the resampled states must differ to prove anything"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_a_view_is_the_same_whatever_the_cards_that_its_seat_does_not_know(
    ruleset: Ruleset, seed: int
) -> None:
    promise_kept(ruleset, seed)


def test_the_promise_is_broken_by_a_view_that_tells_a_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The property has teeth: with another's card let into the view it fails."""
    monkeypatch.setattr(Hand, "crib", property(lambda hand: hand.dealt[0][: hand.dealt[0][0] % 3]))
    with pytest.raises(AssertionError):
        promise_kept(Ruleset(), 0)


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_a_resampled_state_deals_one_pack_and_keeps_what_the_seat_knows(ruleset: Ruleset) -> None:
    rng = random.Random(21)
    for moment in random_match(ruleset, 21):
        state = moment.step.state
        for seat in (None, *range(ruleset.players)):
            hand, other = state.hand, resample(state, seat, rng).hand
            if hand is None or other is None:
                assert hand is other
                continue
            cards = [card for cards in other.dealt for card in cards]
            cards += [card for card in (other.crib_card, other.starter) if card is not None]
            assert len(set(cards)) == len(cards)
            assert set(cards) <= set(PACK)
            assert (other.plays, other.starter) == (hand.plays, hand.starter)
            if seat is not None:
                assert other.dealt[seat] == hand.dealt[seat]
                assert other.discards[seat] == hand.discards[seat]
            for who in range(ruleset.players):
                assert set(other.held[who]) <= set(other.dealt[who])
                assert set(other.discards[who]) <= set(other.dealt[who])


def test_every_hidden_card_may_be_anywhere() -> None:
    """Resampled often enough, the other hand, its discard and the crib hold every unseen card."""
    state = in_play(("THQC8D6S", "9H7C5D3S"), "2H2C4H4C", "9C")
    rng = random.Random(22)
    held, thrown = set(), set()
    for _ in range(400):
        other = resample(state, 1, rng).hand
        assert other is not None
        held |= set(other.held[0])
        thrown |= set(other.discards[0])
    unseen = set(PACK) - hidden_from(state, 1)
    assert held == thrown == unseen


def hidden_from(state: State, seat: int) -> set[int]:
    """Return what is no secret to ``seat``: its own cards and the starter."""
    assert state.hand is not None
    assert state.hand.starter is not None
    return {*state.hand.dealt[seat], state.hand.starter}


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_no_event_carries_a_card_that_was_not_turned_up(ruleset: Ruleset) -> None:
    told = 0
    for moment in random_match(ruleset, 23):
        state = moment.step.state
        if state.hand is not None and state.phase is not Phase.SHOW:
            cards = set().union(*map(cards_of, state.hand.events))
            assert not cards & hidden(state, None)
            told += len(cards)
    assert told


def cards_of(event: object) -> set[int]:
    """Return every card that an event names, in its parts too."""
    one = getattr(event, "card", None)
    cards: set[int] = {*getattr(event, "cards", ()), one} - {None}
    return cards.union(*(part.cards for part in getattr(event, "parts", ())))


def test_a_seat_sees_its_own_cards_and_only_those() -> None:
    state = before_starter(("THQC8D6S", "9H7C5D3S"), "2H2C4H4C")
    assert state.hand is not None
    view = view_for(state, 1)
    assert view.cards == state.hand.held[1]
    assert view.thrown == state.hand.discards[1]
    watcher = view_for(state, None)
    assert (watcher.cards, watcher.dealt, watcher.thrown) == ((), (), ())
    assert watcher.legal.action == "wait"
    assert watcher.hand_sizes == (4, 4)
    assert watcher.crib_size == 4


@pytest.mark.parametrize("seat", [-1, 2, 7])
def test_there_is_no_view_for_a_seat_that_is_not_there(seat: int) -> None:
    with pytest.raises(ValueError, match="no seat"):
        view_for(start(TWO), seat)
