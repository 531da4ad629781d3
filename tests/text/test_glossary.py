"""Words of cribbage: explained where pages use them, in the same words as in the rules."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from games.people.accounts import create_guest
from games.text.glossary import OF_THE_RULES, WORDS
from tests.support.ended import ended

pytestmark = pytest.mark.django_db

EXPLAINED = re.compile(r'<details class="explained">.*?</details>', re.DOTALL)


def page(client: Client, path: str) -> str:
    return unescape(client.get(path).content.decode())


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/", ["muggins"]),
        ("/lobby/", ["muggins"]),
        ("/puzzles/", ["storm"]),
        ("/matches/", ["skunk"]),
    ],
)
def test_a_page_explains_the_words_that_it_uses(
    client: Client, path: str, names: list[str]
) -> None:
    guest = create_guest()
    ended(guest)
    client.force_login(guest)
    shown = " ".join(EXPLAINED.findall(page(client, path)))
    for name in names:
        assert str(WORDS[name].term) in shown
        assert str(WORDS[name].meaning) in shown


def test_the_rules_explain_each_word_of_the_game_in_the_same_words(client: Client) -> None:
    rules = page(client, "/rules/")
    for name in OF_THE_RULES:
        assert f"<dt>{WORDS[name].term}</dt><dd>{WORDS[name].meaning}</dd>" in rules


def test_the_rules_explain_pegging_which_results_and_courses_name(client: Client) -> None:
    """The rules themselves call it the play."""
    assert "<dt>Pegging</dt>" in client.get("/rules/").content.decode()
