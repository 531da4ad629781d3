"""Reminders that a tournament begins soon: by mail and push, once, and not when it is too late."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from games.correspondence import push, reminders
from games.jobs.worker import work_off
from games.models import MailChoice, PushSubscription, Reminder
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
            begins_at=timezone.now() + timedelta(minutes=minutes),
        )
    work_off()
    work_off()


def test_one_mail_says_what_begins_when_and_where() -> None:
    remind(10, "ann")
    (letter,) = mail.outbox
    assert letter.subject == "Starting soon: Autumn Cup"
    assert "http://localhost:8000/tournaments/1/" in letter.body
    assert "List-Unsubscribe" in letter.extra_headers


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
        begins_at=timezone.now() + timedelta(minutes=5),
    )
    work_off()
    ((said, topic),) = sent
    assert said["title"] == "Starting soon: Cup"
    assert (said["url"], topic) == ("/tournaments/1/", "event1")
    assert Reminder.objects.get().sent_at is not None
