"""The lobby, invitations, and who may open a table."""

import pytest
from django.test import Client

from games import services
from games.accounts import create_guest
from games.engine.state import Ruleset
from games.models import Match, Player
from tests.games.played import play_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def host() -> Player:
    """Return a guest who makes tables."""
    return create_guest(name="Margery")


def test_the_lobby_shows_open_tables_with_their_rules(client: Client, host: Player) -> None:
    match = services.create_match(creator=host, ruleset=Ruleset(target=61, games=3), listed=True)
    page = client.get("/lobby/").content.decode()
    for text in ("Margery", "to 61", "match of 3 games", "1 seat free", f"/join/{match.invite}/"):
        assert text in page


def test_an_invitation_says_who_invites_and_to_which_rules(client: Client, host: Player) -> None:
    match = services.create_match(
        creator=host, ruleset=Ruleset(players=3, counting="manual", muggins=True)
    )
    page = client.get(f"/join/{match.invite}/").content.decode()
    for text in ("Margery invites you", "3 players", "to 121", "own counting, with muggins"):
        assert text in page
    assert not Player.objects.exclude(pk=host.pk).exists(), "looking makes nobody a guest"


def test_an_invitation_says_what_was_agreed_besides(client: Client, host: Player) -> None:
    match = services.create_match(creator=host, ruleset=Ruleset(), hints=True, stand_in="nora")
    page = client.get(f"/join/{match.invite}/").content.decode()
    assert "hints allowed" in page
    assert "For whoever leaves Nora, a computer player, plays on" in page


def test_a_guest_takes_up_an_invitation_under_his_name(client: Client, host: Player) -> None:
    match = services.create_match(creator=host, ruleset=Ruleset())
    answer = client.post(f"/join/{match.invite}/", {"name": "Tom"})
    assert answer.headers["Location"] == f"/t/{match.public_id}/"
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING
    assert [seat.player.name for seat in match.seats.order_by("seat") if seat.player] == [
        "Margery",
        "Tom",
    ]


def test_a_name_that_nobody_may_have_is_refused_at_the_field(client: Client, host: Player) -> None:
    match = services.create_match(creator=host, ruleset=Ruleset())
    answer = client.post(f"/join/{match.invite}/", {"name": "admin"})
    assert answer.status_code == 422
    assert answer.context["form"].errors["name"]
    assert match.seats.filter(player=None).exists()


def test_a_dead_invitation_says_so_and_offers_a_new_one(client: Client, host: Player) -> None:
    match = services.create_match(creator=host, ruleset=Ruleset())
    services.join_match(player=create_guest(), invite=match.invite)
    for path, status in ((f"/join/{match.invite}/", 410), ("/join/nosuchinvitation/", 404)):
        for method in (client.get, client.post):
            answer = method(path)
            assert answer.status_code == status
            page = answer.content.decode()
            assert "Make a new invitation" in page
            assert 'action="/invite/"' in page


def test_whoever_sits_there_is_led_to_the_table(client: Client, host: Player) -> None:
    match = services.create_match(creator=host, ruleset=Ruleset())
    client.force_login(host)
    answer = client.get(f"/join/{match.invite}/")
    assert answer.headers["Location"] == f"/t/{match.public_id}/"


def test_a_stranger_cannot_tell_a_private_table_from_none(client: Client, host: Player) -> None:
    match = services.create_match(creator=host, ruleset=Ruleset(), computers={1: "poppy"})
    for folder in ("t", "matches"):
        private = client.get(f"/{folder}/{match.public_id}/")
        missing = client.get(f"/{folder}/bbbbbbbbbb/")
        assert private.status_code == missing.status_code == 404
        assert private.content == missing.content
    client.force_login(host)
    assert client.get(f"/t/{match.public_id}/").status_code == 200


def test_a_table_that_may_be_watched_opens_for_everybody(client: Client, host: Player) -> None:
    match = services.create_match(
        creator=host, ruleset=Ruleset(), computers={1: "poppy"}, watchable=True
    )
    assert client.get(f"/t/{match.public_id}/").status_code == 200


def test_a_listed_table_that_waits_leads_to_its_invitation(client: Client, host: Player) -> None:
    match = services.create_match(creator=host, ruleset=Ruleset(), listed=True)
    answer = client.get(f"/t/{match.public_id}/")
    assert answer.headers["Location"] == f"/join/{match.invite}/"


def test_a_played_match_is_no_invitation(client: Client, host: Player) -> None:
    match = services.create_match(creator=host, ruleset=Ruleset(), computers={1: "poppy"})
    play_on(match.public_id)
    answer = client.get(f"/join/{match.invite}/")
    assert answer.status_code == 410
    assert "This match has been played" in answer.content.decode()
