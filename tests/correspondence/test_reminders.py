"""Reminders that a tournament begins soon: by mail and push, once, and not when it is too late."""

import html
from datetime import timedelta
from email import message_from_bytes
from typing import Any

import pytest
from django.core import mail
from django.utils import formats, timezone
from django_tasks_db.models import DBTaskResult

from games.correspondence import push, reminders
from games.jobs.worker import work_off
from games.models import MailChoice, PushSubscription, Reminder
from tests.people.test_mail_queue import BACKEND, MailServer
from tests.support.data_servers import HOST, free_port
from tests.support.letters import make_person

pytestmark = pytest.mark.django_db


def remind(minutes: int, *names: str) -> None:
    """Remind new players with mail of something that begins in some minutes."""
    players = [make_person(name) for name in names]
    for player in players:
        MailChoice.objects.get_or_create(player=player, defaults={"language": "en"})
    for _ in range(2):
        reminders.remind(
            players=players,
            key="event-1",
            title="Autumn Cup",
            address="/tournaments/1/",
            until=timezone.now() + timedelta(minutes=minutes),
        )
    work_off()
    work_off()


def test_one_mail_says_what_begins_when_and_where() -> None:
    remind(10, "ann")
    (letter,) = mail.outbox
    assert letter.subject == "Starting soon: Autumn Cup"
    address = "http://localhost:8000/accounts/login/?next=/tournaments/1/"
    stop = letter.extra_headers["List-Unsubscribe"].strip("<>")
    [(page, kind)] = letter.alternatives
    assert kind == "text/html"
    for text in (address, stop, "Autumn Cup starts on"):
        assert text in str(letter.body)
        assert text in html.unescape(str(page))


def test_one_of_a_match_that_has_begun_says_until_when_to_come() -> None:
    """It named that time as the start, at which an absent player had lost."""
    until = timezone.now() + timedelta(minutes=10)
    row = Reminder(player=make_person("ann"), title="Foxes – Owls", until=until, begun=True)
    letter = reminders.mail_message(row, to="ann@example.org", language="en")
    assert letter.subject == "It has started: Foxes – Owls"
    [(page, _)] = letter.alternatives
    for text in (str(letter.body), str(page)):
        assert f"Be at the table by {formats.date_format(until)}, {until:%H:%M} (UTC)" in text
    assert reminders.push_payload(row, language="en")["title"] == letter.subject


@pytest.mark.parametrize("failure", ["450 try again later", "552 mailbox full", "421 not now", ""])
def test_one_that_a_mail_server_did_not_accept_is_sent_again(
    settings: Any, failure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same Message-ID, as the server may have kept the mail though it hung up."""
    server = MailServer(free_port(), failure=failure)
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = BACKEND, HOST, server.port
    server.start()
    try:
        remind(10, "ann")
        assert not Reminder.objects.exclude(sent_at=None).exists()
        for _ in range(2):
            waiting = DBTaskResult.objects.filter(status="READY")
            waiting.update(run_after=timezone.now())
            work_off()
    finally:
        server.stop()
    ids = [
        message_from_bytes(mail.original_content or b"")["Message-ID"] for mail in server.received
    ]
    assert len(ids) == 2 and len(set(ids)) == 1
    assert Reminder.objects.exclude(sent_at=None).count() == 1


def test_a_mail_server_that_refuses_for_ten_minutes_gets_it_before_the_start() -> None:
    job = reminders.send_reminder
    assert job.backoff * (2 ** (job.tries - 1) - 1) > timedelta(minutes=10)


def test_one_that_is_refused_for_good_is_not_tried_again(settings: Any) -> None:
    server = MailServer(free_port(), failure="550 no such user")
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = BACKEND, HOST, server.port
    server.start()
    try:
        remind(10, "ann")
    finally:
        server.stop()
    assert DBTaskResult.objects.get().status == "SUCCESSFUL"
    assert len(server.received) == 1


def test_one_whose_worker_died_while_it_was_sent_is_sent_by_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Killed(BaseException):
        pass

    def die(_: object) -> int:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.EmailMessage.send", die)
        with pytest.raises(Killed):
            remind(10, "ann")
    for _ in range(2):
        reminders.send_reminder.call(Reminder.objects.get().pk)
    assert len(mail.outbox) == 1


def test_none_is_sent_when_it_has_begun() -> None:
    remind(-1, "ann")
    assert mail.outbox == []


def test_a_push_has_title_and_address(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[Any, str]] = []
    monkeypatch.setattr(push, "available", lambda: True)
    monkeypatch.setattr(push, "send", lambda _to, said, *, topic: sent.append((said, topic)) or 1)
    player = make_person("ann")
    PushSubscription.objects.create(player=player, endpoint="https://push.example/1")
    MailChoice.objects.filter(player=player).delete()
    reminders.remind(
        players=[player],
        key="event-1",
        title="Cup",
        address="/tournaments/1/",
        until=timezone.now() + timedelta(minutes=5),
    )
    work_off()
    ((said, topic),) = sent
    assert said["title"] == "Starting soon: Cup"
    assert (said["url"], topic) == ("/tournaments/1/", "event1")
    assert Reminder.objects.get().sent_at is not None
