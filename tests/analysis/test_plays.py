"""Pegging: the kernels follow the rules, and the search finds the obvious best cards."""

import random

import numpy as np
import pytest

from games.analysis.kernels import belief, play
from games.analysis.plays import (
    evaluate_plays,
    opening_shares,
    rank_by_search,
    strategy,
    strategy_shares,
)
from games.analysis.positions import PlayPosition, play_position
from games.engine import rules
from games.engine.cards import PIPS, RANK, card_name, parse_card, parse_cards
from games.engine.moves import Deal, Discard, Move, Play, Starter
from games.engine.pegging import score_play
from games.engine.state import Phase, Ruleset
from games.engine.view import view_for
from tests.support.hands import played, some_cards


def likelihood(position: PlayPosition, *held: int, strict: bool = True) -> float:
    """Return how likely the play so far is if the opponent holds these ranks."""
    ranks = np.zeros(4, dtype=np.int64)
    ranks[: len(held)] = held
    return belief.likelihood(
        position.hand,
        ranks,
        len(held),
        position.past,
        position.who,
        position.number,
        position.me,
        strategy(),
        0.0,
        0.0,
        strict,
    )


def test_kernels_and_engine_agree_on_random_pegging() -> None:
    rng = random.Random(3)
    for cards in some_cards(13, 60, seed=9):
        names = [card_name(card) for card in cards]
        state = played(
            "".join(names[:4]), "".join(names[4:8]), "".join(names[8:12]), names[12], scores=(0, 0)
        )
        hands = np.zeros((2, 13), dtype=np.int64)
        for at, card in enumerate(cards[:8]):
            hands[at // 4, RANK[card]] += 1
        past = np.zeros(9, dtype=np.int64)
        start = n = count = 0
        while state.phase is Phase.PLAY:
            seat = rules.waiting(state)[0]
            card = rng.choice(rules.legal(state, seat).cards)
            pile = (*(other for _, other in state.pile), card)
            points = play.play_points(past, start, n, RANK[card], count)
            assert points == sum(part.points for part in score_play(pile))
            past[n] = RANK[card]
            n += 1
            count += PIPS[card]
            hands[seat, RANK[card]] -= 1
            following = play.next_turn(hands, seat, count)
            if following < 0:
                following = play.next_leader(hands, seat)
                start, count = n, 0
            state = rules.apply(state, Play(seat, card)).state
            if state.phase is Phase.PLAY:
                assert rules.waiting(state) == (following,)
                assert state.count == count


def test_a_card_that_wins_at_once_is_certain_to_win() -> None:
    state = played("5H6C7D8S", "TDTHJCQC", "2C3C4DKD", "9H", plays="5H", scores=(100, 119))
    values = evaluate_plays(view_for(state, 1))
    assert [value.chance for value in values] == pytest.approx([1.0] * 4)


def test_an_available_thirty_one_is_taken() -> None:
    state = played("2C3DKHQH", "TD9S8C7C", "AC3C4DKD", "6H", plays="KH9S2C")
    values = evaluate_plays(view_for(state, 1))
    assert values[0].card == parse_card("TD")
    assert values[0].chance > values[1].chance
    assert max(values, key=lambda value: value.points) == values[0]


def test_a_go_rules_out_the_hands_that_could_have_played() -> None:
    state = played("KHQD4C2S", "TDJHKCQC", "AC3C4DKD", "6H", plays="KHTD4C")
    view = view_for(state, 0)
    assert view.gos[1], "the dealer holds only cards that pass thirty-one"
    position = play_position(view)
    assert likelihood(position, 0, 10, 12) == 0
    assert likelihood(position, 10, 11, 12) > 0


def test_the_lead_of_a_new_count_rules_out_the_hands_that_could_have_gone_on() -> None:
    # At 29 nobody could play, so that pone, who leads the 4, had no ace or two.
    state = played("4C4D6DJH", "3D4H6C9C", "TCKCJDKD", "8D", plays="4C9CJH6C4D")
    position = play_position(view_for(state, 1))
    assert [likelihood(position, rank) > 0 for rank in (0, 1, 5)] == [False, False, True]
    assert all(likelihood(position, rank, strict=False) for rank in (0, 1, 5))


def test_on_a_tie_the_strongest_takes_the_points() -> None:
    # Both cards seem to win; the 8 makes fifteen and wins at once.
    state = played("2D7D9DJD", "3D4S8C8D", "AHJS6CJC", "2C", "JD8C9D4S7D", (115, 117))
    view = view_for(state, 1)
    assert rank_by_search(view) == RANK[parse_card("8D")]


def test_hidden_hands_enumerates_every_hand_of_unseen_cards() -> None:
    unseen = np.array([4, 1, 2] + [0] * 10)
    found = np.zeros((belief.MOST, 4), dtype=np.int64)
    ways = np.zeros(belief.MOST)
    number = belief.hidden_hands(unseen, 3, found, ways)
    assert ways[:number].sum() == 7 * 6 * 5 / 6
    assert len({tuple(hand[:3]) for hand in found[:number]}) == number


def test_subsampling_preserves_the_total_weight() -> None:
    weights = np.arange(1.0, 501.0)
    belief.subsample(weights, 500, 60)
    assert weights.sum() == pytest.approx(500 * 501 / 2)
    assert np.count_nonzero(weights) <= 60


def test_plays_are_valued_only_for_the_seat_whose_turn_it_is() -> None:
    state = played("5H6C7D8S", "TDTHJCQC", "2C3C4DKD", "9H")
    with pytest.raises(ValueError, match="must play a card"):
        evaluate_plays(view_for(state, 1))


def test_every_legal_card_is_valued_with_three_seats() -> None:
    names = [card_name(card) for card in next(some_cards(17, 1, seed=4))]
    cards = parse_cards("".join(names))
    state = rules.start(Ruleset(players=3, first_dealer=2))
    moves: list[Move] = [Deal((cards[0:5], cards[5:10], cards[10:15]), cards[15])]
    moves += [Discard(seat, (cards[5 * seat],)) for seat in range(3)]
    for move in [*moves, Starter(cards[16])]:
        state = rules.apply(state, move).state
    view = view_for(state, 0)
    values = evaluate_plays(view)
    assert {value.card for value in values} == set(view.legal.cards)
    assert all(0 < value.chance < 1 for value in values)


def test_opening_shares_are_those_of_the_first_two_decisions_of_the_play() -> None:
    known = 0
    for cards in some_cards(13, 12, seed=21):
        names = [card_name(card) for card in cards]
        state = played(
            "".join(names[:4]), "".join(names[4:8]), "".join(names[8:12]), names[12], scores=(0, 0)
        )
        led = None
        for _ in range(2):
            seat = rules.waiting(state)[0]
            position = play_position(view_for(state, seat))
            shares = strategy_shares(position)
            held = view_for(state, seat).cards
            found = opening_shares(held, led)
            if shares is None:
                assert found == {}
            else:
                known += 1
                assert found == dict(zip(map(int, position.legal), shares, strict=True))
            card = held[0]
            led = RANK[card]
            state = rules.apply(state, Play(seat, card)).state
    assert known > 12
