"""Match logs in words: complete, and with a reason for every point."""

from typing import Any

import pytest
from django.utils.translation import override

from games.engine import rules
from games.engine.cards import parse_card, parse_cards
from games.engine.events import Counted, GameWon, Mugged, Played
from games.engine.moves import Deal, Discard, Play
from games.engine.scoring import Part
from games.engine.state import Ruleset, State
from games.models import Match
from games.text.log_sentences import card_sign, lines, signs
from tests.support.positions import random_match, random_moves

NAMES = ("Ann", "Bob", "Cy")

TWENTY_NINE = [
    "- deal 5H5C5SJD2C3C 4H6H7S8DQCQS",
    "0 discard 2C3C",
    "1 discard QCQS",
    "- starter 5D",
    *("1 play 8D", "0 play 5H", "1 play 4H", "0 play JD", "1 play 7S", "0 play 5C"),
    *("1 play 6H", "0 play 5S"),
]
"""The moves of a hand in which seat 0 holds 29."""

RULES = [
    Ruleset(target=61, games=2),
    Ruleset(players=3, target=61),
    Ruleset(target=61, counting="manual"),
    Ruleset(players=3, target=61, counting="manual", muggins=True),
]
IDS = ["two", "three", "manual", "muggins"]


@pytest.mark.parametrize("ruleset", RULES, ids=IDS)
def test_every_point_has_a_line_with_a_reason(ruleset: Ruleset) -> None:
    for moment in random_match(ruleset, 5):
        told = list(lines(moment.move, moment.step.events, NAMES))
        gained = [after - before for before, after in scores(moment.state, moment.step.state)]
        for seat, points in enumerate(gained):
            said = sum(line.points for line in told if line.seat == seat)
            # The winner's score stops at the target; the line shows the full count.
            assert said == points or (said > points and moment.step.state.results)
        assert all(line.text and "%" not in line.text for line in told)
        last = [line.scores for line in told if line.scores is not None]
        if last and moment.step.state.hand is not None:
            assert last[-1] == moment.step.state.scores


def scores(before: State, after: State) -> list[tuple[int, int]]:
    start = before.scores if before.game == after.game else (0,) * len(after.scores)
    return list(zip(start, after.scores, strict=True))


@pytest.mark.parametrize("ruleset", RULES, ids=IDS)
def test_deals_and_discards_are_described(ruleset: Ruleset) -> None:
    for step, move in zip(
        rules.steps(ruleset, random_moves(ruleset, 5)), random_moves(ruleset, 5), strict=True
    ):
        told = [line.text for line in lines(move, step.events, NAMES)]
        if isinstance(move, Deal):
            hands = [f"is dealt {signs(cards)}" for cards in move.hands]
            crib = () if move.crib_card is None else (move.crib_card,)
            assert told == hands + [f"{card_sign(card)} is dealt to the crib" for card in crib]
        if isinstance(move, Discard):
            assert told == [f"throws {signs(move.cards)}"]


@pytest.mark.parametrize(
    ("log", "said"),
    [
        (["- cut 5H KD"], "Cut for the deal: Ann 5♥, Bob K♦; Ann to deal"),
        (["- cut 5H 5D"], "Cut for the deal: Ann 5♥, Bob 5♦; tie, cut again"),
    ],
)
def test_a_cut_names_the_dealer(log: list[str], said: str) -> None:
    assert texts(Ruleset(), log) == [said]


def test_a_resignation_has_the_word_of_the_table_and_the_match_list() -> None:
    log = ["- deal 5H5C5SJD2C3C 4H6H7S8DQCQS", "1 resign"]
    assert texts(Ruleset(first_dealer=0), log)[2] == str(Match.EndedBy.RESIGNED.label)


def test_a_hand_is_described_as_at_the_table() -> None:
    told = texts(Ruleset(first_dealer=0), TWENTY_NINE)
    assert told[:2] == ["is dealt 2♣ 3♣ 5♣ 5♥ 5♠ J♦", "is dealt 4♥ 6♥ 7♠ 8♦ Q♣ Q♠"]
    assert "The starter is 5♦" in told
    hand = next(text for text in told if text.startswith("hand 5♣ 5♥ 5♠ J♦ + 5♦"))
    assert hand.endswith("and his nobs is twenty-nine")
    assert told[told.index("says go at 27") + 1] == "go"
    assert told[-1].startswith("crib 2♣ 3♣ Q♣ Q♠ + 5♦: ")


def test_in_french_a_space_stands_before_the_colon_of_a_card_and_a_count() -> None:
    with override("fr"):
        told = texts(Ruleset(first_dealer=0), TWENTY_NINE)
    scored = [text for text in told if ":" in text]
    assert scored
    assert all("\N{NO-BREAK SPACE}:" in text for text in scored)


def test_a_ten_is_written_in_digits() -> None:
    assert card_sign(parse_card("TH")) == "10♥"


def test_a_computer_that_wins_for_a_player_who_left_does_not_make_them_the_winner() -> None:
    won = GameWon(game=1, winner=0, scores=(121, 90), skunks=(0, 1), points=2)
    for left, said in (
        ({}, [(0, "wins the game, 121 – 90")]),
        ({1: "left"}, [(0, "wins the game, 121 – 90")]),
        ({0: "timed_out"}, [(None, "The computer finished the game, 121 – 90")]),
    ):
        told = lines(Play(0, parse_card("5H")), [won], NAMES, left)
        assert [(line.seat, line.text) for line in told] == said


@pytest.mark.parametrize(
    ("points", "said"), [(2, "muggins from Ann"), (0, "Muggins! Nothing missed")]
)
def test_a_call_of_muggins_that_takes_nothing_is_not_described_as_taking_points(
    points: int, said: str
) -> None:
    called = Mugged(seat=1, victim=0, item="hand", points=points, scores=(3, 4))
    (line,) = lines(Play(0, parse_card("5H")), [called], NAMES)
    assert (line.text, line.points) == (said, points)


@pytest.mark.parametrize(
    ("points", "total", "claimed", "said"),
    [
        (29, None, 29, False),
        (29, 29, 29, False),
        (24, 29, 24, True),
        (29, 29, 28, True),
        (0, 29, 0, True),
    ],
)
def test_a_claim_is_named_only_where_it_differs_from_what_the_cards_are_worth(
    points: int, total: int | None, claimed: int, *, said: bool
) -> None:
    *cards, starter = parse_cards("5H5C5SJD5D")
    parts = () if total is None else (Part("fifteen", (starter,), total),)
    for event in (
        Counted(0, "hand", tuple(cards), points, total, starter, claimed, (29, 0)),
        Played(0, starter, 15, points, parts, claimed, (29, 0)),
    ):
        (line,) = lines(Play(0, starter), [event], NAMES)
        assert (f"claimed {claimed}" in line.text) is said


def texts(ruleset: Ruleset, log: list[str]) -> list[str]:
    from games.engine.moves import parse_move

    moves: list[Any] = [parse_move(text) for text in log]
    return [
        line.text
        for move, step in zip(moves, rules.steps(ruleset, moves), strict=True)
        for line in lines(move, step.events, NAMES)
    ]
