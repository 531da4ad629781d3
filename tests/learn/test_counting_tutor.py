"""The counting tutor: exercises, feedback, hints and pages."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags

from games.engine.cards import NAMES, parse_card, parse_cards
from games.engine.scoring import count_hand
from games.learn import tutor


def made(cards: str, *, level: int = 5) -> tutor.Exercise:
    *hand, starter = parse_cards(cards)
    return tutor.Exercise(tutor.LEVELS[level - 1], 1, tuple(sorted(hand)), starter)


def judged(cards: str, kind: tutor.Kind, picked: str, *, level: int = 5) -> tutor.Answer:
    return tutor.judge(made(cards, level=level), kind, parse_cards(picked), ())


@pytest.mark.parametrize("level", [level.number for level in tutor.LEVELS])
def test_exercises_match_their_level_and_never_change(level: int) -> None:
    hands = [tutor.exercise(level, number) for number in range(1, 25)]
    tutor.exercise.cache_clear()
    assert [tutor.exercise(level, number) for number in range(1, 25)] == hands
    for asked in hands:
        assert {tutor.kind_of(part) for part in asked.parts} <= set(asked.level.kinds)
        assert asked.total == count_hand(asked.hand, asked.starter, asked.is_crib)


def test_each_level_practises_its_new_combinations() -> None:
    def kinds(level: int) -> set[str]:
        return {part.kind for n in range(1, 13) for part in tutor.exercise(level, n).parts}

    assert {"pair", "pair_royal"} <= kinds(1)
    assert "fifteen" in kinds(2)
    assert "run" in kinds(3)
    assert {"flush", "nobs"} <= kinds(4)
    fours = [
        asked
        for asked in (tutor.exercise(6, n) for n in range(1, 13))
        if len({card % 4 for card in asked.hand}) == 1
    ]
    assert {"flush" in {part.kind for part in asked.parts} for asked in fours} == {True, False}


@pytest.mark.parametrize(
    ("kind", "picked", "said"),
    [
        ("fifteen", "7H 8C", "Yes, fifteen: 2 points."),
        ("fifteen", "7H 8C 9D", "These make 24"),
        ("fifteen", "", "Pick the cards first"),
        ("pair", "8C 8S", "Yes, a pair: 2 points."),
        ("pair", "7H 8C", "Pick one pair at a time. But they do make fifteen."),
        ("pair", "8C", "One card isn't a pair"),
        ("run", "7H 8S 9D", "Yes, a run of three: 3 points."),
        ("run", "7H 8C 8S 9D", "A run has each rank once. Pick one run at a time."),
        ("run", "7H 8C", "at least three"),
        ("run", "8C 9D QH", "There's a gap."),
        ("flush", "7H QH", "A flush needs all four cards of your hand."),
        ("nobs", "QH", "the jack of the starter's suit"),
    ],
)
def test_each_pick_gets_specific_feedback(kind: tutor.Kind, picked: str, said: str) -> None:
    assert said in judged("7H 8C 8S 9D QH", kind, picked).text


@pytest.mark.parametrize(
    ("cards", "kind", "picked", "level", "said"),
    [
        ("5H 5C 5S 9D 2H", "pair", "5H 5C", 5, "one more card of that rank"),
        ("5H 5C 5S 9D 2H", "pair", "5H 5C 5S", 5, "Yes, a pair royal: 6 points."),
        ("4H 5C 6S 7D KH", "run", "4H 5C 6S", 5, "The run is longer. Pick all of it."),
        ("2H 6H 9H KH 4C", "flush", "2H 6H 9H KH", 4, "Yes, a flush of four: 4 points."),
        ("2H 6H 9H KH 4C", "flush", "2H 6H 9H KH", 6, "needs all five cards"),
        ("2H 6H 9H KH 4C", "flush", "2H 6H 9H KH 4C", 4, "just your four cards"),
        ("2H 6H 9H KH 4H", "flush", "2H 6H 9H KH", 6, "The starter matches too. Pick all five."),
        ("2H 6H 9S JC 4C", "nobs", "JC", 4, "Yes, his nobs: 1 point."),
        ("2H 6H 9S KC JC", "nobs", "JC", 4, "his heels"),
    ],
)
def test_feedback_for_incomplete_picks_flushes_and_nobs(
    cards: str, kind: tutor.Kind, picked: str, level: int, said: str
) -> None:
    assert said in judged(cards, kind, picked, level=level).text


def test_hints_come_in_steps_and_only_the_last_reveals_cards() -> None:
    asked = made("7H 8C 8S 9D QH")
    assert [tutor.hint(asked, (), step).part for step in (1, 2)] == [None, None]
    assert "5 combinations" in tutor.hint(asked, (), 1).text
    assert "There are 2 more fifteens. There's one more pair." in tutor.hint(asked, (), 2).text
    shown = tutor.hint(asked, (1, 2, 3, 4), 3)
    assert (shown.part, shown.text) == (
        0,
        "One more is fifteen: seven of hearts, eight of clubs.",
    )
    assert "You've found everything." in tutor.hint(asked, range(5), 3).text


class Learner:
    """A client that submits an exercise's form with the hidden fields as shown."""

    def __init__(self, client: Client, level: int, number: int) -> None:
        self.client = client
        self.address = f"/learn/count/{level}/{number}/"
        self.asked = tutor.exercise(level, number)
        self.answer: Any = client.get(self.address)

    @property
    def text(self) -> str:
        """The page's text."""
        return re.sub(r"\s+", " ", html.unescape(strip_tags(self.answer.content.decode())))

    def send(self, do: str, *cards: int, **more: str) -> None:
        """Say what the cards make. with these cards picked."""
        page = self.answer.content.decode()
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
        told: dict[str, Any] = {**hidden, "do": do, "cards": [NAMES[card] for card in cards]}
        self.answer = self.client.post(self.address, told | more)
        assert self.answer.status_code == 200

    def find_all(self) -> None:
        """Find every combination, one by one."""
        for part in self.asked.parts:
            self.send(tutor.kind_of(part), *part.cards)
            assert "Yes, " in self.text


@pytest.mark.django_db
def test_a_hand_can_be_counted_step_by_step_without_scripts(client: Client) -> None:
    learner = Learner(client, 3, 1)
    first = learner.asked.parts[0]
    learner.send("all")
    assert "Not yet." in learner.text
    learner.send("fifteen", *first.cards)
    learner.send("fifteen", *first.cards)
    assert "You've found that one already." in learner.text
    for part in learner.asked.parts[1:]:
        learner.send(tutor.kind_of(part), *part.cards)
    learner.send("all")
    assert "What's the total?" in learner.text
    learner.send("guess", total=str(learner.asked.total + 1))
    assert "Add up again." in learner.text
    learner.send("guess", total=str(learner.asked.total))
    assert "Right: 14 points." in learner.text
    assert "fifteen two, fifteen four, fifteen six, and a double run of three is" in learner.text
    assert "0 of 5 hands without help" in learner.text


@pytest.mark.django_db
def test_five_hands_without_help_unlock_the_next_level(client: Client) -> None:
    for number in range(1, 6):
        learner = Learner(client, 1, number)
        learner.find_all()
        learner.send("all")
        learner.send("guess", total=str(learner.asked.total))
        learner.send("guess", total=str(learner.asked.total))
    assert "5 of 5 hands without help" in learner.text
    assert "Next level" in learner.text
    page = client.get("/learn/count/").content.decode()
    assert "You've got this." in page
    assert 'href="/learn/count/1/6/"' in page


@pytest.mark.django_db
def test_a_total_can_be_guessed_at_once_and_a_wrong_one_shows_the_count(client: Client) -> None:
    learner = Learner(client, 5, 1)
    learner.send("guess", total="29")
    assert f"Not 29 but {learner.asked.total} points." in learner.text
    assert learner.text.count(" missed") == len(learner.asked.parts)
    again = Learner(client, 5, 2)
    again.send("guess", total=str(again.asked.total))
    assert "Right: " in again.text
    assert " missed" not in again.text
    assert "1 of 5 hands without help" in again.text


@pytest.mark.django_db
def test_invalid_input_gets_an_answer(client: Client) -> None:
    learner = Learner(client, 1, 1)
    for total in ("", "x", "-1", "30", "٣"):
        learner.send("guess", total=total)
        assert "Enter a total from 0 to 29." in learner.text
    learner.send("run", *learner.asked.parts[0].cards)
    assert "Say what the cards make." in learner.text
    learner.send("hint", found="0.0.99.x", shown="7", hint="99999", stage="?")
    assert "You've found everything." in learner.text
    foreign = next(card for card in range(52) if card not in learner.asked.five)
    learner.send("pair", foreign, parse_card("KS"))
    assert client.get("/learn/count/7/1/").status_code == 404
    assert client.get("/learn/count/1/0/").status_code == 404
