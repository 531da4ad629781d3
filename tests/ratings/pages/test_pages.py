"""Pages of ranked play: queue, results, feed, leaderboards."""

import re
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

import pytest
from django.core.paginator import Paginator
from django.template.loader import render_to_string
from django.test import Client

from games.models import Match, Player
from games.people import friendships
from games.people.accounts import create_guest
from ratings.model.constants import TWO_SEATS_PAR
from ratings.models import Attempt, Play, Rating, StandardGame
from ratings.pages import sentences
from ratings.rating import standings
from ratings.rating.feed import Reason, feed
from tests.support.people import as_
from tests.support.standard_tables import people, ranked_match, result, text

LIMIT = TWO_SEATS_PAR.margin_limit or 0.0
LEVELS = {"a": "alfie", "g": "grace", "p": "poppy"}

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("midday", "same_cards")]


def test_every_public_page_works_for_a_visitor() -> None:
    client = Client()
    for path in (
        "/ranked/",
        "/daily/",
        "/ratings/",
        "/ratings/?list=recent&seats=3",
        "/ratings/?list=daily",
        "/ratings/?list=met",
        "/ratings/?list=friends",
        "/ratings/me/",
        "/challenge/",
        "/",
    ):
        text(client, path)
    for path in (
        "/ratings/?list=year",
        "/daily/2020-02-31/",
        "/daily/2020-02-28/",
        "/challenge/nosuch/",
        "/standard/7/verify/",
        "/ratings/players/nobody/",
        f"/standard/{2**70}/",
    ):
        assert client.get(path).status_code == 404, path


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("list=overall", "No ratings yet. Play a ranked game to be the first."),
        ("list=recent", "No one is on this list yet."),
        ("list=met", "No one is on this list yet."),
        ("list=friends", "No one is on this list yet."),
    ],
)
def test_an_empty_leaderboard_says_whether_anyone_is_rated_at_all(query: str, said: str) -> None:
    (ann,) = people(1)
    assert said in text(as_(ann), f"/ratings/?{query}")


def test_signing_up_from_the_list_of_friends_leads_back_to_it() -> None:
    page = text(Client(), "/ratings/?list=friends&seats=3").split("<main")[1].split("</main")[0]
    (address,) = re.findall(r'href="/accounts/signup/\?next=([^"]+)"', page)
    assert unquote(address) == "/ratings/?list=friends&seats=3"


def test_guests_are_told_that_their_cards_go_to_no_one_else() -> None:
    told = "compared with computers only"
    assert told in text(Client(), "/ranked/")
    assert told in text(as_(create_guest()), "/ranked/")
    assert told not in text(as_(people(1)[0]), "/ranked/")
    assert "or as soon as a guest has" in text(Client(), "/ranked/how/")


def test_two_players_are_paired_from_the_page() -> None:
    ann, bob = map(as_, people(2))
    waiting = ann.post("/ranked/enter/", {"seats": "2"})["Location"]
    assert waiting == "/ranked/?entered"
    assert 'data-state="/ranked/state/"' in text(ann, "/ranked/")
    table = bob.post("/ranked/enter/", {"seats": "2"})["Location"]
    assert re.fullmatch(r"/t/\w+/", table)
    assert ann.post("/ranked/state/").json()["table"] == table
    assert ann.get(waiting)["Location"] == table, "paired before the page was there"
    assert "Go to the table" in text(ann, "/ranked/")


def test_a_player_can_leave_the_queue() -> None:
    ann = as_(people(1)[0])
    ann.post("/ranked/enter/", {"seats": "3"})
    assert ann.post("/ranked/state/").json() == {
        "waiting": True,
        "offer": True,
        "others": 0,
        "table": "",
    }
    ann.post("/ranked/leave/")
    assert not ann.post("/ranked/state/").json()["waiting"]
    told = ann.post("/ranked/look/", follow=True).content.decode()
    assert "You're no longer in the queue." in told
    assert "no longer in the queue" not in text(ann, "/ranked/")


def test_the_house_computer_is_offered_at_once_while_no_one_else_waits() -> None:
    player = people(1)[0]
    ann = as_(player)
    assert ann.post("/ranked/computer/")["Location"] == "/ranked/"
    ann.post("/ranked/enter/", {"seats": "2"})
    assert "Play House, this site's own computer player: the game counts" in text(ann, "/ranked/")
    assert ann.post("/ranked/state/").json()["offer"]
    table = ann.post("/ranked/computer/")["Location"]
    assert Match.objects.get(public_id=table.split("/")[2]).ranked


def test_two_accounts_of_one_browser_are_not_paired_and_told_why() -> None:
    ann, bob = people(2)
    client = as_(ann)
    client.post("/ranked/enter/", {"seats": "2"})
    client.force_login(bob)
    page = client.post("/ranked/enter/", {"seats": "2"}, follow=True).content.decode()
    assert "They never meet or get the same cards." in page
    assert client.post("/ranked/state/").json()["waiting"]


def test_the_result_page_shows_the_field_comparison_before_the_outcome() -> None:
    ann, bob = people(2)
    match = ranked_match([ann, bob])
    page = text(as_(ann), result(match)).split("<main")[1]
    said = re.search(r"(\d)\w\w of 5(?: with these cards)?: ", page)
    assert said is not None
    assert page.index(said[0]) < page.index('class="outcome"')
    own = Attempt.objects.get(player=ann)
    field = Attempt.objects.filter(seat=own.seat, computer=True)
    assert int(said[1]) == 1 + sum(one.counted > own.counted for one in field)
    beaten = sum(one.counted < own.counted for one in field)
    ends = {0: "all 4 others beat you", 4: "you beat all 4 others"}
    assert ends.get(beaten, f"beat {beaten} of 4 others") in page
    before_details, details = page.split('<details class="more">', 1)
    assert "atchpoints" not in before_details
    assert "Matchpoints" in details
    assert Client().get(result(match)).status_code == 404
    assert as_(people(1, start=5)[0]).get(result(match)).status_code == 404
    assert result(match) in text(as_(ann), f"/matches/{match.public_id}/")


def test_the_page_of_ranked_games_leads_to_the_readers_newest_result() -> None:
    ann, bob, cat = people(3)
    ranked_match([ann, bob])
    match = ranked_match([ann, cat])
    assert result(match) in text(as_(ann), "/ranked/")
    assert "Your last ranked game" not in text(Client(), "/ranked/")


def test_feed_and_lists_show_rated_players() -> None:
    ann, bob, cat, dan = people(4)
    first = ranked_match([ann, bob])
    ranked_match([cat, dan], ("grace", "poppy"))
    game = Play.objects.get(match=first).standard_game_id
    page = text(as_(ann), "/ratings/me/")
    assert "while you were away" in page
    assert re.search(
        rf'<strong class="num">[+−][\d.]+</strong> <a href="/standard/{game}/">1 more player had'
        rf" your cards in game #{game} and did (better|worse): now worth −?[\d.]+"
        r" \(before: −?[\d.]+\)</a>",
        page,
    )
    assert "<polyline" in page
    page = text(as_(bob), f"/ratings/players/{ann.public_id}/?seats=3")
    assert "No ranked game for three players yet." in page
    assert "Why it moved" not in text(as_(bob), f"/ratings/players/{ann.public_id}/")
    board = text(Client(), "/ratings/")
    assert all(player.name in board for player in (ann, bob, cat, dan))
    assert ann.name in text(Client(), "/ratings/?list=recent")
    met = text(as_(ann), "/ratings/?list=met")
    assert bob.name in met
    assert cat.name not in met
    friendships.ask(player=ann, other=cat)
    assert cat.name not in text(as_(ann), "/ratings/?list=friends"), (
        "a request is not a friendship yet"
    )
    friendships.accept(player=cat, other=ann)
    for reader, other in ((ann, cat), (cat, ann)):
        page = text(as_(reader), "/ratings/?list=friends").split("<main")[1]
        assert other.name in page
        assert bob.name not in page
        assert dan.name not in page
    assert ann.name not in text(as_(bob), "/ratings/?list=friends")


def test_a_player_whose_account_is_closed_is_on_no_leaderboard_until_it_is_open_again() -> None:
    ann, bob = people(2)
    ranked_match([ann, bob])
    best, other = (row.rating.player for row in standings.leaderboard(seats=2))
    for active in (False, True):
        Player.objects.filter(pk=best.pk).update(is_active=active)
        board = text(Client(), "/ratings/").split("<main")[1]
        assert (best.name in board) is active
        assert other.name in board
        assert standings.profile(player=other, seats=2).place == 1 + active


def test_equal_players_share_a_place_on_the_leaderboard_as_on_their_pages() -> None:
    for pair in (people(2), people(2, start=2)):
        ranked_match(pair)
    first, *equal, last = (row.rating for row in standings.leaderboard(seats=2))
    Rating.objects.filter(pk__in=[rating.pk for rating in equal]).update(floor=last.floor + 1)
    Rating.objects.filter(pk=first.pk).update(floor=last.floor + 2)
    found = {row.rating.player: row.place for row in standings.leaderboard(seats=2)}
    assert sorted(found.values()) == [1, 2, 2, 4]
    assert found == {each: standings.profile(player=each, seats=2).place for each in found}


def test_a_result_is_compared_with_its_expectation_as_margins_and_the_sign_follows() -> None:
    ann, bob, cat, dan = people(4)
    for pair, levels in (([ann, bob], "ap"), ([cat, dan], "pg"), ([ann, dan], "pg")):
        ranked_match(pair, tuple(LEVELS[level] for level in levels))
    signs = set()
    for player in (ann, bob, cat, dan):
        reasons = [reason for one in feed(player=player, seats=2) for reason in one.reasons]
        for reason in (each for each in reasons if each.cause == "new"):
            assert reason.was is not None and reason.now is not None
            own = Attempt.objects.get(player=player, standard_game=reason.game)
            assert reason.now == pytest.approx(max(-LIMIT, min(LIMIT, own.counted)))
            assert (reason.now > reason.was) == (reason.elo > 0)
            told = f": {sentences.ahead(reason.now)}, expected {sentences.ahead(round(reason.was))}"
            assert told in sentences.reason_text(reason)
            signs.add(reason.elo > 0)
    assert signs == {True, False}


def test_at_a_table_of_three_the_opponents_are_rated_on_average() -> None:
    three, others = people(3), people(3, start=3)
    ranked_match(three, ("alfie", "poppy", "grace"))
    game = StandardGame.objects.get(played__kind=Play.Kind.RANKED)
    shown = text(as_(three[0]), f"/standard/{game.pk}/")
    assert "minus the opponent's" not in shown
    for _ in range(3):  # their opponents' ratings move, and with them what this game is worth
        ranked_match([three[1], three[2], others[0]], ("grace", "grace", "poppy"))
    told = [
        sentences.reason_text(reason)
        for one in feed(player=three[0], seats=3)
        for reason in one.reasons
        if reason.cause == "opponent"
    ]
    assert told
    for sentence in told:
        assert re.match(r"Your opponents in game #\d+ are now rated [\d,]+ on average", sentence)
    many = replace(reason_of(three[0]), more=2)
    assert "and 2 other games are now rated" in sentences.reason_text(many)


def reason_of(player: Player) -> Reason:
    """Return a reason of a player at tables of three that is about their opponents."""
    reasons = [reason for one in feed(player=player, seats=3) for reason in one.reasons]
    return next(reason for reason in reasons if reason.cause == "opponent")


def test_the_reasons_in_the_feed_add_up_to_the_change() -> None:
    players = people(8)
    for pair in range(0, 8, 2):
        ranked_match(
            players[pair : pair + 2], (("alfie", "grace"), ("nora", "poppy"))[pair % 4 // 2]
        )
    for player in players[:4]:
        news = feed(player=player, seats=2)
        assert news
        for one in news:
            assert sum(reason.elo for reason in one.reasons) == pytest.approx(one.elo, abs=0.05)
    others = [reason.others for reason in feed(player=players[0], seats=2)[0].reasons]
    assert max(others) == 3, "three changes of one day are shown as one item"


@pytest.mark.parametrize("seats", [2, 3])
def test_pages_need_a_constant_number_of_queries(
    seats: int, django_assert_max_num_queries: Any
) -> None:
    players = people(4 * seats)
    for start in range(0, len(players), seats):
        match = ranked_match(players[start : start + seats], ("alfie", "nora", "walter"))
    client = as_(players[-1])
    for path, most in (
        ("/ratings/", 9),
        (f"/ratings/me/?seats={seats}", 15),
        (f"/standard/{Play.objects.get(match=match).standard_game_id}/", 17),
        (result(match), 15),
        ("/ranked/", 11),
    ):
        with django_assert_max_num_queries(most):
            text(client, path)


@pytest.mark.parametrize(
    ("context", "query"), [({"list": "daily"}, "list=daily&amp;seats=3"), ({}, "seats=3")]
)
def test_links_between_pages_keep_the_list_and_the_seats(
    context: dict[str, str], query: str
) -> None:
    page = Paginator(range(3), 1).page(2)
    text = render_to_string("ratings/rating/_pages.html", {"page": page, "seats": 3, **context})
    assert re.findall(r'rel="(\w+)" href="([^"]+)"', text) == [
        ("prev", f"?{query}&amp;page=1"),
        ("next", f"?{query}&amp;page=3"),
    ]
    assert "Page 2 of 3" in text
