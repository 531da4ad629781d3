"""Links to challenges, tournaments, teams and clubs that lead nowhere say what they were."""

from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from ratings.models import Event
from ratings.pages.dead_links import LINKS, dead_link
from tests.support.evenings import club_of, night_of
from tests.support.people import as_
from tests.support.standard_tables import people
from tests.support.tournaments import planned

pytestmark = pytest.mark.django_db

KINDS = {
    "/challenge/nosuch/": "This link doesn't lead to a challenge",
    "/tournaments/nosuch/": "This link doesn't lead to a tournament that you can see",
    "/tournaments/no.such/": "This link doesn't lead to a tournament that you can see",
    "/tournaments/invited/nosuch/": "This invitation to a tournament doesn't work",
    "/tournaments/leagues/nosuch/": "This link doesn't lead to a league",
    "/tournaments/leagues/invited/nosuch/": "This invitation to a league doesn't work",
    "/tournaments/leagues/team/nosuch/": "This invitation to a team doesn't work",
    "/clubs/nosuch/": "This link doesn't lead to a club that you can see",
    "/clubs/night/": "This link doesn't lead to a club night",
    "/clubs/night/nosuch/": "This link doesn't lead to a club night",
}


@pytest.mark.parametrize("path", KINDS)
def test_a_link_that_leads_nowhere_says_what_it_was_and_what_to_do(path: str) -> None:
    answer = Client().get(path)
    page = unescape(answer.content.decode())
    link = dead_link(path)
    assert answer.status_code == 404
    assert f"<h1>{KINDS[path]}</h1>" in page
    assert link is not None
    assert f"<p>{link.why}</p>" in page
    assert f'href="{reverse(link.to)}">{link.button}</a>' in page


def test_every_kind_of_link_has_a_test() -> None:
    assert {dead_link(path) for path in KINDS} == set(LINKS.values())


@pytest.mark.parametrize("language", ["de", "es", "fr"])
def test_it_is_said_in_the_readers_language(language: str) -> None:
    client = Client(headers={"accept-language": language})
    pages = {unescape(client.get(path).content.decode()) for path in KINDS}
    assert not [title for title in KINDS.values() for page in pages if title in page]


def test_a_page_that_the_reader_may_not_see_is_like_none_at_all() -> None:
    club, members = club_of(2)
    event, _ = planned("swiss", 0, start=40)
    Event.objects.filter(pk=event.pk).update(entry=Event.Entry.CLUB, club=club)
    assert as_(members[0]).get(f"/tournaments/{event.public_id}/").status_code == 200
    stranger = as_(people(1, 60)[0])
    for secret, nothing in (
        (f"/clubs/{club.public_id}/", "/clubs/aaaaaaaaaa/"),
        (f"/tournaments/{event.public_id}/", "/tournaments/aaaaaaaaaa/"),
    ):
        answers = [stranger.get(path) for path in (secret, nothing)]
        assert {answer.status_code for answer in answers} == {404}
        assert (
            len({answer.content.split(b"<h1>")[1].split(b"</main>")[0] for answer in answers}) == 1
        )


def test_other_addresses_keep_the_general_page() -> None:
    event, who = planned("swiss", 1)
    reader = as_(who[1])
    event_path = f"/tournaments/{event.public_id}/"
    assert reader.get(event_path).status_code == 200
    for path in ("/nosuch/", f"{event_path}bracket.svg", f"{event_path}typo/", "/clubs/x/typo/"):
        answer = reader.get(path)
        assert answer.status_code == 404
        assert "There's nothing here" in unescape(answer.content.decode())


def test_a_player_who_is_missing_from_a_night_does_not_make_it_a_dead_link() -> None:
    club, members = club_of(2)
    night = night_of(club, members[0], entrants=members)
    for path in (
        f"/clubs/night/{night.token}/absent/nosuch/",
        f"/clubs/{club.public_id}/members/nosuch/remove/",
    ):
        answer = as_(members[0]).post(path)
        assert answer.status_code == 404
        assert "There's nothing here" in unescape(answer.content.decode())
