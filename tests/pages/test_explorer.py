"""The page of the explorer: its table, its refusals and its addresses."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.archive.explorer import spots
from games.engine.cards import parse_cards
from games.models import Choice, Match, PublicMatch
from games.pages.learn import explorer as page
from tests.support.people import make_match
from tests.support.played import play_on

pytestmark = pytest.mark.django_db

SIX = "4H 5H 6S JC 9D KS"
CARDS = parse_cards(SIX)


def ask(client: Client, cards: str = SIX, **more: str) -> Any:
    return client.get("/explorer/", {"cards": cards, "role": "dealer"} | more)


def made(throw: str, times: int = 1, group: int = Choice.Group.UNRATED) -> Match:
    """File a throw from the six cards this many times, in one public match."""
    match, _people = make_match()
    play_on(match.public_id)
    Match.objects.filter(pk=match.pk).update(watchable=True)
    public = PublicMatch.objects.create(match=match)
    Choice.objects.bulk_create(
        Choice(
            match=public,
            game=1,
            hand=2,
            seat=1,
            spot=spots.throw_spot(CARDS, dealer=True),
            choice=spots.throw_choice(CARDS, parse_cards(throw)),
            group=group,
            stage=Choice.Stage.EARLY,
            points=9 + at,
        )
        for at in range(times)
    )
    return match


def test_throws_are_listed_by_how_often_they_were_made(client: Client) -> None:
    made("9D KS", 1)
    match = made("JC KS", 3)
    answer = ask(client)
    assert answer.context["total"] == 4
    first, second = answer.context["lines"][:2]
    assert (first.times, first.share, first.scored) == (3, "75%", "10.00")
    assert (second.times, second.share) == (1, "25%")
    assert f"/matches/{match.public_id}/1.2/?side=1&amp;open=1" in answer.content.decode()


def test_the_best_throw_is_listed_and_marked_even_if_nobody_made_it(client: Client) -> None:
    made("4H 5H", 1)
    lines = ask(client).context["lines"]
    assert [(line.times, line.best) for line in lines] == [(1, False), (0, True)]


def test_the_same_hand_in_other_suits_has_the_same_answer(client: Client) -> None:
    made("9D KS", 2)
    answer = ask(client, "KD 9C JH 6C 5S 4D")
    assert answer.context["total"] == 2
    assert "king of diamonds" in str(answer.context["lines"][0].cards)


def test_computers_are_counted_apart(client: Client) -> None:
    made("9D KS", 2, Choice.Group.COMPUTER)
    assert ask(client).context["total"] == 0
    assert ask(client, who="computers").context["total"] == 2


def test_a_hand_that_nobody_held_offers_the_analysis(client: Client) -> None:
    text = ask(client).content.decode()
    assert "No one has been dealt this hand yet" in text
    assert "/discards/?cards=" in text


@pytest.mark.parametrize(
    ("cards", "wrong"),
    [("4H 5H 6S", "Choose six cards."), ("4H 4H 6S JC 9D KS", "twice"), ("XX", "isn&#x27;t")],
)
def test_wrong_cards_are_explained(client: Client, cards: str, wrong: str) -> None:
    answer = ask(client, cards)
    assert answer.status_code == 422
    assert wrong in answer.content.decode().replace("isn’t", "isn&#x27;t")


def test_an_unknown_group_is_refused(client: Client) -> None:
    assert ask(client, who="nobody").status_code == 422


def test_defaults_are_left_out_of_the_address(client: Client) -> None:
    answer = ask(client, who="people", score="all", other="1")
    assert answer.status_code == 302
    assert answer["Location"] == "/explorer/?cards=4H+5H+6S+JC+9D+KS&role=dealer"


def test_a_hand_being_played_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    made("9D KS", 2)
    monkeypatch.setattr(page.analysis_access, "refusal", lambda *_args: "Not now.")
    answer = ask(client)
    assert answer.status_code == 422
    assert "lines" not in answer.context
    assert "Not now." in answer.content.decode()
