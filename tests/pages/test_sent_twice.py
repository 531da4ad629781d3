"""Forms that are sent twice, by a double click, a reload or the Back button, make one thing."""

from __future__ import annotations

import json
from datetime import timedelta
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.middleware.csrf import get_token
from django.test import Client
from django.utils import timezone

from games.engine.state import Ruleset
from games.learn.courses import exams
from games.learn.courses.catalogue import COURSES
from games.models import DataToken, Friendship, Match, Player
from games.people import guests, programs, tokens
from games.people.accounts import create_guest
from games.people.programs import authenticate_program
from games.people.resent import RESENT_WITHIN
from games.people.tokens import token_owner
from games.tables import board_match, branch, invitations, opening, quick_match, seeks
from games.tables.tables import join_match
from ratings.clubs import clubs
from ratings.models import (
    Club,
    ClubLeague,
    ClubNight,
    ClubPost,
    Event,
    StandardGame,
    TeamLeague,
)
from ratings.standard import challenge
from ratings.team_leagues import leagues
from tests.support import team_leagues
from tests.support.at_once import at_once

pytestmark = pytest.mark.django_db

GAMES = (Path(__file__).parent.parent / "data" / "sample.jsonl").read_bytes()
TIMES = 4
HOUR = timedelta(hours=1)


@pytest.fixture
def ann(client: Client) -> Player:
    player = Player.objects.create_user("Ann", kind=Player.Kind.PERSON, name="Ann")
    client.force_login(player)
    return player


@pytest.fixture(autouse=True)
def _slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the second click come as late as a busy machine sends it."""
    for module in (board_match, branch, guests, programs, quick_match, seeks, tokens):
        monkeypatch.setattr(module, "CLICKED_WITHIN", HOUR)


def twice(client: Client, address: str, **fields: str) -> str:
    """Send a form twice; return where both answers lead."""
    first, second = (client.post(address, fields) for _ in range(2))
    assert (first.status_code, second.status_code) == (302, 302)
    assert first["Location"] == second["Location"]
    return str(first["Location"])


def moment(hours: int) -> str:
    return (timezone.now() + timedelta(days=1, hours=hours)).strftime("%Y-%m-%dT%H:%M")


EVENT = {
    "title": "Cup", "format": "swiss", "rounds": "3", "best_of": "1", "minutes": "60",
    "seats": "2", "entry": "open", "places": "16", "check_in": "0", "no_show": "5",
    "late_rounds": "1",
}  # fmt: skip
LEAGUE = {"title": "Autumn", "double": "0", "games": "2", "days": "7", "listed": "on"}
NIGHT = {"title": "Thursday", "seats": "2", "games": "3"}


@pytest.mark.parametrize(
    ("address", "fields", "model"),
    [
        ("/clubs/found/", {"name": "Pegs"}, Club),
        ("/tournaments/new/", {**EVENT, "starts": moment(1)}, Event),
        ("/tournaments/teams/", {"title": "Us", "games": "2"}, Event),
        ("/tournaments/leagues/new/", {**LEAGUE, "starts": moment(1)}, TeamLeague),
        ("/invite/", {}, Match),
        ("/open/", {"players": "3"}, Match),
        ("/play/", {"level": "poppy"}, Match),
        ("/seeks/post/", {"days": "3"}, Match),
    ],
)
def test_a_form_that_is_sent_twice_makes_one(
    client: Client, ann: Player, address: str, fields: dict[str, str], model: Any
) -> None:
    twice(client, address, **fields)
    assert model.objects.count() == 1


@pytest.mark.parametrize(
    ("part", "fields", "model"),
    [
        ("league", {"title": "Autumn", "nights": "5", "best": "3"}, ClubLeague),
        ("night", {**NIGHT, "minutes": "25", "starts": moment(1), "ends": moment(5)}, ClubNight),
        ("news", {"text": "Bring a cake."}, ClubPost),
    ],
)
def test_a_form_of_a_club_that_is_sent_twice_makes_one(
    client: Client, ann: Player, part: str, fields: dict[str, str], model: Any
) -> None:
    club = clubs.create(player=ann, name="Pegs")
    twice(client, f"/clubs/{club.public_id}/{part}/", **fields)
    assert model.objects.count() == 1


def test_a_clubs_table_is_made_once_and_stands_for_no_private_one(
    client: Client, ann: Player
) -> None:
    """Members of the club see their table: an invited friend might find the seat taken."""
    club = clubs.create(player=ann, name="Pegs")
    friend = Player.objects.create_user("Bob", kind=Player.Kind.PERSON, name="Bob")
    Friendship.objects.create(asker=ann, asked=friend, accepted_at=timezone.now())
    twice(client, f"/clubs/{club.public_id}/table/", players="2")
    own = club.tables.get().match
    private = opening.open_table(creator=ann, ruleset=Ruleset.from_dict(own.ruleset))
    assert private != own
    Match.objects.filter(pk=private.pk).delete()
    assert invitations.invite(player=ann, friend=friend) != own


def test_a_table_whose_link_was_sent_is_opened_again_after_others(
    client: Client, ann: Player
) -> None:
    """*Invite a friend*, *Quick match*, a club's tables, and *Invite a friend* again."""
    club = f"/clubs/{clubs.create(player=ann, name='Pegs').public_id}/table/"
    ways: list[tuple[str, dict[str, str]]] = [
        ("/invite/", {}), ("/quick/", {}), ("/open/", {"players": "3"}),
        (club, {"players": "2"}), (club, {"players": "3"}),
    ]  # fmt: skip
    first, second = ([client.post(*way)["Location"] for way in ways] for _ in range(2))
    assert second == first
    assert Match.objects.count() == len(ways)


def test_an_exam_stands_for_no_other_game(ann: Player) -> None:
    exam = exams.begin_exam(player=ann, course=COURSES[0]).match
    rules = Ruleset.from_dict(exam.ruleset)
    assert opening.open_table(creator=ann, ruleset=rules, computers={1: exams.LEVEL}) != exam


def test_a_team_that_is_entered_twice_is_entered_once(ann: Player) -> None:
    league, _organiser, _pairs = team_leagues.planned(1)
    first, second = (leagues.enter_team(league=league, by=ann, name="Ours") for _ in range(2))
    assert first == second


def test_a_file_that_is_sent_twice_is_imported_once(client: Client, ann: Player) -> None:
    for name in ("Bob", "Bob", "Cleo"):
        file = SimpleUploadedFile("games.jsonl", GAMES)
        answer = client.post("/matches/import/", {"file": file, "me": "0", "name_1": name})
        assert answer.status_code == 302
    games = len(GAMES.splitlines())
    assert Match.objects.filter(imported=True).count() == 2 * games
    assert Match.objects.filter(seats__name="Bob").count() == games


def test_a_file_whose_counts_are_wrong_is_refused_although_the_games_are_here(
    client: Client, ann: Player
) -> None:
    game = json.loads(GAMES.splitlines()[0])
    wrong = {**game, "final": [number + 1 for number in game["final"]]}
    answers = [
        client.post(
            "/matches/import/",
            {"file": SimpleUploadedFile("games.jsonl", json.dumps(record).encode())},
        )
        for record in (game, wrong, game)
    ]
    assert [answer.status_code for answer in answers] == [302, 422, 302]
    assert "The final score is" in answers[1].content.decode()
    assert answers[2].headers["Location"] == answers[0].headers["Location"]


def test_a_challenge_is_made_once_by_each_page(client: Client) -> None:
    for seats in ("00", "01"):
        form = client.get("/challenge/").context["new"]
        for seat in seats:
            assert client.post("/challenge/make/", {"seat": seat, "new": form}).status_code == 302
    seats_made = StandardGame.objects.order_by("pk").values_list("daily_seat", flat=True)
    assert list(seats_made) == [0, 0, 1]
    for _ in range(2):
        client.post("/challenge/make/", {"seat": "0", "new": "chosen-by-hand"})
    assert StandardGame.objects.count() == 5


@pytest.mark.django_db(transaction=True)
def test_clicks_at_once_make_one() -> None:
    ann, form = create_guest(), challenge.new_form()
    at_once(*[lambda: challenge.make(form=form)] * TIMES)
    at_once(*[lambda: opening.open_table(creator=ann, ruleset=Ruleset())] * TIMES)
    assert (StandardGame.objects.count(), Match.objects.count()) == (1, 1)


@pytest.mark.parametrize("address", ["/quick/", "/invite/"])
def test_the_first_two_clicks_of_a_visitor_make_one_guest(address: str) -> None:
    """Both requests were sent before an answer, with the cookies of a visitor: no session yet."""
    page = Client()
    token = get_token(page.get("/accounts/login/").wsgi_request)
    clicks = [Client(), Client()]
    for click in clicks:
        click.cookies = SimpleCookie({"csrftoken": page.cookies["csrftoken"].value})
    answers = [click.post(address, {"csrfmiddlewaretoken": token}) for click in clicks]
    assert answers[0]["Location"] == answers[1]["Location"]
    (match,) = Match.objects.all()
    assert match.status == Match.Status.WAITING
    (guest,) = Player.objects.filter(kind=Player.Kind.GUEST)
    assert match.created_by == guest
    assert {click.session["_auth_user_id"] for click in clicks} == {str(guest.pk)}


def test_other_visitors_and_other_names_are_other_guests() -> None:
    for name in ("Margery", "Tom"):
        visitor = Client()
        visitor.cookies = SimpleCookie({"csrftoken": "a" * 32})
        visitor.post("/invite/", {"name": name})
    for _ in range(2):
        Client().post("/invite/", {"name": "Margery"})
    assert Player.objects.filter(kind=Player.Kind.GUEST).count() == 4


def test_a_token_and_a_program_of_two_clicks_work_with_what_the_second_shows(ann: Player) -> None:
    read, played = [
        [make() for _ in range(2)][-1][1]
        for make in (
            lambda: tokens.create_data_token(player=ann, name="mine"),
            lambda: programs.create_program(owner=ann, name="Annbot"),
        )
    ]
    assert (token_owner(token=read), authenticate_program(token=played).name) == (ann, "Annbot")
    assert (ann.data_tokens.count(), ann.programs.count()) == (1, 1)


def test_the_same_may_be_made_later_and_another_at_once(client: Client, ann: Player) -> None:
    for name in ("Pegs", "Holes", "Holes"):
        clubs.create(player=ann, name=name)
    assert Club.objects.count() == 2
    Club.objects.update(made_at=timezone.now() - RESENT_WITHIN)
    clubs.create(player=ann, name="Holes")
    assert Club.objects.count() == 3
    tokens.create_data_token(player=ann, name="mine")
    DataToken.objects.update(created_at=timezone.now() - HOUR)
    tokens.create_data_token(player=ann, name="mine")
    assert DataToken.objects.count() == 2


def test_another_table_is_opened_for_other_choices(ann: Player) -> None:
    choices: list[dict[str, Any]] = [
        {}, {"hints": True}, {"watchable": True}, {"stand_in": "nora"}, {"listed": True},
        {"days": 3}, {"sharing": "never"}, {"computers": {1: "poppy"}}, {"computers": {1: "nora"}},
    ]  # fmt: skip
    for chosen in choices:
        for _ in range(2):
            opening.open_table(creator=ann, ruleset=Ruleset(), **chosen)
    assert Match.objects.count() == len(choices)


def test_a_table_where_a_friend_has_sat_down_is_not_opened_again(ann: Player) -> None:
    first = opening.open_table(creator=ann, ruleset=Ruleset(players=3))
    join_match(player=create_guest(), invite=first.invite)
    assert opening.open_table(creator=ann, ruleset=Ruleset(players=3)) != first


def test_a_table_at_which_its_creator_has_moved_is_not_opened_again(ann: Player) -> None:
    wanted: dict[str, Any] = {"ruleset": Ruleset(), "computers": {1: "poppy"}}
    first = opening.open_table(creator=ann, **wanted)
    first.moves.create(sequence=0, seat=0, text="0 discard 5H 6H")
    assert opening.open_table(creator=ann, **wanted) != first
