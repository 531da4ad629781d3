"""Cards and scores of a round of a duplicate are shown to nobody before the round is over."""

import pytest
from django.test import Client

from games.models import Player
from ratings.events import progress
from ratings.models import Event, EventRound, Play, StandardGame
from ratings.rating.results import collect
from ratings.standard import catalogue
from tests.support.people import as_
from tests.support.standard_tables import people, play_on, text
from tests.support.tournaments import again, begun, finish, under_way

pytestmark = pytest.mark.django_db

PAGES = ("", "live/", "wall/", "wall/live/", "standings.csv", "cross-table.svg", "board/")


def readers(event: Event, who: list[Player]) -> list[Client]:
    """Return the browsers of everyone in the event, of a stranger and of nobody."""
    (stranger,) = people(1, 50)
    return [Client(), *(as_(player) for player in [*who, stranger])]


def pages(event: Event, browser: Client) -> str:
    """Return all pages of an event as one text."""
    answers = [browser.get(f"/tournaments/{event.public_id}/{page}") for page in PAGES]
    return "".join(answer.content.decode() for answer in answers if answer.status_code == 200)


def test_scores_of_a_running_round_are_on_no_page() -> None:
    event, who = begun("swiss", 4, rounds=2)
    first, second = under_way(event)
    finish(first, 121, 73)
    browsers = readers(event, who)
    for browser in browsers:
        page = pages(event, browser)
        assert "121 : 73" not in page
        assert "+48" not in page
        assert "finished" in page
    finish(second, 121, 90)
    for browser in browsers[:3]:
        assert "121 : 73" in text(browser, f"/tournaments/{event.public_id}/")


def test_cards_and_field_are_for_those_who_finished_until_the_round_is_over() -> None:
    event, who = begun("swiss", 4, rounds=1)
    first, second = under_way(event)
    play_on(first)
    collect(match=first.pk)
    progress.advance(event=event)
    game = EventRound.objects.get(event=event).standard_game
    assert game is not None
    at_first = {seat.player_id for seat in first.seats.all()}
    for player in who[1:]:
        browser = as_(player)
        seen = player.pk in at_first
        for path in (f"/standard/{game.pk}/", f"/matches/{first.public_id}/",
                     f"/matches/{first.public_id}/record.jsonl",
                     f"/api/v1/matches/{first.public_id}"):  # fmt: skip
            status = browser.get(path).status_code
            assert (status == 200) == seen or (seen and path.endswith(".jsonl")), (path, status)
        assert browser.get(f"/standard/{game.pk}/verify/deals.txt").status_code == 404
        assert first.public_id not in browser.get("/matches/").content.decode() or seen
    for browser in (Client(), as_(who[0])):
        for path in (f"/standard/{game.pk}/", f"/matches/{first.public_id}/"):
            assert browser.get(path).status_code == 404
    play_on(second)
    collect(match=second.pk)
    progress.advance(event=event)
    assert again(event).state == Event.State.OVER
    assert Client().get(f"/standard/{game.pk}/verify/deals.txt").status_code == 200


def test_nobody_may_watch_a_table_of_a_duplicate_but_one_of_a_knockout() -> None:
    swiss, _ = begun("swiss", 2)
    knockout, _ = begun("knockout", 2, start=10)
    assert not under_way(swiss)[0].watchable
    assert under_way(knockout)[0].watchable


def test_the_pool_never_deals_the_cards_of_a_tournament() -> None:
    event, _ = begun("swiss", 2, rounds=1)
    game = StandardGame.objects.get(event_round__event=event)
    assert game.purpose == StandardGame.Purpose.EVENT
    for number in range(2):
        players = people(2, 60 + 2 * number)
        assert catalogue.choose_game(players=players).pk != game.pk


def test_a_play_of_a_tournament_is_never_rated() -> None:
    event, _ = begun("swiss", 2, rounds=1)
    (match,) = under_way(event)
    play_on(match)
    collect(match=match.pk)
    play = Play.objects.get(match=match)
    assert play.exclusion == Play.Exclusion.CHOSEN
    assert play.sequence is None
