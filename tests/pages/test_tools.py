"""The hand counter and the discard helper: results, errors and addresses."""

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags

from games.analysis.discard_value import Role
from games.analysis.discards import evaluate_discards
from games.engine.cards import parse_cards
from games.text.count_phrases import card_words

pytestmark = pytest.mark.django_db

SIX, FIVE = "4H 5H 6S JC 9D KS", "5D 5S 7C JH QS"


def count(client: Client, cards: str, **more: str) -> Any:
    return client.get("/count/", {"cards": cards} | more)


def rank(client: Client, cards: str, **more: str) -> Any:
    return client.get("/discards/", {"cards": cards, "role": "dealer"} | more)


def error_at(answer: Any, name: str) -> str:
    """Return a field's error message; the field must be marked and refer to its error."""
    assert answer.status_code == 422
    page = answer.content.decode()
    field = re.search(rf'<input[^>]*name="{name}"[^>]*>', page)
    assert field and 'aria-invalid="true"' in field[0]
    described = re.search(r'aria-describedby="([^"]*)"', field[0])
    assert described and f"id_{name}_error" in described[1].split()
    said = re.search(rf'<p class="field-error" id="id_{name}_error">(.*?)</p>', page)
    assert said
    return said[1]


@pytest.mark.parametrize(
    ("cards", "more", "total", "said"),
    [
        ("5H 5C 5S JD 5D", {}, 29, "and his nobs is twenty-nine"),
        ("7D 8S QC KH 9D", {}, 5, "fifteen two, and a run of three is five"),
        ("2H 6H 9H KH 4C", {}, 8, "and a flush of four is eight"),
        ("2H 6H 9H KH 4C", {"crib": "1"}, 4, "In the crib, a flush needs all five cards"),
        ("2C 4D 6S 8H TC", {}, 0, "Players call this “nineteen”"),
    ],
)
def test_a_hand_is_counted_in_points_and_words(
    client: Client, cards: str, more: dict[str, str], total: int, said: str
) -> None:
    answer = count(client, cards, **more)
    assert answer.context["total"] == total
    assert said in strip_tags(answer.content.decode())


def test_each_combination_lists_its_cards(client: Client) -> None:
    page = count(client, "5H 5C 5S JD 5D").content.decode()
    named = re.findall(r'data-part="([^"]*)"', page)
    assert len(named) == 10
    assert {"5H JD", "5H 5C 5S", "5H 5C 5S 5D", "JD"} <= set(named)


@pytest.mark.parametrize(
    "typed",
    [
        "5h5c 5s,jd 5d",
        "5♥ 5♣ 5♠ J♦ 5♦",
        "5♥\ufe0f 5♣\ufe0f 5♠\ufe0f J♦\ufe0f 5♦\ufe0f",  # as phones write them
        "5♡ 5♧ 5♤ J♢ 5♢",
        "\ufeff5H\u200b 5C 5S JD 5D",
        " 5H  5C 5S JD 5D ",
    ],
)
def test_cards_typed_in_any_style_lead_to_one_address(client: Client, typed: str) -> None:
    answer = count(client, typed, crib="on")
    assert answer.headers["Location"] == "/count/?cards=5H+5C+5S+JD+5D&crib=1"
    as_hand = count(client, typed, crib="0")
    assert as_hand.headers["Location"] == "/count/?cards=5H+5C+5S+JD+5D"
    followed = client.get(answer.headers["Location"])
    assert followed.context["total"] == 29
    assert followed.context["share"].endswith(answer.headers["Location"])


def test_a_ten_may_be_typed_as_10(client: Client) -> None:
    assert "cards=TC+2D" in count(client, "10C 2D 3D 4D 5S").headers["Location"]


@pytest.mark.parametrize("path", ["/count/", "/discards/"])
@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("", "required"),
        ("5H 5C 5H JD 5D", "The five of hearts is there twice."),
        ("5H 5C 1X JD 5D", "“1X” isn&#x27;t a card."),
        ("5H 5C <b> JD 5D", "“&lt;b&gt;” isn&#x27;t a card."),
        ("5H 5C", "You have 2 cards."),
        ("5H 5C 5S JD 5D 2D 3D", "You have 7 cards."),
        ("5H " * 40, "Use at most 80."),
    ],
)
def test_bad_cards_are_explained_at_their_field(
    client: Client, path: str, cards: str, said: str
) -> None:
    assert said in error_at(client.get(path, {"cards": cards}), "cards")


def test_a_wrong_number_of_cards_is_told_in_whole_sentences(client: Client) -> None:
    answer = client.get("/discards/", {"cards": "5H 5C"})
    said = "Choose six cards, or five for a three-player game. You have 2 cards."
    assert said in error_at(answer, "cards")


def test_six_cards_cannot_be_counted(client: Client) -> None:
    assert "You have 6 cards." in error_at(count(client, SIX), "cards")


@pytest.mark.parametrize(
    ("cards", "role", "scores", "number"),
    [
        (SIX, "dealer", (), 15),
        (SIX, "pone", (96, 110), 15),
        (FIVE, "dealer", (), 5),
        (FIVE, "pone", (90, 80, 110), 5),
    ],
)
def test_throws_are_ranked_as_by_the_analysis(
    client: Client, cards: str, role: Role, scores: tuple[int, ...], number: int
) -> None:
    given = {
        name: str(score) for name, score in zip(("own", "other", "third"), scores, strict=False)
    }
    lines = rank(client, cards, role=role, **given).context["throws"]
    found = evaluate_discards(parse_cards(cards), role, scores or None, 3 if number == 5 else 2)
    assert len(lines) == number
    for line, value in zip(lines, found, strict=True):
        said = re.findall('aria-label="([^"]*)"', line.thrown + line.kept)
        assert said == [card_words(card) for card in (*value.thrown, *value.kept)]


def test_a_throw_shows_its_averages_range_and_chances(client: Client) -> None:
    answer = rank(client, SIX, least="12")
    (best, *_) = evaluate_discards(parse_cards(SIX), "dealer")
    line = answer.context["throws"][0]
    starters = 46
    counts = [points for points, times in enumerate(best.spread) if times]
    assert (line.low, line.high) == (counts[0], counts[-1])
    assert line.hand == f"{best.hand:.2f}"
    assert line.crib == f"{best.crib:.2f}"
    assert line.total == f"{best.total:.2f}"
    assert line.at_least == f"{100 * sum(best.spread[12:]) / starters:.0f}%"
    assert line.chance == f"{100 * best.chance:.1f}%"
    text = strip_tags(answer.content.decode())
    assert "12 or more" in text and "Your crib" in text
    assert "Dealer's crib" in html.unescape(rank(client, SIX, role="pone").content.decode())


@pytest.mark.parametrize("cards", ["5H 6H 7S JC 9D KS", "5H 6H 7S JC 9D"])
def test_the_score_for_which_chances_hold_is_told(client: Client, cards: str) -> None:
    first = client.get("/discards/", {"cards": cards, "role": "dealer"}).content.decode()
    assert "Chances to win are for the start of a game. Add the scores to see yours." in first
    assert re.search(r'throw-chance"[^>]*>[0-9.]+%', first)
    late = {"cards": cards, "role": "dealer", "own": "90", "other": "95", "third": "80"}
    assert "for the start of a game" not in client.get("/discards/", late).content.decode()


def test_default_values_are_left_out_of_the_address(client: Client) -> None:
    answer = client.get(
        "/discards/",
        {"cards": "4h5h6s jc9dks", "role": "pone", "own": "90", "other": "100"}
        | {"third": "", "target": "121", "least": "10"},
    )
    address = "/discards/?cards=4H+5H+6S+JC+9D+KS&role=pone&own=90&other=100"
    assert answer.headers["Location"] == address
    assert client.get(address).status_code == 200


@pytest.mark.parametrize(
    ("cards", "more", "field", "said"),
    [
        (SIX, {"own": "121", "other": "3"}, "own", "scores are 0 to 120."),
        (SIX, {"own": "61", "other": "3", "target": "61"}, "own", "scores are 0 to 60."),
        (SIX, {"own": "5", "other": "-1"}, "other", "scores are 0 to 120."),
        (SIX, {"own": "5", "other": "many"}, "other", "whole number"),
        (SIX, {"own": "5"}, "other", "Enter every player"),
        (FIVE, {"own": "5", "other": "5"}, "third", "Enter every player"),
        (SIX, {"own": "5", "other": "5", "third": "5"}, "third", "six cards mean two players"),
        (SIX, {"least": "30"}, "least", "less than or equal to 29"),
    ],
)
def test_bad_scores_are_explained_at_their_field(
    client: Client, cards: str, more: dict[str, str], field: str, said: str
) -> None:
    answer = rank(client, cards, **more)
    assert said in error_at(answer, field)
    assert '<details class="options" open>' in answer.content.decode()


def test_invalid_choices_are_refused(client: Client) -> None:
    for more in ({"role": "dog"}, {"target": "99"}):
        answer = rank(client, SIX, **more)
        assert answer.status_code == 422
        assert "is not one of the available choices" in answer.content.decode()


@pytest.mark.parametrize("path", ["/count/", "/discards/"])
def test_a_tool_is_linked_from_every_page_and_from_the_rules(client: Client, path: str) -> None:
    assert f'href="{path}"' in client.get("/").content.decode()
    # In the header, in the footer, and in the rules themselves.
    assert client.get("/rules/").content.decode().count(f'href="{path}"') == 3


@pytest.mark.parametrize("path", ["/count/", "/discards/"])
def test_a_tool_without_input_shows_no_error_but_examples(client: Client, path: str) -> None:
    page = client.get(path)
    assert page.status_code == 200
    assert "field-error" not in page.content.decode()
    for address in re.findall(r'href="(\?cards=[^"]*)"', page.content.decode()):
        followed = client.get(path + address.replace("&amp;", "&"), follow=True)
        assert followed.status_code == 200


def test_a_tool_refuses_post_requests(client: Client) -> None:
    assert client.post("/count/").status_code == 405
    assert client.head("/discards/").status_code == 200
