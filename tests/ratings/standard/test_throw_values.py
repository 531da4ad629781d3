"""Discards are judged as decisions; what they made, and the starter's luck, are told apart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils.translation import override

from games.analysis.discards import evaluate_discards
from games.engine.cards import NAMES, parse_cards
from ratings.pages import sentences
from ratings.standard.field import DiscardChoice, HandComparison
from ratings.standard.throw_values import JudgedHand, best_and_worst, judge

DEALT = "5H 5D 6S JC QH 2D"


def throws_from(dealt: str) -> list[str]:
    """Return the discards from a pone's cards, best first."""
    return [
        " ".join(NAMES[card] for card in sorted(value.thrown))
        for value in evaluate_discards(parse_cards(dealt), "pone")
    ]


def a_hand(
    number: int,
    own: tuple[str, float],
    other: tuple[str, float],
    luck: float = 0.0,
    after: int = 20,
) -> HandComparison:
    """Return a hand: the player's discard and net points, and those of two others."""
    return HandComparison(
        number=number,
        dealer=False,
        dealt=DEALT,
        starter="KS",
        own={"net": own[1], "thrown": own[0], "luck": luck, "after": after},
        mean=other[1],
        others=2,
        same=0,
        throws=(
            DiscardChoice(other[0], 2, other[1], own=False),
            DiscardChoice(own[0], 1, own[1], own=True),
        ),
        swing=own[1] - other[1],
    )


def test_best_and_worst_are_chosen_by_decision_whatever_came_of_it() -> None:
    best, *_, worst = throws_from(DEALT)
    unlucky = a_hand(1, own=(best, -12.0), other=(worst, 9.0))
    lucky = a_hand(2, own=(worst, 15.0), other=(best, -6.0))
    judged = judge([unlucky, lucky], seats=2)
    good, bad = best_and_worst(judged)
    assert (good, bad) == (judged[1], judged[2])
    assert good is not None
    assert bad is not None
    assert good.own.cost == 0
    assert good.gain == pytest.approx(bad.own.cost)
    assert bad.best == best


def test_what_a_discard_made_is_measured_from_the_mean_of_all() -> None:
    best, *_, worst = throws_from(DEALT)
    judged = judge([a_hand(1, own=(best, -12.0), other=(worst, 9.0))], seats=2)[1]
    made = {throw.cards: throw.made for throw in judged.throws}
    assert made == {best: pytest.approx(-14.0), worst: pytest.approx(7.0)}


def test_the_best_discard_is_shown_even_if_nobody_found_it() -> None:
    best, second, *_, worst = throws_from(DEALT)
    judged = judge([a_hand(1, own=(second, 1.0), other=(worst, 1.0))], seats=2)[1]
    assert [(throw.cards, throw.number) for throw in judged.throws] == [
        (best, 0),
        (second, 1),
        (worst, 2),
    ]
    assert judged.throws[0].made is None


@pytest.mark.parametrize(
    ("right", "luck", "said"),
    [
        (True, 0.0, "Right discard"),
        (True, -2.0, "Right discard, unlucky starter"),
        (True, 2.0, "Right discard, lucky starter"),
        (False, 0.0, "points below the best discard"),
        (False, 3.0, "lucky starter"),
        (False, -3.0, "unlucky starter"),
    ],
)
def test_the_luck_of_the_starter_is_told_apart(right: bool, luck: float, said: str) -> None:
    best, *_, worst = throws_from(DEALT)
    own, other = (best, worst) if right else (worst, best)
    judged = judge([a_hand(1, own=(own, 0.0), other=(other, 0.0), luck=luck)], seats=2)[1]
    assert sentences.throw_verdict(judged).endswith(said)


@pytest.mark.parametrize(
    ("luck", "said"), [(0.0, "défausse"), (3.0, "chance à la retourne"), (-3.0, "malchance")]
)
def test_in_french_a_cost_below_two_points_is_singular(luck: float, said: str) -> None:
    best, *_, worst = throws_from(DEALT)
    judged = judge([a_hand(1, own=(worst, 0.0), other=(best, 0.0), luck=luck)], seats=2)[1]
    with override("fr"):
        for cost, noun in ((1.3, "1,3 point "), (2.0, "2,0 points ")):
            text = sentences.throw_verdict(replace(judged, own=replace(judged.own, cost=cost)))
            assert text.startswith(noun) and said in text


@pytest.mark.parametrize(("after", "net"), [(101, 30.0), (60, -45.0)])
def test_throws_near_the_end_are_not_judged_by_averages(after: int, net: float) -> None:
    """Either side has 100 points or more before the last hand."""
    best, *_, worst = throws_from(DEALT)
    hands = [
        a_hand(1, own=(best, net), other=(worst, 0.0), after=after),
        a_hand(2, own=(worst, 0.0), other=(best, 0.0), after=121),
    ]
    assert set(judge(hands, seats=2)) == {1}


def test_a_hand_whose_cards_are_unknown_is_not_judged() -> None:
    best, *_, worst = throws_from(DEALT)
    hand = a_hand(1, own=(best, 0.0), other=(worst, 0.0))
    unknown = HandComparison(
        **{name: getattr(hand, name) for name in hand.__slots__} | {"dealt": ""}
    )
    assert judge([unknown], seats=2) == {}
    judged: dict[int, JudgedHand] = {}
    assert best_and_worst(judged) == (None, None)
