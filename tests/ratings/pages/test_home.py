"""The home of a returning player, what a newcomer sees instead, and what the two cost."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from games.engine.state import Ruleset
from games.learn import coach
from games.models import Friendship, Player
from games.people.accounts import create_guest
from games.tables.tables import create_match
from ratings.clubs import clubs
from ratings.models import Attempt, ClubNight, Play, Rating, RatingChange, StandardGame
from ratings.pages.home_pictures import field_dots, sparkline
from ratings.standard import daily
from tests.support.people import as_, make_match

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("midday")]

MOST_QUERIES = 24
"""Queries of the home page of a player with something on each card."""

MOST_FOR_NEWCOMERS = 4


def person(name: str) -> Player:
    return Player.objects.create_user(name, password="fifteen-two-4")


def played(game: StandardGame, player: Player, margin: int) -> Attempt:
    """Give a player a finished attempt at a daily game, with a margin in points."""
    match = daily.begin(player=player, day=game.daily)
    play = Play.objects.get(match=match)
    Play.objects.filter(pk=play.pk).update(finished_at=timezone.now(), exclusion="")
    attempt = Attempt.objects.get(play=play, player=player)
    Attempt.objects.filter(pk=attempt.pk).update(margin=margin, counted=float(margin))
    attempt.refresh_from_db()
    return attempt


@pytest.fixture
def today() -> StandardGame:
    return daily.game_of(day=daily.today(), in_background=False)


@pytest.fixture
def busy(today: StandardGame) -> Player:
    """Make a player with a game, a result, a rating, an online friend and a club night."""
    margery, tom = person("Margery"), person("Tom")
    create_match(creator=margery, ruleset=Ruleset(), computers={1: "walter"})
    for name, margin in (("Ann", 12), ("Bob", -8), ("Cy", 30)):
        played(today, person(name), margin)
    played(today, margery, 20)
    now = timezone.now()
    Friendship.objects.create(asker=margery, asked=tom, accepted_at=now)
    Rating.objects.create(
        player=margery, seats=2, skill=1.0, rating=1533.0, rd=60.0, floor=1473.0,
        provisional=False, results=9, constants="2026", played_at=now,
    )  # fmt: skip
    club = clubs.create(player=margery, name="The Crown")
    begins = now + timedelta(days=2)
    ClubNight.objects.create(
        club=club, title="Tuesday night", starts_at=begins, ends_at=begins + timedelta(hours=3)
    )
    return margery


def test_a_returning_player_sees_what_waits_for_them(busy: Player) -> None:
    busy.date_joined = timezone.now() - timedelta(days=2)
    busy.save(update_fields=["date_joined"])
    page = as_(busy).get("/").content.decode()
    assert "Welcome back, Margery" in page and "Pull up a chair" not in page
    assert "Your table with" in page
    assert "2nd" in page and re.search(r"Others beaten so far:\s+2 of 3", page)
    assert "1,533" in page or "1533" in page
    assert "Tuesday night" in page and 'datetime="' in page
    assert "1 friend, not online now." in page


def test_the_rating_and_its_month_are_those_of_the_profile_however_often_it_moved(
    busy: Player,
) -> None:
    """The feed stores no change by others that is too small, and others play every hour."""
    now, hour = timezone.now(), timedelta(hours=1)
    moves = [(60 * 24, 1429), *((60 - number, 1430 + number) for number in range(60))]
    RatingChange.objects.bulk_create(
        RatingChange(
            player=busy,
            seats=2,
            at=now - back * hour,
            was=was,
            now=was + 1,
            rd=60.0,
            own=False,
            parts=[],
        )
        for back, was in moves
    )
    Rating.objects.filter(player=busy).update(rating=1493.4)
    page = as_(busy).get("/").content.decode()
    assert ">1493<" in page.replace(",", "")
    assert "+63 in 30 days" in page


def test_nobody_is_welcomed_back_who_has_just_signed_up() -> None:
    page = as_(person("Margery")).get("/").content.decode()
    assert "Welcome to Cribbage, Margery!" in page and "Welcome back" not in page


def test_the_home_page_takes_few_queries(busy: Player) -> None:
    client = as_(busy)
    client.get("/")
    with CaptureQueriesContext(connection) as counted:
        client.get("/")
    assert len(counted) <= MOST_QUERIES, [each["sql"][:120] for each in counted]


def test_the_landing_page_takes_few_queries(client: Client, busy: Player) -> None:
    with CaptureQueriesContext(connection) as counted:
        client.get("/")
    assert len(counted) <= MOST_FOR_NEWCOMERS, [each["sql"][:120] for each in counted]


def test_an_empty_home_invites(client: Client) -> None:
    page = as_(person("Margery")).get("/").content.decode()
    assert "No one has played it yet." in page
    assert (
        "Start a club, or join a tournament." in page
        and "Play today&#x27;s game" in page.replace("'", "&#x27;")
    )
    guest = as_(create_guest()).get("/").content.decode()
    assert "Three hands with a coach" in guest and len(coach.HANDS) == 3
    assert "Start the lesson" in guest and "Clubs and tournaments" not in guest


def test_the_first_page_says_what_cribbage_is_and_links_to_help(client: Client) -> None:
    main = client.get("/").content.decode().partition("<main")[2].partition("</main>")[0]
    assert "a card game for two or three" in main and 'href="/help/"' in main


def test_a_match_whose_log_cannot_be_read_leaves_the_rest_of_the_page(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken, (ann, bob) = make_match()
    broken.moves.create(sequence=0, seat=0, text="0 discard 2C2C", at=timezone.now())
    page = as_(ann).get("/")
    assert page.status_code == 200
    text = " ".join(strip_tags(page.content.decode()).split())
    assert f"Your table with {bob.name} under way" in text
    assert f"match {broken.public_id}: its log cannot be read" in caplog.messages
    assert "2C" not in caplog.text


def test_a_newcomer_sees_todays_deal_and_a_field_without_its_cards(
    client: Client, today: StandardGame
) -> None:
    played(today, person("Ann"), 12)
    page = client.get("/").content.decode()
    assert "1 person has played it. Can you beat them?" in page
    assert "Pull up a chair" in page and "deal-field" not in page


def test_a_field_that_is_over_is_shown_as_a_picture(client: Client) -> None:
    past = daily.game_of(day=daily.today(), in_background=False)
    for number, margin in enumerate((31, 12, 3, -5, -22, 8)):
        played(past, person(f"Player {number}"), margin)
    house = played(past, person("House"), 17)
    Attempt.objects.filter(pk=house.pk).update(computer=True)
    StandardGame.objects.filter(pk=past.pk).update(
        daily=daily.today() - timedelta(days=1), state=StandardGame.State.CLOSED
    )
    page = client.get("/").content.decode()
    assert "7 players held the same cards" in page
    picture = page[page.index('<figure class="deal-field"') :]
    assert picture[: picture.index("</svg>")].count("<circle") == 7
    assert "Player 1" not in page


def test_a_line_of_ratings_rises_to_the_right() -> None:
    assert sparkline([1500.0]) is None
    line = sparkline([1500.0, 1520.0, 1560.0])
    assert line is not None
    heights = [float(spot.split(",")[1]) for spot in line.points.split()]
    assert heights == sorted(heights, reverse=True)
    assert line.points.endswith(f"{line.x},{line.y}")


def test_every_game_of_a_field_is_one_dot() -> None:
    dots = field_dots([5.0] * 90 + [-20.0, 31.0])
    assert len(dots.dots) == len(set(dots.dots)) == 92
    assert all(0 <= float(x) <= 320 and 0 <= float(y) <= 96 for x, y in dots.dots)
