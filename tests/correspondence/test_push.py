"""Notices for absent players by web push: encrypted, signed, sent once, and without cards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from games.correspondence import notify, push
from games.engine.state import Ruleset
from games.models import MailChoice, Match, Notice, Player, PushSubscription, TableInvitation
from games.people import friendships
from games.people.accounts import create_guest, merge_guest
from games.people.friends import INVITATION_KEPT
from games.safety.erasure import erase
from games.tables import invitations
from games.tables.tables import create_match
from tests.support.letters import A_CARD, begin, deliver, due, make_person
from tests.support.push_service import Browser, PushService, push_service

pytestmark = pytest.mark.django_db


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    """Run a push service, and configure the site with a key and that service's origin."""
    out = StringIO()
    call_command("make_vapid_key", stdout=out)
    settings.VAPID_PRIVATE_KEY = out.getvalue().strip().rpartition("=")[2]
    settings.VAPID_SUBJECT = "mailto:keeper@example.org"
    with push_service() as running:
        settings.PUSH_TRIED_AT = [running.origin]
        yield running


def subscribed(client: Client, player: Player, browser: Browser) -> int:
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    told = json.dumps(browser.subscription())
    return client.post("/notices/push/", told, content_type="application/json").status_code


class TestPush:
    @pytest.mark.parametrize("key", ["", "no key", "AAAA"])
    def test_push_is_not_offered_with_a_missing_or_invalid_key(
        self, client: Client, settings: Any, ann: Player, key: str
    ) -> None:
        settings.VAPID_PRIVATE_KEY = key
        client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
        answer = client.get("/notices/")
        assert answer.status_code == 200
        assert "data-push" not in answer.content.decode()

    def test_a_turn_is_pushed_encrypted_signed_and_without_a_card(
        self, client: Client, service: PushService, ann: Player, match: Match
    ) -> None:
        browser = Browser(service.origin)
        assert subscribed(client, ann, browser) == 200
        notify.your_turn(match)
        deliver(way="push")
        notify.your_turn(match)
        assert not due(way="push")
        ((path, headers, body),) = service.came
        assert path == "/b" and service.unsigned == 0
        assert headers["x-sub"] == "mailto:keeper@example.org"
        assert headers["content-encoding"] == "aes128gcm"
        assert b"against bob" not in body
        said = browser.read(body)
        assert said == {
            "title": "Your turn against bob",
            "body": "Cribbage",
            "url": f"/t/{match.public_id}/",
            "tag": f"turn-{match.public_id}",
        }
        assert not A_CARD.search(" ".join(said.values()))

    def test_an_invitation_is_pushed_only_while_it_is_open(
        self, client: Client, service: PushService, ann: Player
    ) -> None:
        browser = Browser(service.origin)
        subscribed(client, ann, browser)
        bob = make_person("bob")
        table = create_match(creator=bob, ruleset=Ruleset())
        row = TableInvitation.objects.create(match=table, inviter=bob, invited=ann)
        notify.invited(ann, table)
        notify.invited(ann, table)
        deliver()
        ((_, _, body),) = service.came
        said = browser.read(body)
        assert said["title"] == "bob invites you to a table"
        assert said["url"] == f"/join/{table.invite}/"
        row.delete()
        Notice.objects.all().delete()
        notify.invited(ann, table)
        deliver()
        assert len(service.came) == 1

    def test_an_invitation_that_has_expired_is_pushed_only_when_it_is_renewed(
        self, client: Client, service: PushService, ann: Player
    ) -> None:
        subscribed(client, ann, Browser(service.origin))
        bob = make_person("bob")
        friendships.ask(player=bob, other=ann)
        friendships.accept(player=ann, other=bob)
        table = create_match(creator=bob, ruleset=Ruleset())
        invitations.invite_to(player=bob, friend=ann, match=table)
        TableInvitation.objects.update(made_at=timezone.now() - INVITATION_KEPT)
        deliver()
        assert service.came == []
        for _ in range(2):
            invitations.invite_to(player=bob, friend=ann, match=table)
            deliver()
        assert len(service.came) == 1
        TableInvitation.objects.update(made_at=timezone.now() - INVITATION_KEPT)
        invitations.invite_to(player=bob, friend=ann, match=table)
        deliver()
        assert len(service.came) == 2

    @pytest.mark.parametrize("status", [404, 410])
    def test_a_browser_that_no_longer_exists_is_forgotten(
        self, client: Client, service: PushService, ann: Player, match: Match, status: int
    ) -> None:
        subscribed(client, ann, Browser(service.origin))
        service.answer = status
        notify.your_turn(match)
        deliver(way="push")
        assert not PushSubscription.objects.exists()

    def test_a_redirect_is_not_followed(
        self, client: Client, service: PushService, ann: Player, match: Match
    ) -> None:
        subscribed(client, ann, Browser(service.origin))
        service.answer = 307
        notify.your_turn(match)
        deliver(way="push")
        assert [path for path, _, _ in service.came] == ["/b"]
        assert Notice.objects.get(way="push").sent_at is None

    def test_logging_out_forgets_this_browser_and_erasure_forgets_all(
        self, client: Client, service: PushService, ann: Player
    ) -> None:
        other = Client()
        subscribed(client, ann, Browser(service.origin, "one"))
        subscribed(other, ann, Browser(service.origin, "two"))
        client.post("/accounts/logout/")
        assert [row.endpoint[-3:] for row in PushSubscription.objects.all()] == ["two"]
        erase(player=ann)
        assert not PushSubscription.objects.exists()
        assert not MailChoice.objects.exists()

    @pytest.mark.parametrize("way", ["login", "signup"])
    def test_a_guests_browser_belongs_to_the_account_until_it_logs_out(
        self, client: Client, service: PushService, way: str
    ) -> None:
        guest, password = create_guest(), "fifteen-two-4"
        subscribed(client, guest, Browser(service.origin))
        if way == "login":
            Player.objects.create_user("Margery", password=password)
        fields = {"login": "Margery", "username": "Margery", "email": ""}
        secrets = {"password": password, "password1": password}
        client.post(f"/accounts/{way}/", {**fields, **secrets})
        assert PushSubscription.objects.get().player.name == "Margery"
        client.post("/accounts/logout/")
        assert not PushSubscription.objects.exists()

    def test_a_guests_unsent_notices_go_to_the_account(
        self, client: Client, service: PushService
    ) -> None:
        guest, margery = create_guest(), Player.objects.create_user("Margery")
        match = begin(guest, create_guest())
        subscribed(client, guest, Browser(service.origin))
        Notice.objects.create(player=guest, match=match, way="push", kind="turn", asked=7)
        merge_guest(guest=guest, account=margery)
        assert Notice.objects.get().player == margery

    def test_a_browser_belongs_to_the_player_who_subscribed_last(
        self, client: Client, service: PushService, ann: Player
    ) -> None:
        browser, bob = Browser(service.origin), make_person("bob")
        for player in (ann, bob):
            subscribed(client, player, browser)
        assert PushSubscription.objects.get().player == bob
        client.post(
            "/notices/push/stop/",
            json.dumps({"endpoint": browser.endpoint}),
            content_type="application/json",
        )
        assert not PushSubscription.objects.exists()

    @pytest.mark.parametrize(
        "endpoint",
        [
            "http://fcm.googleapis.com/send/a",
            "https://fcm.googleapis.com.example.org/a",
            "https://user@fcm.googleapis.com/a",
            "https://fcm.googleapis.com:8443/a",
            "https://127.0.0.1/a",
            "https://[::1]/a",
            "https://169.254.169.254/latest/meta-data/",
            "https://10.0.0.1/a",
            "https://localhost/a",
            "https://example.org/fcm.googleapis.com",
            "https://notify.windows.com.evil.example/",
            "https://push.apple.com/" + "a" * 600,
            "gopher://fcm.googleapis.com/",
            "https://[fcm.googleapis.com/",
            # Before a backslash ends the host for the library that sends, though not for Python.
            "https://127.0.0.1\\.push.apple.com/a",
            "https://localhost\\.notify.windows.com/a",
            "https://example.org\\.push.services.mozilla.com/a",
            7,
        ],
    )
    def test_addresses_other_than_known_push_services_are_refused(
        self, client: Client, service: PushService, ann: Player, endpoint: object
    ) -> None:
        """A browser's claim about its push service is untrusted input."""
        told = Browser("https://fcm.googleapis.com").subscription() | {"endpoint": endpoint}
        client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
        answer = client.post("/notices/push/", json.dumps(told), content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_browser")
        assert not PushSubscription.objects.exists()

    def test_the_known_push_services_are_accepted(self, service: PushService) -> None:
        for host in (
            "fcm.googleapis.com",
            "updates.push.services.mozilla.com",
            "wns2-am3p.notify.windows.com",
            "web.push.apple.com",
        ):
            assert push.is_push_service(f"https://{host}/send/abc:def")

    @pytest.mark.parametrize("body", ["", "[]", "{", '{"endpoint": 1}', "x" * 5000])
    def test_invalid_bodies_get_an_error_answer(
        self, client: Client, service: PushService, ann: Player, body: str
    ) -> None:
        client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
        answer = client.post("/notices/push/", body, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_browser")

    def test_subscribing_is_refused_when_the_site_has_no_key(
        self, client: Client, ann: Player
    ) -> None:
        client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
        assert "data-push" not in client.get("/notices/").content.decode()
        told = json.dumps(Browser("https://fcm.googleapis.com").subscription())
        answer = client.post("/notices/push/", told, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "no_push")

    def test_the_page_has_a_button_with_the_sites_public_key(
        self, client: Client, service: PushService, ann: Player
    ) -> None:
        subscribed(client, ann, Browser(service.origin))
        page = client.get("/notices/").content.decode()
        assert f'data-key="{push.application_key()}"' in page
        assert service.origin not in page
