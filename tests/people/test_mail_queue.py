"""Mails about accounts are stored, and sent in the background, whatever the mail server does."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.test import Client
from django.utils import timezone

from games.models import Player, QueuedMail
from games.people import mail_queue
from games.safety.erasure import erase

pytestmark = pytest.mark.django_db

PASSWORD = "fifteen-two-4"
ADDRESS = "dora@example.org"
DOWN = f"{__name__}.Down"


class Down(BaseEmailBackend):
    """A mail server that cannot be reached."""

    def send_messages(self, _: Any) -> int:
        raise ConnectionRefusedError


@pytest.fixture
def down(settings: Any) -> None:
    settings.EMAIL_BACKEND = DOWN


def sign_up(client: Client, name: str = "Dora", email: str = ADDRESS) -> Any:
    fields = {"username": name, "email": email, "password1": PASSWORD}
    return client.post("/accounts/signup/", fields)


def ask_for_reset(client: Client, email: str = ADDRESS) -> Any:
    return client.post("/accounts/password/reset/", {"email": email})


def all_due() -> None:
    QueuedMail.objects.update(due_at=timezone.now())


@pytest.mark.usefixtures("down")
def test_sign_up_and_reset_work_while_the_mail_server_is_down(
    client: Client, settings: Any
) -> None:
    assert sign_up(client).status_code == 302
    assert Player.objects.get(name="Dora").check_password(PASSWORD)
    assert ask_for_reset(Client()).status_code == 302
    mail_queue.send_due()
    assert list(QueuedMail.objects.values_list("recipient", "tries")) == [(ADDRESS, 1)] * 2
    mail_queue.send_due()
    assert set(QueuedMail.objects.values_list("tries", flat=True)) == {1}, "the next try waits"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    all_due()
    mail_queue.send_due()
    assert [message.to for message in mail.outbox] == [[ADDRESS]] * 2
    assert all("http://testserver/" in message.body for message in mail.outbox)
    assert not QueuedMail.objects.exists()


@pytest.mark.usefixtures("down")
def test_a_mail_that_never_gets_through_is_given_up(client: Client) -> None:
    sign_up(client)
    for tried in range(mail_queue.TRIES):
        assert QueuedMail.objects.get().tries == tried
        all_due()
        mail_queue.send_due()
    assert not QueuedMail.objects.exists()


def test_one_process_sends_a_mail_and_another_takes_over_if_it_dies(client: Client) -> None:
    sign_up(client)
    row = QueuedMail.objects.get()
    assert mail_queue._claim(row)
    assert not mail_queue._claim(row), "it is claimed already"
    assert mail_queue.send_due() == 0
    QueuedMail.objects.update(due_at=timezone.now() - timedelta(seconds=1))  # the claim ran out
    assert mail_queue.send_due() == 1
    assert len(mail.outbox) == 1


def test_a_copy_of_the_database_gives_no_links_away(client: Client, settings: Any) -> None:
    sign_up(client)
    row = QueuedMail.objects.get()
    assert "http" not in row.sealed
    assert "Dora" not in row.sealed
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    mail_queue.send_due()
    assert len(mail.outbox) == 1, "an earlier key still opens it"


def test_a_mail_under_a_lost_key_is_dropped(client: Client, settings: Any) -> None:
    sign_up(client)
    settings.SECRET_KEY = "another"
    mail_queue.send_due()
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
