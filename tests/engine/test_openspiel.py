"""Random games in lockstep with OpenSpiel's cribbage, an independent engine.

Its known departures from the rules, which these tests allow for:

- It scores 4 for four cards of one suit in the crib; our engine requires five.
- It counts the whole show at once and past 121; our engine stops at the winning point.
- It scores go and last card after all players have passed; our engine does when the count ends.
"""

import random
import re

import pyspiel
import pytest

from games.engine.cards import RANK, SUIT, Card
from games.engine.events import CountEnded, Played
from games.engine.moves import Deal, Discard, Move, Play, Starter, parse_move
from games.engine.rules import apply, chance, legal, start, waiting
from games.engine.scoring import count_hand
from games.engine.state import Hand, Phase, Ruleset, State
from tests.support.positions import THREE, TWO, chance_move, decision

PASS = 2756
GAMES = 25


def number(card: Card) -> int:
    """Return the number that OpenSpiel gives a card."""
    return SUIT[card] * 13 + RANK[card]


class Mirror:
    """OpenSpiel's state of a game, and the points that its departures have added to each score."""

    def __init__(self, players: int) -> None:
        self.state = pyspiel.load_game(f"cribbage(players={players})").new_initial_state()
        self.ahead = [0] * players

    def follow(self, move: Move) -> None:
        match move:
            case Deal(hands, crib_card):
                for card in (*(card for hand in hands for card in hand), crib_card):
                    if card is not None:
                        self.state.apply_action(number(card))
            case Discard(seat, cards):
                assert self.state.current_player() == seat
                self.state.apply_action(self._throw(cards))
            case Starter(card):
                self.state.apply_action(number(card))
            case Play(seat, card):
                assert self.state.current_player() == seat
                self.state.apply_action(number(card))
        while not self.over() and self.state.legal_actions() == [PASS]:
            self.state.apply_action(PASS)

    def _throw(self, cards: tuple[Card, ...]) -> int:
        numbers = [number(card) for card in cards]
        if len(numbers) == 1:
            return numbers[0]
        one, other = numbers
        both = {52 + 52 * one + other, 52 + 52 * other + one}
        (action,) = both & set(self.state.legal_actions())
        return int(action)

    def over(self) -> bool:
        return bool(self.state.is_terminal())

    def scores(self) -> list[int]:
        """Return OpenSpiel's scores without the points from its departures."""
        found = re.search(r"Scores: ([\d ]+)", str(self.state))
        assert found is not None
        scores = map(int, found[1].split())
        return [score - ahead for score, ahead in zip(scores, self.ahead, strict=True)]


def whole_show(hand: Hand) -> list[int]:
    """Return the scores of all seats as if the whole show of a hand had been counted."""
    assert hand.starter is not None
    totals = [
        hand.before[seat] + hand.pegged[seat] + count_hand(hand.kept(seat), hand.starter)
        for seat in range(hand.players)
    ]
    totals[hand.dealer] += count_hand(hand.crib, hand.starter, True)
    return totals


def crib_flush(hand: Hand) -> int:
    """Return the extra points that OpenSpiel gives the dealer for four of one suit in the crib."""
    assert hand.starter is not None
    return count_hand(hand.crib, hand.starter) - count_hand(hand.crib, hand.starter, True)


def counted_there(hand: Hand) -> bool:
    """Return whether OpenSpiel counts a finished hand's show: if its pegging was played out."""
    if len(hand.plays) < 4 * hand.players:
        return False
    ended = [event for event in hand.events if isinstance(event, Played | CountEnded)][-1]
    return isinstance(ended, CountEnded) or ended.count == 31


def seat_by_seat(state: State, rng: random.Random) -> Move:
    """Return a random move; seats discard in order from seat 0, as OpenSpiel requires."""
    if chance(state):
        return chance_move(state, rng)
    if state.phase is Phase.DISCARD:
        seat = waiting(state)[0]
        return Discard(seat, tuple(rng.sample(legal(state, seat).cards, state.ruleset.thrown)))
    return decision(state, rng)


def lockstep(ruleset: Ruleset, seed: int) -> State:
    """Play a random game in both engines and compare after every move.

    Returns the final state, or an earlier one where a departure has ended OpenSpiel's game.
    """
    rng = random.Random(seed)
    state, mirror = start(ruleset), Mirror(ruleset.players)
    while True:
        if state.turn is not None:
            offered = {number(card) for card in legal(state, state.turn).cards}
            assert mirror.state.current_player() == state.turn
            assert set(mirror.state.legal_actions()) == offered
        move = seat_by_seat(state, rng)
        had = len(state.hands)
        state = apply(state, move).state
        mirror.follow(move)
        hand = state.hands[-1] if len(state.hands) > had else None
        if hand is not None and counted_there(hand):
            mirror.ahead[hand.dealer] += crib_flush(hand)
        if state.phase is Phase.OVER and hand is not None:
            assert mirror.over()
            if counted_there(hand):
                assert mirror.scores() == whole_show(hand)
            else:
                assert [min(score, 121) for score in mirror.scores()] == list(state.scores)
            return state
        assert mirror.scores() == list(state.scores)
        if mirror.over():
            assert any(mirror.ahead), "only a departure ends its game earlier"
            return state


@pytest.mark.parametrize("ruleset", [TWO, THREE], ids=["two", "three"])
def test_random_games_agree_with_openspiel_after_every_move(ruleset: Ruleset) -> None:
    ends = [lockstep(ruleset, seed) for seed in range(GAMES)]
    finished = [state for state in ends if state.phase is Phase.OVER]
    assert len(finished) >= GAMES - 3
    in_play = [state for state in finished if not state.hands[-1].counted]
    assert 0 < len(in_play) < len(finished)


def test_openspiel_scores_four_of_one_suit_in_the_crib() -> None:
    """The lockstep test allows for this departure, so check that it exists."""
    state, mirror = start(TWO), Mirror(2)
    deal = "- deal 2H4HTSQC8D6S 6H8H9S7C5D3S"
    order = ["- starter 9C", "1 play 9S", "0 play TS", "1 play 7C", "1 play 5D"]
    order += ["0 play QC", "1 play 3S", "0 play 8D", "0 play 6S"]
    for text in [deal, "0 discard 2H4H", "1 discard 6H8H", *order]:
        state = apply(state, parse_move(text)).state
        mirror.follow(parse_move(text))
    assert crib_flush(state.hands[-1]) == 4
    assert mirror.scores() == [state.scores[0] + 4, state.scores[1]]
