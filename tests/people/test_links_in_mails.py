"""Links in mails that are followed in a browser in which somebody else is logged in."""

from __future__ import annotations

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.test import Client

from games.engine.state import Ruleset
from games.models import Match, Player
from games.people.accounts import create_guest
from games.tables.tables import create_match
from tests.support.people import as_

pytestmark = pytest.mark.django_db

OLD, NEW = "fifteen-two-4", "thirty-one-for-2"


@pytest.fixture
def margery() -> Player:
    return Player.objects.create_user("Margery", "margery@example.org", password=OLD)


def address_of(player: Player) -> EmailAddress:
    return EmailAddress.objects.create(user=player, email=player.email, primary=True)


def confirmation(address: EmailAddress) -> str:
    return f"/accounts/confirm-email/{EmailConfirmationHMAC(address).key}/"


@pytest.fixture
def game() -> Match:
    """A match whose creator is a guest."""
    return create_match(creator=create_guest(), ruleset=Ruleset())


def browser(game: Match) -> Client:
    assert game.created_by is not None
    return as_(game.created_by)


def log_in(client: Client, password: str) -> None:
    client.post("/accounts/login/", {"login": "Margery", "password": password})


def test_a_guest_who_confirms_an_address_keeps_their_games(margery: Player, game: Match) -> None:
    client, address = browser(game), address_of(margery)
    assert client.get(confirmation(address)).status_code == 200
    client.post(confirmation(address))
    address.refresh_from_db()
    assert address.verified
    assert client.get(f"/t/{game.public_id}/").status_code == 200
    log_in(client, OLD)
    game.refresh_from_db()
    assert game.created_by == margery


def test_an_address_is_confirmed_by_a_double_click(margery: Player) -> None:
    client, link = Client(), confirmation(address_of(margery))
    answers = [client.post(link) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert client.post("/accounts/confirm-email/MQ:no:key/").status_code == 404


def test_a_link_that_has_confirmed_an_address_still_says_so(margery: Player) -> None:
    client, link = Client(), confirmation(address_of(margery))
    client.post(link)
    client.get("/")  # shows what the first one said
    page = client.get(link, follow=True).content.decode()
    assert "margery@example.org" in page
    assert "expired" not in page
    other = client.get("/accounts/confirm-email/MQ:no:key/").content.decode()
    assert "This link has expired." in other


def test_a_guest_who_chooses_a_new_password_keeps_their_games(margery: Player, game: Match) -> None:
    client, token = browser(game), default_token_generator.make_token(margery)
    link = f"/accounts/password/reset/key/{user_pk_to_url_str(margery)}-{token}/"
    form = client.get(link)["Location"]
    assert client.get(form).status_code == 200
    client.post(form, {"password1": NEW, "password2": NEW})
    assert client.get(f"/t/{game.public_id}/").status_code == 200
    log_in(client, NEW)
    game.refresh_from_db()
    assert game.created_by == margery


def test_another_person_who_opens_a_confirmation_stays_logged_in(margery: Player) -> None:
    """Anyone can send their own link to somebody else."""
    tom = Player.objects.create_user("Tom", password=OLD)
    client, address = as_(tom), address_of(margery)
    page = client.get(confirmation(address))
    assert "Add margery@example.org to the account of Margery?" in page.content.decode()
    client.post(confirmation(address))
    address.refresh_from_db()
    assert address.verified
    assert client.session["_auth_user_id"] == str(tom.pk)
    assert not EmailAddress.objects.filter(user=tom).exists()


def test_another_person_who_opens_a_link_to_a_new_password_is_logged_out(margery: Player) -> None:
    client, token = (
        as_(Player.objects.create_user("Tom")),
        default_token_generator.make_token(margery),
    )
    link = f"/accounts/password/reset/key/{user_pk_to_url_str(margery)}-{token}/"
    form = client.get(link)["Location"]
    client.post(form, {"password1": NEW, "password2": NEW})
    assert "_auth_user_id" not in client.session
