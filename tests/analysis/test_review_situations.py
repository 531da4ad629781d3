"""Situations of decisions: known positions of a log, and the bounds of phases and scores."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.analysis.review_situations import Situation, situations
from games.engine.cards import parse_card, parse_cards
from games.engine.illegal import IllegalMove
from games.engine.moves import Deal, Discard, Move, Play, Starter
from games.engine.state import Ruleset
from tests.support.hands import game_log

PONE, DEALER = "4H 5H 6S JC 9D KS", "7C 8D 2H QS 3C KD"


def hand(*plays: tuple[int, str]) -> list[Move]:
    """Return a hand in which seat 1 deals; ``plays`` follow the starter."""
    return [
        Deal((parse_cards(PONE), parse_cards(DEALER))),
        Discard(0, parse_cards("9D KS")),
        Discard(1, parse_cards("QS KD")),
        Starter(parse_card("TD")),
        *(Play(seat, parse_card(card)) for seat, card in plays),
    ]


def of_hand(scores: tuple[int, int] = (0, 0), target: int = 121) -> dict[int, Situation]:
    ruleset = Ruleset(first_dealer=1, target=target, scores=scores)
    plays = [(0, "4H"), (1, "8D"), (0, "5H"), (1, "7C"), (0, "6S"), (1, "3C"), (0, "JC")]
    return situations(ruleset, hand(*plays))


def test_a_throw_a_lead_an_answer_and_the_last_two_cards_are_told_apart() -> None:
    found = of_hand()
    assert [found[at].kind for at in (1, 2)] == ["throw", "throw"]
    kinds = [found[at].kind for at in sorted(found) if at > 3]
    assert kinds == ["lead", "answer", "answer", "answer", "late", "late", "late"]


def test_chance_has_no_situation_and_the_role_is_the_seats() -> None:
    found = of_hand()
    assert 0 not in found
    assert 3 not in found
    assert not found[1].dealer
    assert found[2].dealer


@pytest.mark.parametrize(
    ("scores", "target", "phase"),
    [
        ((45, 0), 121, "early"),
        ((0, 46), 121, "middle"),
        ((90, 0), 121, "middle"),
        ((91, 91), 121, "end"),
        ((15, 0), 61, "early"),
        ((16, 0), 61, "middle"),
        ((31, 0), 61, "end"),
    ],
)
def test_the_player_in_front_tells_the_phase(
    scores: tuple[int, int], target: int, phase: str
) -> None:
    assert of_hand(scores, target)[1].phase == phase


@pytest.mark.parametrize(
    ("scores", "standing"),
    [((20, 25), "level"), ((25, 20), "level"), ((26, 20), "ahead"), ((20, 26), "behind")],
)
def test_scores_within_five_points_are_level(scores: tuple[int, int], standing: str) -> None:
    assert of_hand(scores)[1].standing == standing


def test_every_decision_of_a_game_has_a_situation() -> None:
    ruleset, moves, _state = game_log(3)
    decided = {at for at, move in enumerate(moves) if isinstance(move, Discard | Play)}
    assert set(situations(ruleset, moves)) == decided
    shorter = replace(ruleset, first_dealer=1)
    with pytest.raises(IllegalMove):
        situations(shorter, moves[: len(moves) // 2] + moves[:1])
