"""The progressive web app (manifest, service worker, offline page) and invitation QR codes."""

import json

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from games.engine.state import Ruleset
from games.models import Match
from games.people.accounts import create_guest
from games.tables.tables import create_match, join_match

pytestmark = pytest.mark.django_db


def table() -> Match:
    return create_match(creator=create_guest(), ruleset=Ruleset())


def test_the_manifests_icons_exist(client: Client) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["scope"], manifest["display"]) == ("/", "standalone")
    for icon in manifest["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/")), icon
    assert {icon["sizes"] for icon in manifest["icons"]} == {"any", "192x192", "512x512"}


def test_the_service_worker_is_served_from_the_root_and_its_files_exist(client: Client) -> None:
    answer = client.get("/sw.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer["Cache-Control"]
    first = answer.content.decode().splitlines()[0]
    kept = json.loads(first.removeprefix("self.OFFLINE = ").removesuffix(";"))
    assert client.get(kept["page"]).status_code == 200
    assert all(finders.find(name.removeprefix("/static/")) for name in kept["files"])


def test_the_offline_page_contains_no_player_data(client: Client) -> None:
    guest = create_guest()
    client.force_login(guest, "django.contrib.auth.backends.ModelBackend")
    page = client.get("/offline/").content.decode()
    assert "No connection" in page
    assert guest.name not in page


def test_an_invitation_has_a_qr_code_while_seats_are_free(client: Client) -> None:
    match = table()
    answer = client.get(f"/join/{match.invite}/qr.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer.content.startswith(b"<svg")
    assert b"style=" not in answer.content
    join_match(player=create_guest(), invite=match.invite)
    assert client.get(f"/join/{match.invite}/qr.svg").status_code == 404
    assert client.get("/join/nothing/qr.svg").status_code == 404
