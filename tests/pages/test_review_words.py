"""The words of a review: reasons of mistakes, and what a decision cost."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from django.test import Client
from django.utils.translation import override

from games.analysis.review_verdicts import Summary
from games.models import Player
from games.pages.learn import review_words
from tests.pages.test_review import items_of, page, reviewed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("requested_reviews")]


def test_each_mistake_has_a_sentence_and_no_other_decision_does(
    client: Client, player: Player
) -> None:
    match = reviewed(player)
    items = [item for item in items_of(match) if not item.forced]
    said = [review_words.reason(item) for item in items]
    assert any(said)
    for item, text in zip(items, said, strict=True):
        assert bool(text) == (item.verdict not in {"best", "fine"})
    text = page(client, match, "?seat=all")
    decisions = text.split('id="decisions"')[1]
    assert decisions.count('<p class="reason">') == sum(map(bool, said))
    panel = client.get(f"/matches/{match.public_id}/review.json").json()
    assert [one["reason"] for one in panel["items"]] == said


@pytest.mark.parametrize(("level", "told"), [("ada", True), ("poppy", False)])
def test_the_strongest_computer_is_known_as_the_judge(
    client: Client, player: Player, level: str, told: bool
) -> None:
    match = reviewed(player)
    Player.objects.filter(seats__match=match, kind="computer").update(bot=level)
    text = page(client, match)
    assert ("are one program and nearly always agree" in text) == told


def test_a_negative_loss_is_shown_as_a_gain() -> None:
    shown = [review_words.lost(value, review_words.points) for value in (0.34, -0.34, 0.02, 0.0)]
    assert shown == ["−0.3", "+0.3", "0.0", "0.0"]


@pytest.mark.parametrize(
    ("points", "chance", "said"),
    [
        (0.43, 0.028, "−2.8% chance to win, −0.4 points"),
        (-2.5, 0.028, "−2.8% chance to win, though +2.5 points"),
        (0.02, 0.028, "−2.8% chance to win"),
        (0.3, 0.0002, "−0.3 points"),
        (-0.02, 0.0003, ""),
    ],
)
def test_a_loss_names_what_it_cost_and_never_nothing(
    points: float, chance: float, said: str
) -> None:
    assert review_words.loss(points_lost=points, chance_lost=chance) == said


@pytest.mark.parametrize(
    ("points", "chance", "said"),
    [
        (0.43, 0.028, "−2,8 % de chances de gagner, −0,4 point"),
        (-1.94, 0.028, "−2,8 % de chances de gagner, malgré +1,9 point"),
        (1.0, 0.0, "−1,0 point"),
        (1.96, 0.0, "−2,0 points"),
    ],
)
def test_in_french_a_fraction_below_two_is_singular(
    points: float, chance: float, said: str
) -> None:
    with override("fr"):
        found = review_words.loss(points_lost=points, chance_lost=chance)
    assert found.replace(" ", " ") == said


def test_a_close_choice_that_counts_says_why() -> None:
    counted, free = (Mock(verdict="close", loss=loss) for loss in (1.3, 0.0))
    assert "the loss is likely, not certain" in review_words.reason(counted)
    assert review_words.reason(free) == "Close: good judges differ here."


def test_points_below_zero_have_a_minus_sign_and_no_hyphen() -> None:
    assert [review_words.whole(points) for points in (12, 0, -3)] == ["12", "0", "−3"]


@pytest.mark.parametrize(("chance", "told"), [(1.47, True), (0.62, False)])
def test_losses_of_more_than_a_whole_game_are_said_to_be_a_sum(
    client: Client,
    player: Player,
    monkeypatch: pytest.MonkeyPatch,
    chance: float,
    told: bool,
) -> None:
    monkeypatch.setattr(Summary, "chance", chance)
    text = page(client, reviewed(player))
    assert f"−{100 * chance:.1f}%" in text
    note = "The last row adds up the losses of all decisions, so it can be more than a whole game."
    assert (note in text) == told
