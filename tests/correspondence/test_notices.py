"""Notices for absent players by mail, and of invitations: opt-in, sent once, and without cards."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.cluster import online_status
from games.correspondence import delivery, notify
from games.correspondence import notice_texts as written
from games.engine import rules
from games.engine.moves import Decision
from games.jobs.worker import work_off
from games.models import MailChoice, Match, Notice, Player
from games.people import friendships
from games.people.accounts import create_guest
from games.tables import invitations
from tests.support import letters
from tests.support.letters import A_CARD, begin, deliver, discard, make_person
from tests.support.people import as_

pytestmark = pytest.mark.django_db

PASSWORD = "fifteen-two-4"


class TestMails:
    def test_one_is_sent_for_a_turn_with_opponent_and_deadline_and_no_card(
        self, ann: Player, match: Match
    ) -> None:
        notify.your_turn(match)
        assert work_off() == 0, "delivery waits some minutes"
        deliver()
        notify.your_turn(match)
        deliver()
        (letter,) = mail.outbox
        assert letter.to == ["ann@example.org"]
        assert letter.subject == "Your turn against bob"
        assert f"http://localhost:8000/accounts/login/?next=/t/{match.public_id}/" in letter.body
        assert "You have until" in letter.body and "UTC" in letter.body
        said = re.sub(r"https?://\S+", "", str(letter.body))
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
        assert len({letter.message()["Message-ID"] for letter in mail.outbox}) == 2
        assert Notice.objects.filter(player=ann).count() == 1, "the old one is deleted"

    def test_a_mail_that_is_sent_again_has_the_same_message_id(
        self, ann: Player, match: Match
    ) -> None:
        """A worker was killed between sending and marking, so another one sends it again."""
        notify.your_turn(match)
        deliver()
        notice = Notice.objects.get(player=ann)
        Notice.objects.update(sent_at=None)
        delivery.deliver(notice.pk)
        first, again = (letter.message()["Message-ID"] for letter in mail.outbox)
        assert first == again

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
        assert Notice.objects.get().sent_at is None
        job = DBTaskResult.objects.get()
        assert job.status == "READY" and job.run_after > timezone.now() + timedelta(minutes=4)

    def test_a_postponed_mail_is_not_looked_at_without_a_pause(
        self, ann: Player, match: Match, settings: Any
    ) -> None:
        """With MAIL_AFTER_MINUTES=0 a worker would do nothing else as long as she is online."""
        settings.MAIL_AFTER = timedelta()
        notify.your_turn(match)
        online_status.mark_online([ann.pk])
        DBTaskResult.objects.all().delete()  # as a job that is running
        delivery.deliver(Notice.objects.get().pk)
        assert DBTaskResult.objects.get().run_after > timezone.now() + timedelta(seconds=10)

    def test_a_page_that_stays_open_does_not_postpone_it_for_good(
        self, ann: Player, match: Match
    ) -> None:
        """Only the table itself shows that it is their turn, and they may be away from it."""
        online_status.mark_online([ann.pk])
        letters.pass_time(match, delivery.WAITS_FOR_PAGES)
        notify.your_turn(match)
        deliver()
        assert [letter.to for letter in mail.outbox] == [["ann@example.org"]]

    def test_a_mail_that_is_refused_for_good_is_not_retried(
        self, ann: Player, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(_: object) -> int:
            raise SMTPRecipientsRefused({"ann@example.org": (550, b"No such user")})

        monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
        notify.your_turn(match)
        deliver()
        assert DBTaskResult.objects.get().status == "SUCCESSFUL"
        notify.your_turn(match)
        assert work_off() == 0, "it is not made again for this turn"

    def test_a_mail_to_a_full_mailbox_is_tried_again_for_days(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(_: object) -> int:
            raise SMTPDataError(552, b"The mailbox is full")

        with monkeypatch.context() as full:
            full.setattr("django.core.mail.EmailMessage.send", refuse)
            notify.your_turn(match)
            deliver()
        later = DBTaskResult.objects.get().run_after - timezone.now()
        assert timedelta(hours=1) < later < timedelta(days=1)
        deliver()
        assert [letter.to for letter in mail.outbox] == [["ann@example.org"]]
        assert Notice.objects.get().sent_at is not None

    def test_a_refused_mail_is_retried_a_limited_number_of_times(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(_: object) -> int:
            raise ConnectionRefusedError

        monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
        notify.your_turn(match)
        for tries in range(1, notify.send_notice.tries + 1):
            deliver()
            assert len(DBTaskResult.objects.get().worker_ids) == tries
        deliver()
        notify.your_turn(match)
        assert DBTaskResult.objects.get().status == "FAILED"
        assert Notice.objects.get().sent_at is None

    def test_a_mail_whose_worker_died_while_it_was_sent_is_sent_by_the_next(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Killed(BaseException):
            pass

        def die(_: object) -> int:
            raise Killed

        notify.your_turn(match)
        key = Notice.objects.get().pk
        with monkeypatch.context() as patch:
            patch.setattr("django.core.mail.EmailMessage.send", die)
            with pytest.raises(Killed):
                delivery.deliver(key)
        for _ in range(2):
            delivery.deliver(key)
        assert len(mail.outbox) == 1

    def test_a_mail_has_an_unsubscribe_header_and_names_the_opponent(
        self, ann: Player, match: Match
    ) -> None:
        letter = written.mail_message(
            player=ann, match=match, to="a@b.org", due=timezone.now(), language="de"
        )
        assert "List-Unsubscribe" in letter.extra_headers
        assert "bob" in letter.subject

    def test_a_mail_says_the_same_in_plain_text_and_in_html(
        self, ann: Player, match: Match
    ) -> None:
        letter = written.mail_message(
            player=ann, match=match, to="a@b.org", due=timezone.now(), language="en"
        )
        [(page, kind)] = letter.alternatives
        assert kind == "text/html"
        stop = letter.extra_headers["List-Unsubscribe"].strip("<>")
        for text in (f"/t/{match.public_id}/", stop, "your turn against bob"):
            assert text in letter.body
            assert text in html.unescape(str(page))

    def test_a_mail_looks_like_the_site_also_in_dark_colours(
        self, ann: Player, match: Match
    ) -> None:
        letter = written.mail_message(
            player=ann, match=match, to="a@b.org", due=timezone.now(), language="de"
        )
        [(page, _kind)] = letter.alternatives
        assert '<meta name="color-scheme" content="light dark">' in str(page)
        assert re.findall(r"<img|src=|url\(|@import|<link|<script", str(page)) == []

    def test_the_link_leads_to_the_table_also_where_its_reader_is_not_logged_in(
        self, ann: Player, match: Match
    ) -> None:
        """A private table does not exist for a visitor, nor for a guest who has used the phone."""
        ann.set_password(PASSWORD)
        ann.save()
        notify.your_turn(match)
        deliver()
        link = re.search(r"http://localhost:8000(/accounts/\S+)", str(mail.outbox[0].body))
        assert link is not None
        table = f"/t/{match.public_id}/"
        for client in (Client(), as_(create_guest())):
            assert client.get(table).status_code == 404
            page = client.get(link[1])
            assert f'<input type="hidden" name="next" value="{table}">' in page.content.decode()
            fields = {"login": "ann", "password": PASSWORD, "next": table}
            assert client.post("/accounts/login/", fields).headers["Location"] == table
        page = as_(ann).get(link[1], follow=True)
        assert page.redirect_chain == [(table, 302)] and page.status_code == 200


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
        before = stranger.get(address)
        assert "before your tournaments and team matches" in before.content.decode()
        assert MailChoice.objects.filter(player=ann).exists()
        answer = stranger.post(address, {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
        assert "You won't get these emails any more." in answer.content.decode()
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


def test_the_page_promises_no_mails_to_a_player_without_an_address(ann: Player) -> None:
    """They asked for mails, and have removed their address since."""
    assert "We email ann@example.org" in as_(ann).get("/notices/").content.decode()
    EmailAddress.objects.all().delete()
    page = as_(ann).get("/notices/").content.decode()
    assert "We email" not in page
    assert "You need a confirmed email address." in page


def _first_decision(match: Match) -> Decision:
    """Return the first legal decision."""
    state = letters.state_of(match)
    return next(iter(rules.legal_moves(state, rules.waiting(state)[0])))


def test_inviting_a_friend_notifies_them(ann: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """The service that invites friends to tables also sends the notification."""
    told: list[tuple[Player, Match]] = []
    monkeypatch.setattr(notify, "invited", lambda player, table: told.append((player, table)))
    bob = make_person("bob")
    friendships.ask(player=ann, other=bob)
    friendships.accept(player=bob, other=ann)
    table = invitations.invite(player=ann, friend=bob)
    assert told == [(bob, table)]
