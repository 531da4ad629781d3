"""Mails about accounts are stored, and sent in the background, whatever the mail server does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from email import message_from_bytes
from smtplib import SMTPAuthenticationError, SMTPRecipientsRefused, SMTPSenderRefused
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.jobs.worker import work_off
from games.models import Player, QueuedMail
from games.people import mail_queue
from games.people.nightly import delete_old_mails
from games.people.refused_mails import refusal_for_good
from games.safety.erasure import erase
from tests.support.data_servers import HOST, free_port

pytestmark = pytest.mark.django_db

PASSWORD = "fifteen-two-4"
ADDRESS = "dora@example.org"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
BACKEND = "django.core.mail.backends.smtp.EmailBackend"


@dataclass
class MailServer:
    """A real SMTP server on a port of its own, which nothing listens to until it starts.

    Attributes:
        received: the envelopes that it took, even if it then failed.
        failure: how it answers the next mail that it has taken, once: a line, or "" to hang up;
            None to accept it.
        refusal: how it answers every address, if it takes none: a line with %s for the address.
    """

    port: int
    failure: str | None = None
    refusal: str = ""
    received: list[Envelope] = field(default_factory=list)
    _controller: Controller | None = None

    async def handle_DATA(self, server: SMTP, _: object, envelope: Envelope) -> str:  # noqa: N802
        """Take a mail; called by the server's thread."""
        self.received.append(envelope)
        failure, self.failure = self.failure, None
        if failure == "":
            server.transport.abort()
        return failure or "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: object, envelope: Envelope, address: str, _: object
    ) -> str:
        """Take an address; called by the server's thread."""
        if self.refusal:
            return self.refusal % address
        envelope.rcpt_tos.append(address)
        return "250 OK"

    def start(self) -> None:
        self._controller = Controller(self, hostname=HOST, port=self.port)
        self._controller.start()

    def stop(self) -> None:
        if self._controller is not None:
            self._controller.stop()


@pytest.fixture
def down(settings: Any) -> Iterator[MailServer]:
    """Let the site use a mail server that is down."""
    server = MailServer(free_port())
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = BACKEND, HOST, server.port
    yield server
    server.stop()


def sign_up(client: Client, name: str = "Dora", email: str = ADDRESS) -> Any:
    fields = {"username": name, "email": email, "password1": PASSWORD}
    return client.post("/accounts/signup/", fields)


def ask_for_reset(client: Client, email: str = ADDRESS) -> Any:
    return client.post("/accounts/password/reset/", {"email": email})


def all_due() -> None:
    DBTaskResult.objects.update(run_after=timezone.now())


def tries() -> list[int]:
    """Return how often each mail was tried."""
    return [len(job.worker_ids) for job in DBTaskResult.objects.all()]


def test_sign_up_and_reset_work_while_the_mail_server_is_down(
    client: Client, down: MailServer
) -> None:
    assert sign_up(client).status_code == 302
    assert Player.objects.get(name="Dora").check_password(PASSWORD)
    assert ask_for_reset(Client()).status_code == 302
    work_off()
    assert list(QueuedMail.objects.values_list("recipient", flat=True)) == [ADDRESS] * 2
    assert tries() == [1, 1]
    work_off()
    assert tries() == [1, 1], "the next try waits"
    down.start()
    all_due()
    work_off()
    assert [envelope.rcpt_tos for envelope in down.received] == [[ADDRESS]] * 2
    assert all(b"/accounts/" in (each.original_content or b"") for each in down.received)
    assert not QueuedMail.objects.exists()


@pytest.mark.usefixtures("down")
def test_a_mail_that_never_gets_through_is_given_up(client: Client) -> None:
    sign_up(client)
    for tried in range(mail_queue.send_mail.tries):
        assert tries() == [tried]
        all_due()
        work_off()
    assert DBTaskResult.objects.get().status == "FAILED"
    QueuedMail.objects.update(made_at=timezone.now() - 2 * mail_queue.KEPT)
    delete_old_mails.call()
    assert not QueuedMail.objects.exists()


def test_a_mail_whose_link_has_run_out_is_not_sent(client: Client) -> None:
    """The worker stood still for days; it sends what waited before it deletes what is old."""
    sign_up(client)
    QueuedMail.objects.update(made_at=timezone.now() - mail_queue.KEPT - HOUR)
    work_off()
    assert mail.outbox == []
    assert not QueuedMail.objects.exists()


def test_a_mail_is_sent_once(client: Client) -> None:
    sign_up(client)
    key = QueuedMail.objects.get().pk
    for _ in range(2):
        mail_queue.send_mail.call(key)
    assert len(mail.outbox) == 1


def test_a_mail_that_is_sent_again_has_the_same_message_id(client: Client) -> None:
    """A worker was killed between sending and deleting, so another one sends it again."""
    sign_up(client)
    row = QueuedMail.objects.get()
    mail_queue.send_mail.call(row.pk)
    row.save(force_insert=True)
    mail_queue.send_mail.call(row.pk)
    first, again = (letter.message()["Message-ID"] for letter in mail.outbox)
    assert first == again
    assert re.fullmatch(r"<[0-9a-f]{32}@localhost>", first)


@pytest.mark.parametrize("failure", ["", "451 Try again later"], ids=["hung up", "refused"])
def test_a_mail_whose_delivery_failed_half_way_keeps_its_message_id(
    client: Client, down: MailServer, failure: str
) -> None:
    """The server has the whole mail, but the site cannot know whether it will deliver it."""
    down.failure = failure
    down.start()
    sign_up(client)
    work_off()
    assert QueuedMail.objects.count() == 1
    all_due()
    work_off()
    assert not QueuedMail.objects.exists()
    first, again = (message_from_bytes(each.original_content or b"") for each in down.received)
    assert first["Message-ID"] == again["Message-ID"]
    assert re.fullmatch(r"<[0-9a-f]{32}@localhost>", first["Message-ID"])
    assert first["Subject"] == again["Subject"]


@pytest.mark.parametrize("unknown", [True, False], ids=["address", "content"])
def test_a_mail_that_is_refused_for_good_is_not_tried_again(
    client: Client, down: MailServer, caplog: pytest.LogCaptureFixture, *, unknown: bool
) -> None:
    down.refusal = "550 No such user: %s" if unknown else ""
    down.failure = "554 We call this spam"
    down.start()
    sign_up(client)
    work_off()
    assert not QueuedMail.objects.exists()
    assert DBTaskResult.objects.get().status == "SUCCESSFUL"
    assert f"refused a mail for good: {550 if unknown else 554}" in caplog.text
    assert ADDRESS not in caplog.text


@pytest.mark.parametrize(
    "refusal", ["552 Mailbox full: %s", "552 5.2.2 <%s>: Full", "550 5.2.2 <%s> is over its quota"]
)
def test_a_mail_to_a_full_mailbox_is_tried_for_days(
    client: Client, down: MailServer, refusal: str
) -> None:
    """Its owner may delete something."""
    down.refusal = refusal
    down.start()
    sign_up(client)
    for _ in range(3):
        work_off()
        row = DBTaskResult.objects.get()
        assert row.status == "READY"
        assert HOUR < row.run_after - timezone.now() < DAY
        all_due()
    delete_old_mails.call()
    down.refusal = ""
    work_off()
    assert len(down.received) == 1
    assert not QueuedMail.objects.exists()


@pytest.mark.parametrize(
    ("refusal", "age"),
    [
        ("552 Mailbox full: %s", 2),
        ("552 5.3.4 <%s> takes no such size", 0),
        ("552 5.2.3 <%s>: Longer than allowed", 0),
        ("552 5.6.0 <%s>: Not this content", 0),
    ],
)
def test_a_mail_to_a_full_mailbox_is_given_up_after_days_and_one_that_is_unwelcome_at_once(
    client: Client, down: MailServer, refusal: str, age: int
) -> None:
    down.refusal = refusal
    down.start()
    sign_up(client)
    QueuedMail.objects.update(made_at=timezone.now() - age * DAY)
    work_off()
    assert not QueuedMail.objects.exists()


@pytest.mark.parametrize("refusal", ["450 4.2.0 <%s>: Later", "554 5.7.1 <%s>: Relay denied"])
def test_the_log_names_no_address_that_a_mail_server_refuses_for_now(
    client: Client, down: MailServer, caplog: pytest.LogCaptureFixture, refusal: str
) -> None:
    down.refusal = refusal
    down.start()
    sign_up(client)
    work_off()
    assert tries() == [1]
    assert QueuedMail.objects.exists()
    assert f"SMTPRecipientsRefused {refusal[:3]}" in caplog.text
    assert ADDRESS not in caplog.text


def test_a_sender_that_is_refused_may_be_set_right_meanwhile() -> None:
    """Neither this nor a wrong log-in says anything about the mail."""
    assert refusal_for_good(SMTPSenderRefused(550, b"Not yours", "us@example.org")) is None
    assert refusal_for_good(SMTPAuthenticationError(535, b"Wrong")) is None
    relay = {ADDRESS: (554, b"5.7.1 <ann@example.org>: Relay access denied")}
    assert refusal_for_good(SMTPRecipientsRefused(relay)) is None
    both = {ADDRESS: (550, b"No such user"), "e@example.org": (451, b"Later")}
    assert refusal_for_good(SMTPRecipientsRefused(both)) is None


def test_a_server_has_a_minute_to_accept_a_mail(settings: Any) -> None:
    """Given up earlier, a mail that is still being checked there is sent again, at each try."""
    assert settings.EMAIL_TIMEOUT >= 60


def test_a_copy_of_the_database_gives_no_links_away(client: Client, settings: Any) -> None:
    sign_up(client)
    row = QueuedMail.objects.get()
    # Neither a link nor an address: no letters only, which random ones may spell.
    assert "://" not in row.sealed
    assert "@" not in row.sealed
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    work_off()
    assert len(mail.outbox) == 1, "an earlier key still opens it"


def test_a_mail_under_a_lost_key_is_dropped(client: Client, settings: Any) -> None:
    sign_up(client)
    settings.SECRET_KEY = "another"
    work_off()
    assert not QueuedMail.objects.exists()
    assert mail.outbox == []


def test_a_deleted_account_gets_no_mail(client: Client) -> None:
    sign_up(client)
    erase(player=Player.objects.get(name="Dora"))
    assert not QueuedMail.objects.exists()


class TestKnownAddresses:
    """Neither pages nor their mails tell a stranger which addresses have accounts."""

    @pytest.fixture(autouse=True)
    def _bea(self) -> None:
        bea = Player.objects.create_user("Bea", "bea@example.org", PASSWORD)
        EmailAddress.objects.create(user=bea, email="bea@example.org", verified=True, primary=True)

    def test_sign_up(self) -> None:
        answers = []
        for name, address in (("Cleo", "bea@example.org"), ("Cora", "new@example.org")):
            client = Client()
            answer = sign_up(client, name, address)
            page = client.get(answer.headers.get("Location", "/")).content.decode()
            told = address in page
            waiting = QueuedMail.objects.filter(recipient=address).count()
            answers.append((answer.status_code, answer.headers.get("Location"), told, waiting))
        assert answers[0] == answers[1]
        assert answers[0][0] == 302
        assert Player.objects.filter(name__in=["Cleo", "Cora"]).count() == 2

    def test_the_address_stays_with_the_account_that_confirmed_it(self) -> None:
        sign_up(Client(), "Cleo", "bea@example.org")
        with pytest.raises(Exception, match=r"(?i)unique"):
            EmailAddress.objects.filter(user__name="Cleo").update(verified=True)

    def test_adding_an_address_to_an_account(self) -> None:
        client = Client()
        client.force_login(Player.objects.create_user("Cleo", password=PASSWORD))
        client.post("/accounts/reauthenticate/", {"password": PASSWORD})
        answers = []
        for address in ("bea@example.org", "new@example.org"):
            answer = client.post(
                "/accounts/email/", {"action_add": "", "email": address}, follow=True
            )
            page = answer.content.decode()
            waiting = QueuedMail.objects.filter(recipient=address).count()
            answers.append((answer.redirect_chain, page.count(address) > 0, waiting))
        assert answers[0] == answers[1]

    def test_a_forgotten_password(self) -> None:
        answers = [ask_for_reset(Client(), a) for a in ("bea@example.org", "new@example.org")]
        assert len({answer.headers["Location"] for answer in answers}) == 1
        assert QueuedMail.objects.count() == 2, "both get a mail, and neither page waits for it"
