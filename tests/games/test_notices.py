"""Mails and pushes to who is away: asked for, sent once, and without a card."""

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

from games import letters as written
from games import notify, post, push, seen
from games.engine import rules
from games.engine.moves import Decision
from games.engine.state import Ruleset
from games.models import MailChoice, Match, Notice, Player, PushSubscription, TableInvitation
from games.services import create_match, friends
from games.services.erasure import erase
from tests.games import letters
from tests.games.letters import begin, discard, make_person
from tests.games.push_service import Browser, PushService, push_service

pytestmark = pytest.mark.django_db

A_CARD = re.compile(r"\b(?:[A2-9TJQK]|10)[CDHS♣♦♥♠]|\bof (?:clubs|diamonds|hearts|spades)\b")


@pytest.fixture
def ann() -> Player:
    return make_person("ann")


@pytest.fixture
def match(ann: Player) -> Match:
    """Begin a match in which ann is to discard, and bob has done so."""
    made = begin(ann, make_person("bob", mails=False))
    discard(made, 1)
    return made


def due(**wanted: Any) -> list[int]:
    """Let the waiting time be over, and claim what is due."""
    Notice.objects.filter(**wanted).update(due_at=timezone.now())
    return post.claim()


def deliver() -> None:
    for key in due():
        post.deliver(key)


class TestMails:
    def test_one_is_sent_for_a_turn_and_says_whose_and_until_when(
        self, ann: Player, match: Match
    ) -> None:
        notify.your_turn(match)
        assert post.claim() == [], "some minutes are waited"
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

    def test_the_next_turn_has_a_mail_of_its_own(self, ann: Player, match: Match) -> None:
        notify.your_turn(match)
        deliver()
        discard(match, 0)
        while rules.waiting(letters.state_of(match)) != (0,):
            letters.act(match, _first_card(match))
        notify.your_turn(match)
        deliver()
        assert [letter.to for letter in mail.outbox] == [["ann@example.org"]] * 2
        assert Notice.objects.filter(player=ann).count() == 1, "the old one is put away"

    def test_nobody_gets_one_who_did_not_ask_or_has_not_confirmed(
        self, ann: Player, match: Match
    ) -> None:
        MailChoice.objects.all().delete()
        notify.your_turn(match)
        MailChoice.objects.create(player=ann, language="en")
        EmailAddress.objects.update(verified=False)
        notify.your_turn(match)
        assert not Notice.objects.exists()

    def test_none_is_sent_when_the_turn_has_passed(self, match: Match) -> None:
        notify.your_turn(match)
        discard(match, 0)
        deliver()
        assert mail.outbox == []
        assert not Notice.objects.filter(sent_at__isnull=False).exists()

    def test_nothing_is_kept_of_a_match_that_is_over(self, match: Match) -> None:
        notify.your_turn(match)
        deliver()
        assert Notice.objects.filter(sent_at__isnull=False).exists()
        match.status = Match.Status.FINISHED
        match.save(update_fields=["status"])
        notify.your_turn(match)
        assert not Notice.objects.exists()

    def test_who_is_here_is_waited_for(self, ann: Player, match: Match) -> None:
        notify.your_turn(match)
        seen.note([ann.pk])
        deliver()
        assert mail.outbox == []
        row = Notice.objects.get()
        assert row.claimed_at is None and row.due_at > timezone.now() + timedelta(minutes=4)

    def test_a_mail_server_that_refuses_is_asked_again_and_then_given_up(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(_: object) -> int:
            raise ConnectionRefusedError

        monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
        notify.your_turn(match)
        for tries in range(1, post.TRIES + 1):
            deliver()
            assert Notice.objects.get().tries == tries
        deliver()
        assert Notice.objects.get().tries == post.TRIES

    def test_it_is_in_the_language_of_its_reader(self, ann: Player, match: Match) -> None:
        letter = written.mail(
            player=ann, match=match, to="a@b.org", due=timezone.now(), language="de"
        )
        assert "List-Unsubscribe" in letter.extra_headers
        assert "bob" in letter.subject


class TestStoppingMails:
    def test_one_post_without_log_in_stops_them_and_a_look_does_not(
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

    def test_a_token_that_the_site_has_not_made_stops_nothing(
        self, client: Client, ann: Player
    ) -> None:
        assert client.post(f"/notices/stop/{ann.public_id}:forged/").status_code == 404
        assert MailChoice.objects.filter(player=ann).exists()

    def test_the_page_switches_them_on_and_off(self, client: Client) -> None:
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


def _first_card(match: Match) -> Decision:
    """Return the first card that may be played."""
    state = letters.state_of(match)
    return next(iter(rules.legal_moves(state, rules.waiting(state)[0])))


# --- push ----------------------------------------------------------------------------------


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    """Run a push service, with a site that has a key and may try it there."""
    out = StringIO()
    call_command("make_vapid_key", stdout=out)
    settings.VAPID_PRIVATE_KEY = out.getvalue().strip().rpartition("=")[2]
    settings.VAPID_SUBJECT = "mailto:keeper@example.org"
    with push_service() as running:
        settings.PUSH_TRIED_AT = [running.origin]
        yield running


def subscribed(client: Client, player: Player, browser: Browser) -> int:
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    told = json.dumps(browser.told())
    return client.post("/notices/push/", told, content_type="application/json").status_code


class TestPush:
    @pytest.mark.parametrize("key", ["", "no key", "AAAA"])
    def test_without_a_key_nobody_is_offered_anything(
        self, client: Client, settings: Any, ann: Player, key: str
    ) -> None:
        settings.VAPID_PRIVATE_KEY = key
        client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
        answer = client.get("/notices/")
        assert answer.status_code == 200
        assert "data-push" not in answer.content.decode()

    def test_a_turn_comes_encrypted_signed_and_without_a_card(
        self, client: Client, service: PushService, ann: Player, match: Match
    ) -> None:
        browser = Browser(service.origin)
        assert subscribed(client, ann, browser) == 200
        notify.your_turn(match)
        keys = due(way="push")
        post.deliver(*keys)
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

    def test_an_invitation_comes_while_it_stands(
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
            post.deliver(key)
        ((_, _, body),) = service.came
        said = browser.read(body)
        assert said["title"] == "bob asks you to a table"
        assert said["url"] == f"/join/{table.invite}/"
        row.delete()
        Notice.objects.all().delete()
        notify.invited(ann, table)
        for key in due():
            post.deliver(key)
        assert len(service.came) == 1

    @pytest.mark.parametrize("status", [404, 410])
    def test_a_browser_that_is_gone_is_forgotten(
        self, client: Client, service: PushService, ann: Player, match: Match, status: int
    ) -> None:
        subscribed(client, ann, Browser(service.origin))
        service.answer = status
        notify.your_turn(match)
        post.deliver(*due(way="push"))
        assert not PushSubscription.objects.exists()

    def test_a_redirect_is_not_followed(
        self, client: Client, service: PushService, ann: Player, match: Match
    ) -> None:
        subscribed(client, ann, Browser(service.origin))
        service.answer = 307
        notify.your_turn(match)
        post.deliver(*due(way="push"))
        assert [path for path, _, _ in service.came] == ["/b"]
        assert Notice.objects.get(way="push").sent_at is None

    def test_logging_out_forgets_that_browser_and_deleting_the_account_all(
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

    def test_a_browser_is_whose_who_asked_last_in_it(
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
    def test_no_other_address_is_ever_sent_to(
        self, client: Client, service: PushService, ann: Player, endpoint: object
    ) -> None:
        """What a browser says it is may be anybody's word."""
        told = Browser("https://fcm.googleapis.com").told() | {"endpoint": endpoint}
        client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
        answer = client.post("/notices/push/", json.dumps(told), content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_browser")
        assert not PushSubscription.objects.exists()

    def test_the_known_services_are(self, service: PushService) -> None:
        for host in (
            "fcm.googleapis.com",
            "updates.push.services.mozilla.com",
            "wns2-am3p.notify.windows.com",
            "web.push.apple.com",
        ):
            assert push.is_push_service(f"https://{host}/send/abc:def")

    @pytest.mark.parametrize("body", ["", "[]", "{", '{"endpoint": 1}', "x" * 5000])
    def test_bad_bodies_get_an_answer(
        self, client: Client, service: PushService, ann: Player, body: str
    ) -> None:
        client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
        answer = client.post("/notices/push/", body, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_browser")

    def test_without_a_key_nobody_is_offered_it(self, client: Client, ann: Player) -> None:
        client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
        assert "data-push" not in client.get("/notices/").content.decode()
        told = json.dumps(Browser("https://fcm.googleapis.com").told())
        answer = client.post("/notices/push/", told, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "no_push")

    def test_the_page_offers_it_by_a_button_with_the_sites_key(
        self, client: Client, service: PushService, ann: Player
    ) -> None:
        subscribed(client, ann, Browser(service.origin))
        page = client.get("/notices/").content.decode()
        assert f'data-key="{push.application_key()}"' in page
        assert service.origin not in page


def test_friends_invitations_are_told(ann: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one place where friends are asked to tables has them told."""
    told: list[tuple[Player, Match]] = []
    monkeypatch.setattr(notify, "invited", lambda player, table: told.append((player, table)))
    bob = make_person("bob")
    friends.ask(player=ann, other=bob)
    friends.accept(player=bob, other=ann)
    table = friends.invite(player=ann, friend=bob)
    assert told == [(bob, table)]
