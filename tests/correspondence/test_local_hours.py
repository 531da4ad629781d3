"""Time zones and quiet hours: each recipient's own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from unittest.mock import patch

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.correspondence import delivery, notice_texts, notify, reminders
from games.correspondence.local_hours import quiet_until
from games.jobs.worker import work_off
from games.models import Match, Notice, Player
from games.pages.people.correspondence import HoursForm
from games.people import time_zones

pytestmark = pytest.mark.django_db

NIGHT = datetime(2026, 11, 21, 23, 30, tzinfo=UTC)


def at(hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, 21, hour, minute, tzinfo=UTC)


def player(zone: str = "", begin: int | None = None, end: int | None = None) -> Player:
    return Player(zone=zone, quiet_from=begin, quiet_until=end)


class TestQuietHours:
    @pytest.mark.parametrize(
        ("zone", "begin", "end", "now", "until"),
        [
            ("", 22, 8, at(21, 59), None),
            ("", 22, 8, at(22), at(8) + timedelta(days=1)),
            ("", 22, 8, at(3), at(8)),
            ("", 22, 8, at(8), None),
            ("", 1, 6, at(5, 59), at(6)),
            ("", 1, 6, at(6), None),
            ("Europe/Berlin", 22, 8, at(21, 30), at(7) + timedelta(days=1)),
            ("America/New_York", 22, 8, at(4), at(13)),
            ("America/New_York", 22, 8, at(23), None),
            ("", None, None, at(3), None),
            ("", 5, 5, at(5), None),
        ],
    )
    def test_they_are_the_players_own(
        self, zone: str, begin: int | None, end: int | None, now: datetime, until: datetime | None
    ) -> None:
        assert quiet_until(player(zone, begin, end), now=now) == until

    def test_the_night_in_which_clocks_change_ends_at_the_same_hour(self) -> None:
        spring = datetime(2026, 3, 28, 23, tzinfo=UTC)  # midnight in Berlin
        end = quiet_until(player("Europe/Berlin", 22, 8), now=spring)
        assert end == datetime(2026, 3, 29, 6, tzinfo=UTC)

    def test_a_mail_waits_for_their_end(self, ann: Player, match: Match) -> None:
        Player.objects.filter(pk=ann.pk).update(quiet_from=22, quiet_until=8)
        notify.your_turn(match)
        key = Notice.objects.get().pk
        with patch("django.utils.timezone.now", lambda: NIGHT):
            delivery.deliver(key)
        assert mail.outbox == []
        assert DBTaskResult.objects.get().run_after <= NIGHT.replace(hour=8) + timedelta(days=1)
        with patch("django.utils.timezone.now", lambda: NIGHT.replace(hour=8)):
            delivery.deliver(key)
        assert len(mail.outbox) == 1


class TestZones:
    def test_a_mail_gives_the_deadline_in_its_readers_zone(self, ann: Player, match: Match) -> None:
        for zone, said in (
            ("Europe/Berlin", "Nov 22, 2026, 00:30 (UTC+1)"),
            ("America/Sao_Paulo", "Nov 21, 2026, 20:30 (UTC−3)"),
            ("", "Nov 21, 2026, 23:30 (UTC)"),
            ("Nowhere/None", "23:30 (UTC)"),
        ):
            ann.zone = zone
            letter = notice_texts.mail_message(
                player=ann, match=match, to="a@b.org", due=NIGHT, language="en"
            )
            assert said in letter.body

    def test_a_reminder_too(self, ann: Player) -> None:
        Player.objects.filter(pk=ann.pk).update(zone="Asia/Tokyo")
        begins = datetime(2099, 1, 1, 12, tzinfo=UTC)
        reminders.remind(
            players=[ann], key="k", title="Cup", address="/tournaments/1/", until=begins
        )
        work_off()
        assert "21:00 (UTC+9)" in mail.outbox[0].body


class TestThePage:
    def test_zone_and_hours_are_stored(self, client: Client, ann: Player) -> None:
        client.force_login(ann)
        form = {"zone": "Asia/Tokyo", "quiet_from": "22", "quiet_until": "0"}
        page = client.post("/correspondence/hours/", form, follow=True).content.decode()
        assert '<option value="Asia/Tokyo" selected>' in page
        ann.refresh_from_db()
        assert (ann.zone, ann.quiet_from, ann.quiet_until) == ("Asia/Tokyo", 22, 0)
        client.post("/correspondence/hours/", {"zone": "", "quiet_from": "", "quiet_until": ""})
        ann.refresh_from_db()
        assert (ann.zone, ann.quiet_from, ann.quiet_until) == ("", None, None)

    @pytest.mark.parametrize(
        "form",
        [
            {"zone": "Mars/Base"},
            {"quiet_from": "22"},
            {"quiet_until": "8"},
            {"quiet_from": "8", "quiet_until": "8"},
            {"quiet_from": "24", "quiet_until": "8"},
            {"quiet_from": "x", "quiet_until": "8"},
        ],
    )
    def test_bad_input_gets_a_clear_answer(
        self, client: Client, ann: Player, form: dict[str, str]
    ) -> None:
        client.force_login(ann)
        answer = client.post("/correspondence/hours/", form)
        assert answer.status_code == 422
        assert "field-error" in answer.content.decode()
        ann.refresh_from_db()
        assert (ann.zone, ann.quiet_from, ann.quiet_until) == ("", None, None)

    def test_there_are_zones_to_choose(self) -> None:
        assert {"Europe/Berlin", "America/New_York"} <= set(time_zones.zone_names())


def test_saving_hours_keeps_what_a_moderator_stores_meanwhile(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = Player.objects.create_user("Ann", kind=Player.Kind.PERSON)
    client.force_login(ann)
    until = timezone.now() + timedelta(days=1)
    check = HoursForm.is_valid

    def is_valid(form: HoursForm) -> bool:
        Player.objects.filter(pk=ann.pk).update(muted_until=until)
        return check(form)

    monkeypatch.setattr(HoursForm, "is_valid", is_valid)
    client.post("/correspondence/hours/", {"zone": "", "quiet_from": "22", "quiet_until": "7"})
    ann.refresh_from_db()
    assert (ann.muted_until, ann.quiet_from) == (until, 22)
