"""The page of the explorer: its table, its refusals and its addresses."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from django.test import Client

from games.archive.explorer import spots
from games.engine.cards import RANK, parse_cards
from games.learn import analysis_access
from games.models import Choice, DisputedHand, Match, PublicMatch
from tests.support.people import make_match
from tests.support.played import play_on

pytestmark = pytest.mark.django_db

SIX = "4H 5H 6S JC 9D KS"
CARDS = parse_cards(SIX)

GROUPS = {"1525+", "1475–1524", "Under 1475", "Unrated", "Computers"}


def ask(client: Client, cards: str = SIX, **more: str) -> Any:
    return client.get("/explorer/", {"cards": cards, "role": "dealer"} | more)


def made(
    throw: str, times: int = 1, group: int = Choice.Group.UNRATED, *, dealer: bool = True
) -> Match:
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
            spot=spots.throw_spot(CARDS, dealer=dealer),
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


@pytest.mark.parametrize(
    ("role", "said"), [("dealer", "your hand, your crib"), ("pone", "your hand minus their crib")]
)
def test_the_page_says_whose_crib_counts_how(client: Client, role: str, said: str) -> None:
    made("9D KS", dealer=role == "dealer")
    assert f"Scored: {said}" in ask(client, role=role).content.decode()


def test_the_same_hand_in_other_suits_has_the_same_answer(client: Client) -> None:
    made("9D KS", 2)
    answer = ask(client, "KD 9C JH 6C 5S 4D")
    assert answer.context["total"] == 2
    assert "king of diamonds" in str(answer.context["lines"][0].cards)


def test_computers_are_counted_apart(client: Client) -> None:
    made("9D KS", 2, Choice.Group.COMPUTER)
    assert ask(client).context["total"] == 0
    assert ask(client, who="computers").context["total"] == 2


def test_filters_that_leave_nothing_do_not_say_that_nobody_held_the_hand(client: Client) -> None:
    made("9D KS", 2)
    text = ask(client, who="computers").content.decode()
    assert "No one with these filters" in text
    assert "No one has had this hand yet" not in text


def test_a_hand_that_nobody_held_offers_the_analysis(client: Client) -> None:
    text = ask(client).content.decode()
    assert "No one has had this hand yet" in text
    assert "/discards/?cards=" in text


@pytest.mark.parametrize(
    ("cards", "wrong"),
    [
        ("4H 5H 6S JC 9D", "Choose six cards, or the four you kept."),
        ("4H 4H 6S JC 9D KS", "twice"),
        ("XX", "isn&#x27;t"),
    ],
)
def test_wrong_cards_are_explained(client: Client, cards: str, wrong: str) -> None:
    answer = ask(client, cards)
    assert answer.status_code == 422
    assert wrong in answer.content.decode().replace("isn’t", "isn&#x27;t")


def test_a_card_of_which_the_reader_holds_all_four_cannot_have_been_led(client: Client) -> None:
    fives = ask(client, "5C 5D 5H 5S", led="5")
    assert fives.status_code == 422
    assert "You hold all four of these yourself." in fives.content.decode()
    assert ask(client, "5C 5D 5H 6S", led="5").status_code == 200
    assert ask(client, "5C 5D 5H 5S", led="6").status_code == 200


def test_an_unknown_group_is_refused(client: Client) -> None:
    assert ask(client, who="nobody").status_code == 422


def test_defaults_are_left_out_of_the_address(client: Client) -> None:
    answer = ask(client, who="people", score="all", other="1")
    assert answer.status_code == 302
    assert answer["Location"] == "/explorer/?cards=4H+5H+6S+JC+9D+KS&role=dealer"


def test_a_hand_being_played_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    made("9D KS", 2)
    monkeypatch.setattr(analysis_access, "refusal", lambda *_args: "Not now.")
    answer = ask(client)
    assert answer.status_code == 422
    assert "lines" not in answer.context
    assert "Not now." in answer.content.decode()


def kept_made(spot: int, card: str, times: int) -> None:
    """File a play of this rank at a spot this many times."""
    match, _people = make_match()
    play_on(match.public_id)
    public = PublicMatch.objects.create(match=match)
    Choice.objects.bulk_create(
        Choice(
            match=public,
            game=1,
            hand=1,
            seat=0,
            spot=spot,
            choice=RANK[parse_cards(card)[0]],
            group=Choice.Group.ABOVE,
            stage=Choice.Stage.LATE,
            points=-1,
        )
        for _ in range(times)
    )


def test_leads_from_four_cards_are_listed_with_the_strategy(client: Client) -> None:
    kept = parse_cards("4H 5H 6S JC")
    kept_made(spots.lead_spot(kept), "4H", 3)
    answer = ask(client, "4D 5H 6S JC", role="pone")
    assert (answer.context["kind"], answer.context["total"]) == ("lead", 3)
    line = answer.context["lines"][0]
    assert (line.share, line.scored) == ("100%", "−1.00")
    assert re.fullmatch(r"\d+%", line.said)
    assert "four of diamonds" in str(line.cards)


def test_answers_depend_on_the_card_led(client: Client) -> None:
    kept = parse_cards("4H 5H 6S JC")
    kept_made(spots.answer_spot(kept, 6), "6S", 2)
    assert ask(client, "4D 5H 6S JC", led="7").context["total"] == 2
    assert ask(client, "4D 5H 6S JC", led="10").context["total"] == 0


@pytest.mark.parametrize(
    ("cards", "more", "wrong"),
    [
        ("4D 5H 6S JC", {}, "Which card was led?"),
        ("4D 5H 6S JC", {"role": "pone", "led": "7"}, "Leave this empty"),
        (SIX, {"led": "7"}, "Leave this empty"),
        ("4D 5H 6S JC", {"led": "1"}, "Write one rank"),
    ],
)
def test_a_lead_is_asked_for_where_it_matters(
    client: Client, cards: str, more: dict[str, str], wrong: str
) -> None:
    answer = ask(client, cards, **more)
    assert answer.status_code == 422
    assert wrong in answer.content.decode()


@pytest.mark.parametrize(
    ("cards", "more", "offered"),
    [
        (SIX, {}, True),
        ("4D 5H 6S JC", {"role": "pone"}, False),
        ("4D 5H 6S JC", {"led": "7"}, False),
    ],
)
def test_an_empty_answer_points_to_the_analysis_only_where_there_is_one(
    client: Client, cards: str, more: dict[str, str], offered: bool
) -> None:
    page = ask(client, cards, **more).content.decode()
    assert "Try other players or any score" in page
    assert ("see what the analysis says" in page) == ("/discards/?cards=" in page) == offered


def test_the_disputed_hand_of_the_week_shows_what_people_threw(client: Client) -> None:
    made("9D KS", 3)
    spot = spots.throw_spot(CARDS, dealer=True)
    other = spots.throw_spot(CARDS, dealer=False)
    DisputedHand.objects.create(week=date(2026, 11, 9), spot=other, people=6, split=0.5)
    DisputedHand.objects.create(week=date(2026, 11, 16), spot=spot, people=6, split=0.6)
    text = client.get("/explorer/disputed/").content.decode()
    assert "Any two of them disagree 60% of the time." in text
    assert "/explorer/disputed/2026-11-09/" in text
    assert "Scored: your hand, your crib" in text
    assert "Show what they threw" in text
    assert "No hand yet" in client.get("/explorer/disputed/2026-11-09/").content.decode()


@pytest.mark.parametrize("address", ["/explorer/disputed/", "/explorer/"])
@pytest.mark.parametrize(
    ("chose", "columns", "explained"),
    [
        ([Choice.Group.ABOVE], ["1525+"], True),
        ([Choice.Group.BELOW, Choice.Group.UNRATED], ["Under 1475", "Unrated"], True),
        ([Choice.Group.UNRATED, Choice.Group.COMPUTER], ["Unrated", "Computers"], False),
    ],
)
def test_the_columns_of_rated_players_are_explained_where_there_are_any(
    client: Client, address: str, chose: list[int], columns: list[str], explained: bool
) -> None:
    for group in chose:
        made("9D KS", 3, group)
    spot = spots.throw_spot(CARDS, dealer=True)
    DisputedHand.objects.create(week=date(2026, 11, 16), spot=spot, people=6, split=0.6)
    more = {} if "disputed" in address else {"cards": SIX, "role": "dealer"}
    page = client.get(address, more).content.decode()
    found = [each for each in re.findall(r'class="num">([^<]+)</th>', page) if each in GROUPS]
    assert found == columns
    assert ("Numbers such as 1525+ are ratings" in page) is explained


def test_without_a_disputed_hand_the_page_says_when_there_will_be_one(client: Client) -> None:
    assert "No hand yet" in client.get("/explorer/disputed/").content.decode()
    assert client.get("/explorer/disputed/2026-11-09/").status_code == 404


@pytest.mark.parametrize(
    ("narrowed", "shown"),
    [({}, False), ({"who": "computers"}, True), ({"score": "late"}, True), ({"who": "x"}, True)],
)
def test_players_and_score_are_folded_until_they_narrow_the_answer(
    client: Client, narrowed: dict[str, str], shown: bool
) -> None:
    page = ask(client, **narrowed).content.decode()
    (folded,) = re.findall(r'<details class="options"( open)?>', page)
    assert bool(folded) is shown
