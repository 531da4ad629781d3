"""Views never reveal hidden cards.

The property: redealing all cards that a seat does not know leaves its view unchanged, after every
move of a match, for every seat and for watchers.
"""

import random
import re
from dataclasses import replace

import pytest

from games.engine.cards import PACK
from games.engine.left_view import left_own_for, left_view_for
from games.engine.rules import start
from games.engine.state import Hand, Phase, Ruleset, State
from games.engine.view import resample, view_for
from games.wire.serializers import dumps, own_json, view_json
from tests.support.positions import (
    MUGGINS,
    THREE,
    TWO,
    before_starter,
    in_play,
    make,
    play_cards,
    random_match,
)

CARD = re.compile(r'"([A2-9TJQK][CDHS])"')

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
    """Return the cards of the hand in progress that are neither public nor the seat's own."""
    hand = state.hand
    if hand is None:
        return set()
    seen = {card for _, card in hand.plays} | {hand.starter}
    if seat is not None:
        seen |= set(hand.dealt[seat])
    dealt = {card for cards in hand.dealt for card in cards} | {hand.crib_card}
    return {card for card in dealt - seen if card is not None}


def assert_views_hide_cards(ruleset: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    changed = 0
    for moment in random_match(ruleset, seed):
        state = moment.step.state
        for seat in (None, *range(ruleset.players)):
            other = resample(state, seat, rng)
            changed += other != state
            assert view_for(other, seat) == view_for(state, seat)
    assert changed > state.sequence, "the resampled states must differ for this to prove anything"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_a_view_does_not_depend_on_cards_its_seat_does_not_know(
    ruleset: Ruleset, seed: int
) -> None:
    assert_views_hide_cards(ruleset, seed)


def test_the_property_fails_for_a_view_that_leaks_a_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A check of the check: leaking an opponent's card into the view must make it fail."""
    monkeypatch.setattr(Hand, "crib", property(lambda hand: hand.dealt[0][: hand.dealt[0][0] % 3]))
    with pytest.raises(AssertionError):
        assert_views_hide_cards(Ruleset(), 0)


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_a_resampled_state_uses_one_pack_and_keeps_what_the_seat_knows(ruleset: Ruleset) -> None:
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


def test_resampling_reaches_every_hidden_card() -> None:
    """Over many resamplings, the opponent's hand and discard contain every unseen card."""
    state = in_play(("THQC8D6S", "9H7C5D3S"), "2H2C4H4C", "9C")
    rng = random.Random(22)
    held, thrown = set(), set()
    for _ in range(400):
        other = resample(state, 1, rng).hand
        assert other is not None
        held |= set(other.held[0])
        thrown |= set(other.discards[0])
    unseen = set(PACK) - known_to(state, 1)
    assert held == thrown == unseen


def known_to(state: State, seat: int) -> set[int]:
    """Return the cards that ``seat`` knows: its own and the starter."""
    assert state.hand is not None
    assert state.hand.starter is not None
    return {*state.hand.dealt[seat], state.hand.starter}


def test_a_crib_that_may_still_be_called_has_been_seen() -> None:
    """Between the dealer's claim for the crib and the answer, the crib lies face up."""
    state = in_play(("THQC8D6S", "9H7C5D3S"), "2H2C4H4C", "9C", MUGGINS)
    state, _ = play_cards(state, *(f"{card} 0" for card in ("9H", "TH", "7C", "5D")))
    state, _ = play_cards(state, *(f"{card} 0" for card in ("QC", "3S", "8D", "6S")))
    state, _ = make(state, "1 claim 4", "0 pass", "0 claim 5", "1 pass", "0 claim 2")
    assert state.hand is not None
    assert state.window is not None
    for seat in (0, 1, None):
        other = resample(state, seat, random.Random(25)).hand
        assert other is not None
        assert sorted(other.crib) == sorted(state.hand.crib)


def test_the_crib_of_a_finished_hand_stays_hidden_unless_it_was_counted() -> None:
    *_, moment = random_match(Ruleset(games=3), 27)
    state = moment.step.state
    counted = [hand.crib_points is not None for hand in state.hands]
    assert {True, False} == set(counted), "the last hand of a game may end before its crib"
    rng = random.Random(27)
    others = [resample(state, None, rng).hands for _ in range(3)]
    for at, hand in enumerate(state.hands):
        cribs = {frozenset(each[at].crib) for each in others}
        assert (cribs == {frozenset(hand.crib)}) == counted[at]


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_no_event_contains_a_hidden_card(ruleset: Ruleset) -> None:
    named = 0
    for moment in random_match(ruleset, 23):
        state = moment.step.state
        if state.hand is not None and state.phase is not Phase.SHOW:
            cards = set().union(*map(cards_of, state.hand.events))
            assert not cards & hidden(state, None)
            named += len(cards)
    assert named


def cards_of(event: object) -> set[int]:
    """Return every card that an event names, including those in its parts."""
    one = getattr(event, "card", None)
    cards: set[int] = {*getattr(event, "cards", ()), one} - {None}
    return cards.union(*(part.cards for part in getattr(event, "parts", ())))


def test_a_seat_sees_only_its_own_cards() -> None:
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


@pytest.mark.parametrize("ruleset", [TWO, THREE])
def test_pone_sits_on_the_dealers_left(ruleset: Ruleset) -> None:
    ruleset = replace(ruleset, first_dealer=None)
    pones = {None: view_for(start(ruleset), None).pone}
    for moment in random_match(ruleset, 26):
        view = view_for(moment.step.state, None)
        pones[view.dealer] = view.pone
    seats = range(ruleset.players)
    assert pones == {None: None, **{seat: [*seats, 0][seat + 1] for seat in seats}}


@pytest.mark.parametrize("seat", [-1, 2, 7])
def test_there_is_no_view_for_a_seat_that_does_not_exist(seat: int) -> None:
    with pytest.raises(ValueError, match="no seat"):
        view_for(start(TWO), seat)


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_a_lost_seat_knows_no_card_at_all(ruleset: Ruleset) -> None:
    """Its view names no card and stays the same whatever cards are dealt, except at open tables."""
    rng = random.Random(24)
    shown = 0
    for moment in random_match(ruleset, 24):
        state = moment.step.state
        for seat in range(ruleset.players):
            view = left_view_for(state, seat, watchable=False)
            assert view.seat == seat
            assert (view.scores, view.phase) == (state.scores, state.phase)
            assert not CARD.search(dumps(view_json(view, log=True)))
            assert own_json(left_own_for(state, seat)) == own_json(view)
            open_view = left_view_for(state, seat, watchable=True)
            assert replace(open_view, seat=None) == view_for(state, None)
            assert open_view == left_view_for(resample(state, None, rng), seat, watchable=True)
            shown += bool(CARD.search(dumps(view_json(open_view, log=True))))
    assert shown, "the expression finds cards"
