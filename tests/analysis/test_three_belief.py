"""With three seats, hidden hands are weighed by how likely they are to be kept and played."""

import numpy as np
import pytest

from games.analysis import build_tables_three, tables, three, three_opponents
from games.analysis.kernels import three_belief, three_styles
from games.analysis.three_opponents import STYLES
from games.engine import rules
from games.engine.cards import RANK, parse_cards
from games.engine.moves import Deal, Discard, Move, Play, Starter
from games.engine.state import Ruleset
from games.engine.view import View, view_for

PONE, SECOND, DEALER = "5H6C7D8S2D", "TDJHQCQS3C", "4C9C9SKDAD"


def seen_by(seat: int, plays: str, scores: tuple[int, int, int] = (0, 0, 0)) -> View:
    """Return a seat's view after some plays; seat 2 deals, and everyone throws the last card."""
    state = rules.start(Ruleset(players=3, first_dealer=2, scores=scores))
    hands = tuple(parse_cards(hand) for hand in (PONE, SECOND, DEALER))
    moves: list[Move] = [Deal(hands, parse_cards("KS")[0])]
    moves += [Discard(at, (hand[4],)) for at, hand in enumerate(hands)]
    moves.append(Starter(parse_cards("3H")[0]))
    for move in moves:
        state = rules.apply(state, move).state
    for card in parse_cards(plays):
        state = rules.apply(state, Play(rules.waiting(state)[0], card)).state
    return view_for(state, seat)


def likelihood(rest: str, plays: str, seat: int, to_play: int, start: int) -> float:
    """Return how likely a seat that plays first, second or third is to have played so."""
    past = np.zeros(14, dtype=np.int64)
    who = np.zeros(14, dtype=np.int64)
    cards = parse_cards(plays)
    for at, card in enumerate(cards):
        past[at], who[at] = RANK[card], at % 3
    left = np.array([RANK[card] for card in parse_cards(rest)] + [0], dtype=np.int64)
    return three_belief.likelihood(
        left, 3, past, who, len(cards), start, seat, to_play, 2, three_styles.RULES, 0.15
    )


def test_a_go_rules_out_the_hands_that_could_have_played() -> None:
    # At 30 nobody had an ace, so that the second seat led again.
    assert likelihood("AS4CKD", "5HTD9C6C", 2, 1, 4) == 0
    assert likelihood("4C9SKD", "5HTD9C6C", 2, 1, 4) > 0


def test_a_hand_that_missed_a_fifteen_is_unlikely() -> None:
    assert likelihood("TDJHQC", "5H9C", 1, 2, 0) < 0.1
    assert likelihood("9D9H9S", "5H9C", 1, 2, 0) == 1


def test_worlds_consist_of_unseen_cards_and_respect_the_number_held() -> None:
    unseen = np.array([4, 4, 3, 4, 3, 3, 3, 3, 4, 4, 4, 4, 3], dtype=np.int64)
    sizes = np.array([4, 4, 4], dtype=np.int64)
    past = np.zeros(14, dtype=np.int64)
    worlds = np.zeros((200, 3, 13), dtype=np.int64)
    manners = np.zeros((200, 3), dtype=np.int64)
    weights = np.zeros(200)
    keeps = np.ones((3, 13**4))
    trust = np.full((3, len(STYLES)), 1 / len(STYLES))
    number = three_belief.draw_worlds(
        unseen,
        sizes,
        past,
        past.copy(),
        0,
        0,
        0,
        2,
        keeps,
        STYLES,
        trust,
        200,
        np.array([5], dtype=np.uint64),
        worlds,
        manners,
        weights,
    )
    assert number > 190
    assert (worlds[:number, 1:].sum(axis=2) == 4).all()
    assert (worlds[:number].sum(axis=1) <= unseen).all()
    assert (weights[:number] > 0).all()
    assert (manners[:number, 0] == 0).all()
    assert set(manners[:number, 1:].flat) == set(STYLES[:, 0])


def test_a_card_that_wins_at_once_is_certain_to_win() -> None:
    view = seen_by(0, "5HTD9C", (119, 118, 118))
    legal, values = three.rate_by_belief(view)
    chances = dict(zip(legal.tolist(), values[:, 1].tolist(), strict=True))
    assert chances[RANK[parse_cards("7D")[0]]] == pytest.approx(1.0)
    assert chances[RANK[parse_cards("6C")[0]]] < 1
    assert three.rank_by_belief(view) == RANK[parse_cards("7D")[0]]


def test_the_belief_depends_on_how_often_a_hand_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    view = seen_by(0, "")
    usual = three.rate_by_belief(view)[1]
    monkeypatch.setattr(three_opponents, "keeps", lambda: np.ones((3, 13**4)))
    assert np.abs(three.rate_by_belief(view)[1] - usual).max() > 0.001


def test_the_shares_of_kept_hands_can_be_reproduced() -> None:
    again = build_tables_three.keeps(tables.load("crib_3"))
    assert np.array_equal(again, tables.load("keeps_3_club"))
