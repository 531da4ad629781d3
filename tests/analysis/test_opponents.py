"""What is assumed of an opponent: how they answer, what they keep, how much is doubted."""

from __future__ import annotations

import numpy as np
import pytest

from games.analysis import build_tables, tables
from games.analysis.kernels import discard, selfplay, show
from games.analysis.opponents import (
    AFTER_A_LEAD,
    DOUBT,
    FIRST_DOUBT,
    LATER,
    SECOND_DOUBT,
    assumed,
    club_keeps,
    keeps,
    solving,
)
from games.analysis.plays import MOST_HANDS, rate
from games.analysis.positions import play_position
from games.analysis.review import throw_view
from games.bots import get
from games.engine import rules
from games.engine.cards import RANK, parse_cards
from games.engine.view import view_for
from tests.support.hands import played, some_cards


@pytest.mark.parametrize(
    ("plays", "shares", "doubt"),
    [
        ("", AFTER_A_LEAD, DOUBT),
        ("4C", LATER, FIRST_DOUBT),
        ("4CTD", LATER, SECOND_DOUBT),
        ("4CTD2S", LATER, DOUBT),
        ("4CTD2S9S", AFTER_A_LEAD, DOUBT),
    ],
)
def test_leads_and_the_first_answer_have_assumptions_of_their_own(
    plays: str, shares: tuple[float, float], doubt: float
) -> None:
    state = played("KHQD4C2S", "TD9S8C7C", "AC3C4DKD", "6H", plays=plays)
    position = play_position(view_for(state, rules.waiting(state)[0]))
    found = assumed(position)
    assert ((found.thumb, found.greed), found.doubt) == (shares, doubt)
    assert np.array_equal(rate(position, MOST_HANDS), rate(position, MOST_HANDS, found))
    assert not np.array_equal(
        rate(position, MOST_HANDS), rate(position, MOST_HANDS, solving(position))
    )


def test_a_lead_from_a_pair_is_worth_more_against_players_who_take_each_pair() -> None:
    state = played("KHKD4C6S", "TD9S8C7C", "AC3C4DJD", "2H")
    position = play_position(view_for(state, 0))
    king = list(position.legal).index(RANK[parse_cards("KH")[0]])
    usual, solved = rate(position, MOST_HANDS), rate(position, MOST_HANDS, solving(position))
    assert usual[king, 0] > solved[king, 0]
    assert usual[:, 1].argmax() == king


@pytest.mark.parametrize(
    ("hand", "pile", "expected"),
    [("5HJC", "KD", "5"), ("5HJC", "JD", "J"), ("2H9C", "JD", "9")],
)
def test_greed_takes_the_most_points_and_the_highest_card_of_equal_ones(
    hand: str, pile: str, expected: str
) -> None:
    past = np.zeros(9, dtype=np.int64)
    past[0] = RANK[parse_cards(pile)[0]]
    ranks = np.array(sorted(RANK[card] for card in parse_cards(hand)))
    found = selfplay.greedy_rank(ranks, len(ranks), past, 0, 1, 10)
    assert "A23456789TJQK"[found] == expected


def test_hands_are_kept_as_the_club_player_keeps_them() -> None:
    club, five = get("club"), show.five_table()
    for number, cards in enumerate(some_cards(6, 40, seed=8)):
        dealer = number % 2
        view = throw_view(cards, dealer=bool(dealer), scores=(0, 0))
        kept, thrown = np.empty(4, dtype=np.int64), np.empty(2, dtype=np.int64)
        ordered = np.array(sorted(cards), dtype=np.int64)
        best = discard.best_by_average(five, ordered, dealer, tables.load("crib_2"))
        discard.split(ordered, best, kept, thrown)
        assert tuple(thrown) == tuple(sorted(club.discard(view)))


def test_a_dealer_of_club_strength_keeps_more_ten_cards_than_the_strongest() -> None:
    shares = build_tables.uniform_shares()
    tens = (build_tables.HANDS >= 9).sum(axis=1)
    means = []
    for kept in (club_keeps()[1], keeps()[1]):
        weights = shares * kept[build_tables.HAND_AT]
        means.append((weights * tens).sum() / weights.sum())
    assert means[0] > means[1] + 0.1
