"""Names as people type them, at sign-up, at log-in and to find friends."""

import re

import pytest
from django.template.loader import render_to_string
from django.test import Client

from games.models import Player
from games.models.names import LONGEST, check_name, skeleton
from games.pages.tables.forms import SeekForm
from tests.support.servers import ROOT

pytestmark = pytest.mark.django_db

PASSWORD = "fifteen-two-4"


def who(client: Client) -> Player:
    return Player.objects.get(pk=client.session["_auth_user_id"])


def test_the_field_takes_no_longer_name_than_the_site(client: Client) -> None:
    page = client.get("/accounts/signup/").content.decode()
    (field,) = re.findall(r'<input[^>]*name="username"[^>]*>', page)
    assert f'maxlength="{LONGEST}"' in field


def test_each_fault_of_a_password_has_a_line_of_its_own(client: Client) -> None:
    form = {"username": "Ann", "password1": "1234", "password2": "1234"}
    page = client.post("/accounts/signup/", form).content.decode()
    told = re.findall(r"<li>(This password is [^<]*)</li>", page)
    assert len(told) == 3


def test_each_fault_of_any_field_has_a_line_of_its_own() -> None:
    form = SeekForm({"days": "3"})
    faults = ["Too short.", "Too plain."]
    for fault in faults:
        form.add_error("days", fault)
    told = render_to_string("ratings/standard/_field.html", {"field": form["days"]})
    assert re.findall(r"<li>(.*?)</li>", told) == faults
    for template in (ROOT / "templates").rglob("*.html"):
        assert "errors|join" not in template.read_text(), template


def test_an_apostrophe_may_be_typographic_as_iphones_write_it(client: Client) -> None:
    passwords = {"password1": PASSWORD, "password2": PASSWORD}
    client.post("/accounts/signup/", {"username": "O’Neill", **passwords})
    person = who(client)
    assert person.name == "O'Neill"
    for login in ("O’Neill", "O'Neill", "o’neill", "O´Neill"):
        client.logout()
        client.post("/accounts/login/", {"login": login, "password": PASSWORD})
        assert who(client) == person
    Player.objects.update(name="Renamed", name_skeleton=skeleton("Renamed"))  # by moderators
    client.logout()
    client.post("/accounts/login/", {"login": "O’Neill", "password": PASSWORD})
    assert who(client) == person


def test_nothing_that_looks_like_an_apostrophe_makes_a_second_name() -> None:
    names = {check_name(f"O{sign}Neill") for sign in "'‘’´`ꞌ"}
    assert names == {"O'Neill"}
