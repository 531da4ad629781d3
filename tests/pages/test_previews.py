"""Previews of links: what a stranger may know of a page, as tags and as a picture."""

import html
import re
from io import BytesIO
from xml.etree import ElementTree

import pytest
from django.test import Client
from PIL import Image, ImageChops

from games.engine.state import Ruleset
from games.models import Match, Player, Seat
from games.pages.previews import picture
from games.pages.previews.previews import preview_of
from games.people.accounts import create_guest
from games.tables.tables import computer, create_match
from ratings.clubs import clubs
from ratings.models import Event
from ratings.standard import challenge
from tests.support.evenings import club_of, night_of
from tests.support.people import as_, make_match
from tests.support.tournaments import planned

pytestmark = pytest.mark.django_db


def tags_of(page: str) -> dict[str, str]:
    """Return the tags of Open Graph on a page, by name."""
    found = re.findall(r'<meta property="(og:[^"]+)" content="([^"]*)">', page)
    return {name: html.unescape(text) for name, text in found}


def picture_of(client: Client, tags: dict[str, str]) -> Image.Image:
    address = tags["og:image"].removeprefix("http://testserver")
    answer = client.get(address)
    assert answer.status_code == 200 and answer.headers["Content-Type"] == "image/jpeg"
    return Image.open(BytesIO(answer.content))


def finished(*, watchable: bool) -> Match:
    match, _people = make_match()
    Match.objects.filter(pk=match.pk).update(
        status=Match.Status.FINISHED, winner=0, watchable=watchable
    )
    Seat.objects.filter(match=match, seat=0).update(score=121)
    Seat.objects.filter(match=match, seat=1).update(score=98)
    return Match.objects.get(pk=match.pk)


def test_an_invitation_says_who_invites(client: Client) -> None:
    match = create_match(creator=create_guest(name="Ann"), ruleset=Ruleset())
    tags = tags_of(client.get(f"/join/{match.invite}/").content.decode())
    assert tags["og:title"] == "Ann invites you to a game of cribbage"
    assert picture_of(client, tags).size == (1200, 630)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.ABANDONED)
    assert client.get(f"/preview/join/{match.invite}.jpg").status_code == 404


def test_a_match_that_everyone_may_see_shows_its_score(client: Client) -> None:
    match = finished(watchable=True)
    tags = tags_of(client.get(f"/matches/{match.public_id}/").content.decode())
    assert "121 – 98" in tags["og:title"]
    assert picture_of(client, tags).size == (1200, 630)


def test_a_match_of_several_games_shows_the_points_that_decided_it() -> None:
    """With skunks, the winner may have won fewer games."""
    match = finished(watchable=True)
    Match.objects.filter(pk=match.pk).update(ruleset=Ruleset(games=3).to_dict())
    Seat.objects.filter(match=match, seat=0).update(games_won=1, match_points=3)
    Seat.objects.filter(match=match, seat=1).update(games_won=2, match_points=2)
    shown = preview_of("games:match", {"public_id": match.public_id})
    assert shown is not None and shown.big == "3 – 2"


def test_a_private_match_has_the_preview_of_the_site_even_for_its_players(client: Client) -> None:
    match = finished(watchable=False)
    player = Player.objects.get(seats__match=match, seats__seat=0)
    tags = tags_of(as_(player).get(f"/matches/{match.public_id}/").content.decode())
    assert tags["og:image"] == "http://testserver/preview.jpg"
    assert player.name not in tags["og:title"] + tags["og:description"]
    hidden = as_(player).get(f"/preview/matches/{match.public_id}.jpg")
    missing = client.get("/preview/matches/nosuchmatch.jpg")
    assert hidden.status_code == missing.status_code == 404


def test_a_running_match_has_no_preview_of_its_own(client: Client) -> None:
    match, _people = make_match()
    Match.objects.filter(pk=match.pk).update(watchable=True)
    assert preview_of("games:match", {"public_id": match.public_id}) is None


def test_a_private_player_has_no_preview(client: Client) -> None:
    shown = Player.objects.create_user("Margery")
    tags = tags_of(client.get(f"/players/{shown.public_id}/").content.decode())
    assert tags["og:title"] == "Margery"
    Player.objects.filter(pk=shown.pk).update(private=True)
    assert client.get(f"/preview/players/{shown.public_id}.jpg").status_code == 404


def test_a_challenge_a_club_and_the_daily_game_have_pictures(client: Client) -> None:
    game = challenge.make(seat=0)
    club = clubs.create(player=Player.objects.create_user("Margery"), name="The Crown")
    titles = {}
    for path in (f"/challenge/{game.invite}/", f"/clubs/join/{club.token}/", "/daily/"):
        tags = tags_of(client.get(path).content.decode())
        assert picture_of(client, tags).size == (1200, 630)
        titles[path] = tags["og:title"]
    assert len(set(titles.values())) == 3
    assert "The Crown" in titles[f"/clubs/join/{club.token}/"]
    assert not any("Margery" in title for title in titles.values())


def test_the_link_of_a_club_night_says_what_it_invites_to(client: Client) -> None:
    club, (organiser, *_others) = club_of(3)
    night = night_of(club, organiser, entrants=[organiser])
    tags = tags_of(client.get(f"/clubs/night/{night.token}/").content.decode())
    assert tags["og:title"] == "You're invited: Thursday"
    assert tags["og:description"] == "Pegs and Holes · 1 player so far."
    assert picture_of(client, tags).size == (1200, 630)
    assert client.get("/preview/clubs/night/nosuchnight.jpg").status_code == 404


def test_a_tournament_has_a_preview_unless_it_is_for_members(client: Client) -> None:
    open_to_all, _people = planned("swiss", 2, title="Autumn Cup")
    tags = tags_of(client.get(f"/tournaments/{open_to_all.public_id}/").content.decode())
    assert tags["og:title"] == "You're invited: Autumn Cup"
    Event.objects.filter(pk=open_to_all.pk).update(entry=Event.Entry.CLUB)
    assert client.get(f"/preview/tournaments/{open_to_all.public_id}.jpg").status_code == 404


def test_the_words_of_a_picture_stay_clear_of_the_cards() -> None:
    day = "Cribbage daily, Nov\N{NO-BREAK SPACE}26,\N{NO-BREAK SPACE}2026"
    plain, written = (
        Image.open(BytesIO(picture.drawn(title, ""))).convert("RGB") for title in ("", day)
    )
    box = ImageChops.difference(plain, written).convert("L").point(lambda v: 255 * (v > 60))
    left, _top, right, _bottom = box.getbbox() or (0, 0, 0, 0)
    assert 0 < left < right <= 700


@pytest.mark.parametrize("score", ["121 – 104", "121 – 104 – 108"])
def test_the_score_in_a_picture_stays_clear_of_the_cards(score: str) -> None:
    plain, written = (
        Image.open(BytesIO(picture.drawn("", "", big))).convert("RGB") for big in ("", score)
    )
    box = ImageChops.difference(plain, written).convert("L").point(lambda v: 255 * (v > 60))
    left, _top, right, _bottom = box.getbbox() or (0, 0, 0, 0)
    assert 0 < left < right <= 700


def test_the_preview_of_a_computer_counts_no_matches(client: Client) -> None:
    house = computer("poppy")
    tags = tags_of(client.get(f"/players/{house.public_id}/").content.decode())
    assert tags["og:title"] == house.name
    assert tags["og:description"] == "A computer player. It has no record."
    assert picture_of(client, tags).size == (1200, 630)


def test_a_name_that_the_fonts_lack_is_left_out_of_the_picture(client: Client) -> None:
    assert picture.can_write("Ärger & Françoise – 121")
    assert not picture.can_write("Дмитрий")
    match = create_match(creator=create_guest(name="Дмитрий"), ruleset=Ruleset())
    tags = tags_of(client.get(f"/join/{match.invite}/").content.decode())
    assert tags["og:title"].startswith("Дмитрий")
    assert picture_of(client, tags).size == (1200, 630)


def test_a_picture_is_drawn_once(client: Client) -> None:
    picture.drawn.cache_clear()
    for _time in range(3):
        assert client.get("/preview.jpg").status_code == 200
    assert picture.drawn.cache_info().misses == 1


def test_robots_find_the_list_of_pages_and_each_of_them_exists(client: Client) -> None:
    rules = client.get("/robots.txt").content.decode()
    assert "Sitemap: http://testserver/sitemap.xml" in rules
    # Chats fetch the previews of invitations as robots.
    assert "/join/" not in rules
    listed = ElementTree.fromstring(client.get("/sitemap.xml").content)
    addresses = [each.text or "" for each in listed.iter() if each.tag.endswith("loc")]
    assert len(addresses) > 10
    tools = ("/analysis/", "/explorer/", "/open-data/")
    assert {f"http://testserver{path}" for path in tools} <= set(addresses)
    for address in addresses:
        assert client.get(address.removeprefix("http://testserver")).status_code == 200, address
    assert client.get("/favicon.ico").headers["Location"] == "/static/img/favicon.ico"


def test_pages_have_descriptions_of_their_own(client: Client) -> None:
    listed = ElementTree.fromstring(client.get("/sitemap.xml").content)
    described = {}
    for each in listed.iter():
        if each.tag.endswith("loc"):
            page = client.get((each.text or "").removeprefix("http://testserver"))
            found = re.search(r'<meta name="description" content="([^"]+)"', page.content.decode())
            assert found is not None
            described[each.text] = found.group(1)
    assert len(set(described.values())) == len(described)


def test_a_guest_who_waits_is_asked_for_a_name(client: Client) -> None:
    guest = create_guest()
    match = create_match(creator=guest, ruleset=Ruleset())
    assert 'data-name="/name/"' in as_(guest).get(f"/t/{match.public_id}/").content.decode()
    person = Player.objects.create_user("Margery")
    own = create_match(creator=person, ruleset=Ruleset())
    assert "data-name" not in as_(person).get(f"/t/{own.public_id}/").content.decode()
