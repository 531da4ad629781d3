"""Mails and push messages to absent players: opt-in, sent once, and without cards."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from games.cluster import online_status
from games.correspondence import delivery, notify, push
from games.correspondence import notice_texts as written
from games.engine import rules
from games.engine.moves import Decision
from games.engine.state import Ruleset
from games.models import MailChoice, Match, Notice, Player, PushSubscription, TableInvitation
from games.people import friendships
from games.safety.erasure import erase
from games.tables import invitations
from games.tables.tables import create_match
from tests.support import letters
from tests.support.letters import begin, discard, make_person
from tests.support.push_service import Browser, PushService, push_service

pytestmark = pytest.mark.django_db

A_CARD = re.compile(r"\b(?:[A2-9TJQK]|10)[CDHS♣♦♥♠]|\bof (?:clubs|diamonds|hearts|spades)\b")


@pytest.fixture
def ann() -> Player:
    return make_person("ann")


@pytest.fixture
def match(ann: Player) -> Match:
    """Start a match in which Bob has discarded and Ann has not."""
    made = begin(ann, make_person("bob", mails=False))
    discard(made, 1)
    return made


def due(**wanted: Any) -> list[int]:
    """Make notices due now, and claim them."""
    Notice.objects.filter(**wanted).update(due_at=timezone.now())
    return delivery.claim()


def deliver() -> None:
    for key in due():
        delivery.deliver(key)


class TestMails:
    def test_one_is_sent_for_a_turn_with_opponent_and_deadline_and_no_card(
        self, ann: Player, match: Match
    ) -> None:
        notify.your_turn(match)
        assert delivery.claim() == [], "delivery waits some minutes"
        deliver()
        notify.your_turn(match)
        deliver()
        (letter,) = mail.outbox
        assert letter.to == ["ann@example.org"]
        assert letter.subject == "Your turn against bob"
        assert f"http://localhost:8000/t/{match.public_id}/" in letter.body
        assert "You have until" in letter.body and "UTC" in letter.body
        said = re.sub(r"https?://\S+", "", letter.body)
        assert not A_CARD.search(f"{letter.subject} {said}")

    def test_the_next_turn_gets_another_mail(self, ann: Player, match: Match) -> None:
        notify.your_turn(match)
        deliver()
        discard(match, 0)
        while rules.waiting(letters.state_of(match)) != (0,):
            letters.act(match, _first_decision(match))
        notify.your_turn(match)
        deliver()
        assert [letter.to for letter in mail.outbox] == [["ann@example.org"]] * 2
        assert Notice.objects.filter(player=ann).count() == 1, "the old one is deleted"

    def test_none_is_sent_without_opt_in_and_a_verified_address(
        self, ann: Player, match: Match
    ) -> None:
        MailChoice.objects.all().delete()
        notify.your_turn(match)
        MailChoice.objects.create(player=ann, language="en")
        EmailAddress.objects.update(verified=False)
        notify.your_turn(match)
        assert not Notice.objects.exists()

    def test_none_is_sent_once_the_turn_has_been_taken(self, match: Match) -> None:
        notify.your_turn(match)
        discard(match, 0)
        deliver()
        assert mail.outbox == []
        assert not Notice.objects.filter(sent_at__isnull=False).exists()

    def test_notices_of_a_finished_match_are_deleted(self, match: Match) -> None:
        notify.your_turn(match)
        deliver()
        assert Notice.objects.filter(sent_at__isnull=False).exists()
        match.status = Match.Status.FINISHED
        match.save(update_fields=["status"])
        notify.your_turn(match)
        assert not Notice.objects.exists()

    def test_a_mail_is_postponed_while_the_player_is_online(
        self, ann: Player, match: Match
    ) -> None:
        notify.your_turn(match)
        online_status.mark_online([ann.pk])
        deliver()
        assert mail.outbox == []
        row = Notice.objects.get()
        assert row.claimed_at is None and row.due_at > timezone.now() + timedelta(minutes=4)

    def test_a_refused_mail_is_retried_a_limited_number_of_times(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(_: object) -> int:
            raise ConnectionRefusedError

        monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
        notify.your_turn(match)
        for tries in range(1, delivery.TRIES + 1):
            deliver()
            assert Notice.objects.get().tries == tries
        deliver()
        assert Notice.objects.get().tries == delivery.TRIES

    def test_a_mail_has_an_unsubscribe_header_and_names_the_opponent(
        self, ann: Player, match: Match
    ) -> None:
        letter = written.mail_message(
            player=ann, match=match, to="a@b.org", due=timezone.now(), language="de"
        )
        assert "List-Unsubscribe" in letter.extra_headers
        assert "bob" in letter.subject


class TestStoppingMails:
    def test_a_post_without_log_in_stops_mails_and_a_get_does_not(
        self, client: Client, ann: Player, match: Match
    ) -> None:
        notify.your_turn(match)
        deliver()
        headers = mail.outbox[0].extra_headers
        assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        address = headers["List-Unsubscribe"].strip("<>").removeprefix("http://localhost:8000")
        stranger = Client(enforce_csrf_checks=True)
        assert stranger.get(address).status_code == 200
        assert MailChoice.objects.filter(player=ann).exists()
        answer = stranger.post(address, {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
        assert "No more mails" in answer.content.decode()
        assert not MailChoice.objects.exists()

    def test_a_forged_token_stops_nothing(self, client: Client, ann: Player) -> None:
        assert client.post(f"/notices/stop/{ann.public_id}:forged/").status_code == 404
        assert MailChoice.objects.filter(player=ann).exists()

    def test_the_page_turns_mails_on_and_off(self, client: Client) -> None:
        guest = begin().seats.get(seat=0).player
        assert guest is not None
        for player, wanted, kept in ((make_person("cid", mails=False), "1", 1), (guest, "1", 1)):
            client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
            assert client.get("/notices/").status_code == 200
            client.post("/notices/mails/", {"wanted": wanted})
            assert MailChoice.objects.count() == kept
        cid = Player.objects.get(name="cid")
        client.force_login(cid, backend="django.contrib.auth.backends.ModelBackend")
        client.post("/notices/mails/", {"wanted": "0"})
        assert not MailChoice.objects.exists()


def _first_decision(match: Match) -> Decision:
    """Return the first legal decision."""
    state = letters.state_of(match)
    return next(iter(rules.legal_moves(state, rules.waiting(state)[0])))


# --- push ----------------------------------------------------------------------------------


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
        keys = due(way="push")
        delivery.deliver(*keys)
        notify.your_turn(match)
        assert due(way="push") == []
        ((path, headers, body),) = service.came
        assert path == "/b" and service.unsigned == 0
        assert headers["x-sub"] == "mailto:keeper@example.org"
        assert headers["content-encoding"] == "aes128gcm"
        assert b"bob" not in body
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
        for key in due():
            delivery.deliver(key)
        ((_, _, body),) = service.came
        said = browser.read(body)
        assert said["title"] == "bob asks you to a table"
        assert said["url"] == f"/join/{table.invite}/"
        row.delete()
        Notice.objects.all().delete()
        notify.invited(ann, table)
        for key in due():
            delivery.deliver(key)
        assert len(service.came) == 1

    @pytest.mark.parametrize("status", [404, 410])
    def test_a_browser_that_no_longer_exists_is_forgotten(
        self, client: Client, service: PushService, ann: Player, match: Match, status: int
    ) -> None:
        subscribed(client, ann, Browser(service.origin))
        service.answer = status
        notify.your_turn(match)
        delivery.deliver(*due(way="push"))
        assert not PushSubscription.objects.exists()

    def test_a_redirect_is_not_followed(
        self, client: Client, service: PushService, ann: Player, match: Match
    ) -> None:
        subscribed(client, ann, Browser(service.origin))
        service.answer = 307
        notify.your_turn(match)
        delivery.deliver(*due(way="push"))
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


def test_inviting_a_friend_notifies_them(ann: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """The service that invites friends to tables also sends the notification."""
    told: list[tuple[Player, Match]] = []
    monkeypatch.setattr(notify, "invited", lambda player, table: told.append((player, table)))
    bob = make_person("bob")
    friendships.ask(player=ann, other=bob)
    friendships.accept(player=bob, other=ann)
    table = invitations.invite(player=ann, friend=bob)
    assert told == [(bob, table)]
