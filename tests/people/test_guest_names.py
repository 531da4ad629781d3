"""No guest has the name of an account, or one that looks like it."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import translation

from games.engine.state import Ruleset
from games.models import Player
from games.models.names import guest_marks
from games.people import accounts, programs
from games.tables.tables import create_match

pytestmark = pytest.mark.django_db

REFUSED = "That name belongs to an account. Log in if it&#x27;s yours, or try another."


@pytest.mark.parametrize("name", ["Bill", "BiIl", "b.i.l.l"])
def test_a_guest_cannot_take_an_accounts_name(name: str) -> None:
    bill, guest = Player.objects.create_user("Bill"), accounts.create_guest(name="Ann")
    programs.create_program(owner=bill, name="Robot Bee")
    for wanted in (name, "Robot Bee"):
        with pytest.raises(ValidationError):
            accounts.create_guest(name=wanted)
        with pytest.raises(ValidationError):
            accounts.rename(player=guest, name=wanted)
    assert Player.objects.get(kind="guest").name == "Ann"


def test_an_invitation_says_so_at_the_name(client: Client) -> None:
    match = create_match(creator=Player.objects.create_user("Bill"), ruleset=Ruleset())
    page = client.post(f"/join/{match.invite}/", {"name": "bill"})
    assert page.status_code == 422
    assert REFUSED in page.content.decode()


def test_a_generated_name_is_another_if_an_account_has_it(monkeypatch: Any) -> None:
    monkeypatch.setattr(accounts, "public_id", lambda: "ab2cdefghi")
    Player.objects.create_user("Gast AB2C")
    with translation.override("de"):
        guest = accounts.create_guest()
    assert guest.name == "Gast AB2CD"
    assert guest.has_generated_name


@pytest.mark.parametrize("way", ["sign-up", "rename", "program"])
def test_an_account_takes_its_name_from_guests(
    way: str, client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    guests = [accounts.create_guest(name=name) for name in ("Bill", "BiIl", "Ann")]
    bea = Player.objects.create_user("Bea")
    with django_capture_on_commit_callbacks(execute=True):
        if way == "sign-up":
            fields = {"username": "Bill", "email": "", "password1": "fifteen-two-4"}
            assert client.post("/accounts/signup/", fields).status_code == 302
        elif way == "rename":
            accounts.rename(player=bea, name="Bill")
        else:
            programs.create_program(owner=bea, name="Bill")
    names = [Player.objects.get(pk=guest.pk).name for guest in guests]
    marks = [guest_marks(guest.public_id)[0] for guest in guests[:2]]
    assert names == [*(f"Guest {mark}" for mark in marks), "Ann"]
