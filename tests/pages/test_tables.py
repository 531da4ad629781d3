"""The lobby, invitations, and access to tables."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.archive import selectors
from games.engine.state import Ruleset
from games.models import Match, Player
from games.people.accounts import create_guest
from games.tables.tables import create_match, join_match
from tests.support.played import play_on

pytestmark = pytest.mark.django_db

MOST_QUERIES = 12
"""Queries of the lobby for a guest with an open table: two for tables, four for posted games."""


@pytest.fixture
def host() -> Player:
    """Return a guest who creates tables."""
    return create_guest(name="Margery")


def test_the_lobby_shows_open_tables_with_their_rules(client: Client, host: Player) -> None:
    match = create_match(creator=host, ruleset=Ruleset(target=61, games=3), listed=True)
    page = client.get("/lobby/").content.decode()
    for text in ("Margery", "to 61", "match of 3 games", "1 seat free", f"/join/{match.invite}/"):
        assert text in page


def test_the_lobby_takes_few_queries(client: Client, host: Player) -> None:
    create_match(creator=host, ruleset=Ruleset(), listed=True)
    client.force_login(host)
    client.get("/lobby/")
    with CaptureQueriesContext(connection) as asked:
        client.get("/lobby/")
    assert len(asked) <= MOST_QUERIES, [each["sql"][:120] for each in asked]


def test_an_invitation_names_the_host_and_the_rules(client: Client, host: Player) -> None:
    match = create_match(creator=host, ruleset=Ruleset(players=3, counting="manual", muggins=True))
    page = client.get(f"/join/{match.invite}/").content.decode()
    for text in ("Margery invites you", "3 players", "to 121", "you count, with muggins"):
        assert text in page
    assert not Player.objects.exclude(pk=host.pk).exists(), (
        "looking at an invitation creates no guest"
    )


def test_an_invitation_shows_hints_and_substitute(client: Client, host: Player) -> None:
    match = create_match(creator=host, ruleset=Ruleset(), hints=True, stand_in="nora")
    page = client.get(f"/join/{match.invite}/").content.decode()
    assert "hints allowed" in page
    assert "If someone leaves, the computer Nora can take over" in page


def test_a_guest_can_accept_an_invitation_under_a_name(client: Client, host: Player) -> None:
    match = create_match(creator=host, ruleset=Ruleset())
    answer = client.post(f"/join/{match.invite}/", {"name": "Tom"})
    assert answer.headers["Location"] == f"/t/{match.public_id}/"
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING
    assert [seat.player.name for seat in match.seats.order_by("seat") if seat.player] == [
        "Margery",
        "Tom",
    ]


def test_a_reserved_name_is_refused_at_its_field(client: Client, host: Player) -> None:
    match = create_match(creator=host, ruleset=Ruleset())
    answer = client.post(f"/join/{match.invite}/", {"name": "admin"})
    assert answer.status_code == 422
    assert answer.context["form"].errors["name"]
    assert match.seats.filter(player=None).exists()


def test_a_dead_invitation_is_explained_with_an_offer_of_a_new_one(
    client: Client, host: Player
) -> None:
    match = create_match(creator=host, ruleset=Ruleset())
    join_match(player=create_guest(), invite=match.invite)
    for path, status in ((f"/join/{match.invite}/", 410), ("/join/nosuchinvitation/", 404)):
        for method in (client.get, client.post):
            answer = method(path)
            assert answer.status_code == status
            page = answer.content.decode()
            assert "Invite a friend" in page
            assert 'action="/invite/"' in page


def test_a_seated_player_is_redirected_to_the_table(client: Client, host: Player) -> None:
    match = create_match(creator=host, ruleset=Ruleset())
    client.force_login(host)
    answer = client.get(f"/join/{match.invite}/")
    assert answer.headers["Location"] == f"/t/{match.public_id}/"


def test_a_stranger_cannot_tell_a_private_table_from_a_missing_one(
    client: Client, host: Player
) -> None:
    match = create_match(creator=host, ruleset=Ruleset(), computers={1: "poppy"})
    for folder in ("t", "matches"):
        private = client.get(f"/{folder}/{match.public_id}/")
        missing = client.get(f"/{folder}/bbbbbbbbbb/")
        assert private.status_code == missing.status_code == 404
        own = private.content.replace(match.public_id.encode(), b"bbbbbbbbbb")
        assert own == missing.content, "they differ in more than their address"
    client.force_login(host)
    assert client.get(f"/t/{match.public_id}/").status_code == 200


def test_a_watchable_table_is_open_to_all_visitors(client: Client, host: Player) -> None:
    match = create_match(creator=host, ruleset=Ruleset(), computers={1: "poppy"}, watchable=True)
    assert client.get(f"/t/{match.public_id}/").status_code == 200


def test_a_listed_waiting_table_redirects_to_its_invitation(client: Client, host: Player) -> None:
    match = create_match(creator=host, ruleset=Ruleset(), listed=True)
    answer = client.get(f"/t/{match.public_id}/")
    assert answer.headers["Location"] == f"/join/{match.invite}/"


def test_the_page_of_a_host_knows_how_long_their_table_stays_in_the_lobby(
    client: Client, host: Player
) -> None:
    listed = create_match(creator=host, ruleset=Ruleset(), listed=True)
    private = create_match(creator=host, ruleset=Ruleset())
    client.force_login(host)

    def shown(match: Match) -> list[int]:
        text = client.get(f"/t/{match.public_id}/").content.decode()
        return [int(seconds) for seconds in re.findall(r' data-listed="(\d+)"', text)]

    longest = selectors.OPEN_FOR.total_seconds()
    assert longest - 60 < shown(listed)[0] <= longest
    assert shown(private) == []
    Match.objects.filter(pk=listed.pk).update(created_at=timezone.now() - 2 * selectors.OPEN_FOR)
    assert shown(listed) == [0]


def test_a_played_match_cannot_be_joined(client: Client, host: Player) -> None:
    match = create_match(creator=host, ruleset=Ruleset(), computers={1: "poppy"})
    play_on(match.public_id)
    answer = client.get(f"/join/{match.invite}/")
    assert answer.status_code == 410
    assert "This match is over" in answer.content.decode()


def test_a_host_closes_a_table_that_waits(client: Client, host: Player) -> None:
    match = create_match(creator=host, ruleset=Ruleset())
    client.force_login(host)
    leave = f'data-leave="/t/{match.public_id}/leave/"'
    assert leave in client.get(f"/t/{match.public_id}/").content.decode()
    page = client.post(f"/t/{match.public_id}/leave/", follow=True)
    assert page.redirect_chain == [("/lobby/", 302)]
    assert "The table is closed." in page.content.decode()
    assert f"/t/{match.public_id}/" not in client.get("/").content.decode()
    assert Client().get(f"/join/{match.invite}/").status_code == 410


def test_a_guest_gives_a_seat_back_at_a_table_that_waits(client: Client, host: Player) -> None:
    match, guest = create_match(creator=host, ruleset=Ruleset(players=3)), create_guest()
    join_match(player=guest, invite=match.invite)
    client.force_login(guest)
    page = client.post(f"/t/{match.public_id}/leave/", follow=True)
    assert "You left the table." in page.content.decode()
    match.refresh_from_db()
    assert match.status == Match.Status.WAITING
    assert not match.seats.filter(player=guest).exists()
    assert client.post(f"/t/{match.public_id}/leave/").headers["Location"] == "/lobby/"


@pytest.mark.parametrize("players", [2, 3])
def test_no_one_leaves_a_match_that_has_just_begun_by_the_waiting_room(
    client: Client, host: Player, players: int
) -> None:
    match = create_match(creator=host, ruleset=Ruleset(players=players))
    for _ in range(players - 1):
        join_match(player=create_guest(), invite=match.invite)
    client.force_login(host)
    answer = client.post(f"/t/{match.public_id}/leave/")
    assert answer.headers["Location"] == f"/t/{match.public_id}/"
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING
    assert not match.seats.filter(stand_in__isnull=False).exists()


def test_without_scripts_a_table_leads_back_to_the_site(client: Client, host: Player) -> None:
    match = create_match(creator=host, ruleset=Ruleset())
    client.force_login(host)
    page = client.get(f"/t/{match.public_id}/").content.decode()
    told = page.partition("<noscript>")[2].partition("</noscript>")[0]
    assert "Tables need JavaScript." in told
    assert '<a href="/">' in told
