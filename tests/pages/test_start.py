"""The landing page, and starting matches from it."""

import html
import re
from datetime import date, timedelta

import pytest
from django.test import Client

from games.archive import selectors
from games.bots import levels
from games.bots.ladder import ANCHOR, RATINGS
from games.correspondence import turns
from games.engine.scoring import count_hand
from games.engine.state import Ruleset
from games.models import Match, Player
from games.pages.tables.home import SHOWN_RUNNING
from games.pages.tables.start import GOOD_HAND, SHOWN_TABLES, hand_of_the_day
from games.people.accounts import create_guest
from games.tables.forfeit import computer_of
from games.tables.tables import create_match, join_match, seat_stand_in, stand_in_level
from tests.support.ended import ended
from tests.support.letters import begin, discard, pass_time
from tests.support.played import play_on

pytestmark = pytest.mark.django_db


def test_one_click_starts_a_guests_match_against_the_computer(client: Client) -> None:
    answer = client.post("/play/")
    match = Match.objects.get()
    assert answer.headers["Location"] == f"/t/{match.public_id}/"
    assert match.status == Match.Status.PLAYING
    me, computer = match.seats.order_by("seat")
    assert me.player is not None and me.player.is_guest
    assert computer.player == computer_of("poppy")  # the one that forms suggest to newcomers


def test_the_match_has_the_chosen_rules(client: Client) -> None:
    chosen = {"players": "3", "target": "61", "counting": "muggins", "games": "5", "level": "ada"}
    client.post("/play/", chosen | {"watchable": "on", "name": "Margery"})
    match = Match.objects.get()
    rules = Ruleset.from_dict(match.ruleset)
    assert rules == Ruleset(players=3, target=61, counting="manual", muggins=True, games=5)
    assert match.watchable
    names = [seat.player.name for seat in match.seats.order_by("seat") if seat.player]
    assert names == ["Margery", "Ada", "Ada"]


def test_hints_are_on_against_computers_and_optional_between_people(
    client: Client,
) -> None:
    client.post("/play/")
    client.post("/invite/")
    client.post("/invite/", {"hints": "on"})
    assert [match.hints for match in Match.objects.order_by("pk")] == [True, False, True]


def test_the_substitute_level_is_agreed_in_advance(client: Client) -> None:
    client.post("/invite/", {"stand_in": "nora"})
    client.post("/invite/")
    agreed, usual = Match.objects.order_by("pk")
    assert stand_in_level(agreed) == "nora"
    assert stand_in_level(usual) == levels()[-1].name


def test_every_level_is_described_in_the_form(client: Client) -> None:
    page = client.get("/").content.decode()
    for level in levels():
        assert level.description in html.unescape(page)
        assert f"{level.name.title()}, " in page


def test_every_level_is_offered_with_its_rating_and_the_easiest_is_chosen(
    client: Client,
) -> None:
    page = client.get("/").content.decode()
    for name, rating in RATINGS[2].items():
        chosen = " selected" if name == "poppy" else "(?! selected)"
        assert re.search(
            rf'<option value="{name}"{chosen}[^>]*>'
            rf"{name.title()}, [^<]+, rating {rating.elo} \([^<]+</option>",
            page,
        )
        shown = f"{rating.elo} ±{rating.error}" if rating.error else str(rating.elo)
        assert f'{name.title()} <span class="num">{shown}</span>' in page


def test_the_rating_with_three_players_is_shown_with_its_error(client: Client) -> None:
    page = client.get("/").content.decode()
    for name, rating in RATINGS[3].items():
        option = re.search(rf'<option value="{name}"[^>]*>', page)
        assert option is not None
        assert f'data-rating-three="rating {rating.elo}"' in option[0]
        shown = f'<span class="num">(three players: {rating.elo} ±{rating.error})</span>'
        assert (shown in page) == (name != ANCHOR)


@pytest.mark.parametrize("field", ["level", "stand_in"])
def test_lists_of_computers_name_the_rating_with_three_players(client: Client, field: str) -> None:
    """No script adapts them to the number of players: the slider replaces only one of them."""
    page = html.unescape(client.get("/").content.decode())
    (found,) = re.findall(rf'<select name="{field}".*?</select>', page, re.DOTALL)
    for player in levels():
        two, three = (RATINGS[seats][player.name].elo for seats in (2, 3))
        assert f", rating {two} (three players: {three})</option>" in found


def test_at_a_table_the_computers_have_the_rating_for_its_number_of_seats(client: Client) -> None:
    for players in (2, 3):
        client.post("/invite/", {"players": str(players)})
        table = Match.objects.latest("pk")
        shown = client.get(f"/t/{table.public_id}/").context["levels"]
        assert [choice.split()[-1] for _, choice, _ in shown] == [
            str(rating.elo) for rating in RATINGS[players].values()
        ]


def test_the_suggested_computer_is_the_last_one_and_for_newcomers_the_easiest(
    client: Client,
) -> None:
    guest, friend = create_guest(), create_guest()
    client.force_login(guest)
    poppy, grace, house = (computer_of(name) for name in ("poppy", "grace", "house"))

    def suggested() -> str:
        return str(client.get("/lobby/").context["form"]["level"].value())

    assert suggested() == "poppy"
    ended(guest, poppy, lesson=True, ago=timedelta(hours=9))
    assert suggested() == "poppy"
    ended(guest, friend, ago=timedelta(hours=8))
    assert suggested() == "walter"
    ended(guest, grace, ago=timedelta(hours=7))
    ended(guest, house, ranked=True, ago=timedelta(hours=6))
    ended(guest, friend, ago=timedelta(hours=5))
    assert suggested() == "grace"
    ended(guest, friend, poppy, ago=timedelta(hours=4))
    assert suggested() == "poppy", "to the right of a friend"


def test_an_invitation_is_private_and_an_open_table_is_listed(client: Client) -> None:
    client.post("/invite/")
    assert selectors.lobby_tables() == []
    client.post("/open/")
    assert [table.free for table in selectors.lobby_tables()] == [1]


def test_the_third_seat_can_be_given_to_a_computer(client: Client) -> None:
    client.post("/invite/", {"players": "3", "fill": "on", "level": "poppy"})
    seats = Match.objects.get().seats.order_by("seat")
    assert [seat.computer for seat in seats] == [False, False, True]


@pytest.mark.parametrize(
    ("field", "value"),
    [("players", "4"), ("target", "100"), ("games", "10"), ("level", "hal"), ("name", "x")],
)
def test_an_invalid_choice_is_refused_at_its_field(client: Client, field: str, value: str) -> None:
    answer = client.post("/play/", {field: value})
    assert answer.status_code == 422
    assert answer.context["form"].errors[field]
    assert not Match.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.parametrize("path", ["/play/", "/invite/", "/open/"])
def test_a_get_request_never_starts_a_match(client: Client, path: str) -> None:
    assert client.get(path).status_code == 405


def test_visiting_the_landing_page_creates_no_guest(client: Client) -> None:
    client.get("/")
    assert not Player.objects.exists()


def test_a_running_match_is_shown_with_the_pending_decision(client: Client) -> None:
    guest, friend = create_guest(name="Margery"), create_guest(name="Tom")
    match = create_match(creator=guest, ruleset=Ruleset(first_dealer=0))
    join_match(player=friend, invite=match.invite)
    play_on(match.public_id, moves=1)
    client.force_login(guest)
    page = client.get("/").content.decode()
    assert "Your table with Tom" in page
    assert "your discard" in page
    assert f'href="/t/{match.public_id}/"' in page


def test_a_match_in_which_the_computer_plays_for_them_is_not_shown_as_their_turn(
    client: Client,
) -> None:
    ann, bob = create_guest(name="Ann"), create_guest(name="Bob")
    match = begin(ann, bob)
    seat_stand_in(match=match, seat=0)
    client.force_login(ann)
    page = client.get("/").content.decode()
    assert "the computer is playing for you" in page
    assert "your discard" not in page
    client.force_login(bob)
    assert "your discard" in client.get("/").content.decode()
    discard(match, 1)
    assert "waiting for Ann" not in client.get("/").content.decode()


def test_two_matches_with_one_friend_differ_by_their_deadlines(client: Client) -> None:
    ann, bob = create_guest(name="Ann"), create_guest(name="Bob")
    matches = [begin(ann, bob, days=days) for days in (2, 5)]
    client.force_login(ann)
    for at, words in ((matches[0], "Deadline:"), (matches[1], "Play by:")):
        if words == "Deadline:":
            discard(at, 0)
        due = turns.turns([at])[at.pk].due.isoformat()
        page = client.get("/").content.decode()
        line = page.split(f'href="/t/{at.public_id}/"')[1].split("</li>")[0]
        assert f'{words} <time data-moment datetime="{due}">' in line
    pass_time(matches[1], timedelta(days=6))
    assert "Time ran out:" in client.get("/").content.decode()


@pytest.mark.parametrize("late", [False, True])
def test_a_game_to_decide_is_shown_before_any_number_of_newer_ones(
    client: Client, late: bool
) -> None:
    ann, bob = create_guest(name="Ann"), create_guest(name="Bob")
    match = begin(ann, bob)
    if late:
        discard(match, 0)
        pass_time(match, timedelta(days=4))
    for _ in range(2 * SHOWN_RUNNING):
        create_match(creator=ann, ruleset=Ruleset())
    client.force_login(ann)
    for page in ("/", "/matches/"):
        assert f'href="/t/{match.public_id}/"' in client.get(page).content.decode()


def test_a_live_turn_is_shown_before_any_number_of_newer_matches(client: Client) -> None:
    ann, bob = create_guest(name="Ann"), create_guest(name="Bob")
    matches = [begin(ann, bob, days=None) for _ in range(SHOWN_RUNNING + 2)]
    for newer in matches[1:]:
        discard(newer, 0)
    client.force_login(ann)
    page = client.get("/").content.decode()
    assert f'href="/t/{matches[0].public_id}/"' in page
    assert page.count("your discard") == 1


def test_a_running_match_is_shown_before_tables_that_wait_for_players(client: Client) -> None:
    ann, bob = create_guest(name="Ann"), create_guest(name="Bob")
    match = begin(ann, bob)
    discard(match, 0)
    for _ in range(SHOWN_RUNNING):
        create_match(creator=ann, ruleset=Ruleset())
    client.force_login(ann)
    assert f'href="/t/{match.public_id}/"' in client.get("/").content.decode()


def test_running_games_are_above_the_offer_of_an_account(client: Client) -> None:
    ann, bob = create_guest(name="Ann"), create_guest(name="Bob")
    ended(ann, bob)
    running = begin(ann, bob)
    client.force_login(ann)
    page = client.get("/").content.decode()
    assert page.index(f'href="/t/{running.public_id}/"') < page.index("Keep my games")


def test_a_waiting_table_shows_how_many_players_are_missing(client: Client) -> None:
    guest = create_guest()
    create_match(creator=guest, ruleset=Ruleset(players=3))
    client.force_login(guest)
    assert "waiting for 2 players" in client.get("/").content.decode()


def test_the_first_page_counts_all_open_tables(client: Client) -> None:
    for _ in range(SHOWN_TABLES + 2):
        create_match(creator=create_guest(), ruleset=Ruleset(), listed=True)
    counted = f'Open tables <span class="count num">{SHOWN_TABLES + 2}</span>'
    assert counted in client.get("/").content.decode()
    client.force_login(create_guest())
    assert counted in client.get("/").content.decode()


def test_every_hand_of_the_day_is_worth_counting() -> None:
    for day in range(30):
        hand, starter = hand_of_the_day(date(2026, 1, 1) + timedelta(days=day))
        assert count_hand(hand, starter) >= GOOD_HAND


def test_a_quick_match_seats_two_visitors_together(client: Client) -> None:
    first, second = client, Client()
    waiting = first.post("/quick/").headers["Location"]
    assert second.post("/quick/").headers["Location"] == waiting
    assert Match.objects.get().status == Match.Status.PLAYING


def test_asking_for_a_quick_match_twice_returns_the_same_table(client: Client) -> None:
    assert client.post("/quick/").headers["Location"] == client.post("/quick/").headers["Location"]


def test_a_quick_match_joins_the_oldest_table_with_standard_rules(
    client: Client,
) -> None:
    hosts = [create_guest() for _ in range(3)]
    rules = (Ruleset(target=61), Ruleset(), Ruleset())
    tables = [
        create_match(creator=host, ruleset=ruleset, listed=True)
        for host, ruleset in zip(hosts, rules, strict=True)
    ]
    assert client.post("/quick/").headers["Location"] == f"/t/{tables[1].public_id}/"
