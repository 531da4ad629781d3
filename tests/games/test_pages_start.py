"""The landing page, and how a match begins from it."""

import html
from datetime import date, timedelta

import pytest
from django.test import Client

from games import selectors, services
from games.accounts import create_guest
from games.bots import levels
from games.engine.scoring import count_hand
from games.engine.state import Ruleset
from games.models import Match, Player
from games.views.start import GOOD_HAND, hand_of_the_day
from tests.games.played import play_on

pytestmark = pytest.mark.django_db


def test_one_click_seats_a_guest_at_a_table_against_the_computer(client: Client) -> None:
    answer = client.post("/play/")
    match = Match.objects.get()
    assert answer.headers["Location"] == f"/t/{match.public_id}/"
    assert match.status == Match.Status.PLAYING
    me, computer = match.seats.order_by("seat")
    assert me.player is not None and me.player.is_guest
    assert computer.player is not None and computer.player.is_computer


def test_the_rules_chosen_are_the_rules_of_the_match(client: Client) -> None:
    chosen = {"players": "3", "target": "61", "counting": "muggins", "games": "5", "level": "ada"}
    client.post("/play/", chosen | {"watchable": "on", "name": "Margery"})
    match = Match.objects.get()
    rules = Ruleset.from_dict(match.ruleset)
    assert rules == Ruleset(players=3, target=61, counting="manual", muggins=True, games=5)
    assert match.watchable
    names = [seat.player.name for seat in match.seats.order_by("seat") if seat.player]
    assert names == ["Margery", "Ada", "Ada"]


def test_against_computers_hints_are_on_and_among_people_they_are_asked_for(
    client: Client,
) -> None:
    client.post("/play/")
    client.post("/invite/")
    client.post("/invite/", {"hints": "on"})
    assert [match.hints for match in Match.objects.order_by("pk")] == [True, False, True]


def test_who_plays_on_for_a_player_who_leaves_is_agreed_beforehand(client: Client) -> None:
    client.post("/invite/", {"stand_in": "nora"})
    client.post("/invite/")
    agreed, usual = Match.objects.order_by("pk")
    assert services.stand_in_level(agreed) == "nora"
    assert services.stand_in_level(usual) == levels()[-1].name


def test_every_level_is_described_where_it_is_chosen(client: Client) -> None:
    page = client.get("/").content.decode()
    for level in levels():
        assert level.description in html.unescape(page)
        assert f"{level.name.title()}, " in page


def test_an_invitation_is_private_and_an_open_table_is_listed(client: Client) -> None:
    client.post("/invite/")
    assert selectors.lobby_tables() == []
    client.post("/open/")
    assert [table.free for table in selectors.lobby_tables()] == [1]


def test_the_third_seat_can_go_to_the_computer(client: Client) -> None:
    client.post("/invite/", {"players": "3", "fill": "on", "level": "poppy"})
    seats = Match.objects.get().seats.order_by("seat")
    assert [seat.computer for seat in seats] == [False, False, True]


@pytest.mark.parametrize(
    ("field", "value"),
    [("players", "4"), ("target", "100"), ("games", "10"), ("level", "hal"), ("name", "x")],
)
def test_a_wrong_wish_is_refused_at_its_field(client: Client, field: str, value: str) -> None:
    answer = client.post("/play/", {field: value})
    assert answer.status_code == 422
    assert answer.context["form"].errors[field]
    assert not Match.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.parametrize("path", ["/play/", "/invite/", "/open/"])
def test_a_link_never_starts_a_match(client: Client, path: str) -> None:
    assert client.get(path).status_code == 405


def test_the_landing_page_makes_nobody_a_guest(client: Client) -> None:
    client.get("/")
    assert not Player.objects.exists()


def test_a_match_under_way_is_offered_with_whose_turn_it_is(client: Client) -> None:
    guest, friend = create_guest(name="Margery"), create_guest(name="Tom")
    match = services.create_match(creator=guest, ruleset=Ruleset(first_dealer=0))
    services.join_match(player=friend, invite=match.invite)
    play_on(match.public_id, moves=1)
    client.force_login(guest)
    page = client.get("/").content.decode()
    assert "Your table with Tom" in page
    assert "your discard" in page
    assert f'href="/t/{match.public_id}/"' in page


def test_a_table_that_waits_says_for_how_many(client: Client) -> None:
    guest = create_guest()
    services.create_match(creator=guest, ruleset=Ruleset(players=3))
    client.force_login(guest)
    assert "waits for 2 players" in client.get("/").content.decode()


def test_every_hand_of_the_day_is_worth_counting() -> None:
    for day in range(30):
        hand, starter = hand_of_the_day(date(2026, 1, 1) + timedelta(days=day))
        assert count_hand(hand, starter) >= GOOD_HAND


def test_a_quick_match_seats_two_who_ask_for_one(client: Client) -> None:
    first, second = client, Client()
    waiting = first.post("/quick/").headers["Location"]
    assert second.post("/quick/").headers["Location"] == waiting
    assert Match.objects.get().status == Match.Status.PLAYING


def test_a_quick_match_asked_for_twice_waits_at_one_table(client: Client) -> None:
    assert client.post("/quick/").headers["Location"] == client.post("/quick/").headers["Location"]


def test_a_quick_match_takes_the_table_that_waited_longest_at_the_usual_rules(
    client: Client,
) -> None:
    hosts = [create_guest() for _ in range(3)]
    rules = (Ruleset(target=61), Ruleset(), Ruleset())
    tables = [
        services.create_match(creator=host, ruleset=ruleset, listed=True)
        for host, ruleset in zip(hosts, rules, strict=True)
    ]
    assert client.post("/quick/").headers["Location"] == f"/t/{tables[1].public_id}/"
