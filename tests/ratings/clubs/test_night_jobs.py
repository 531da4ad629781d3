"""Club nights go on by jobs, without anybody looking at a page."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.jobs.worker import work_off
from games.log.endings import follow_up
from ratings.clubs import nights
from ratings.clubs.night_state_machine import advance_later
from ratings.models import ClubNight
from tests.support.evenings import club_of, night_of, under_way
from tests.support.standard_tables import play_on

pytestmark = pytest.mark.django_db


def next_date() -> datetime | None:
    """Return when the night's job is due; None if it is not waiting."""
    rows = DBTaskResult.objects.filter(task_path=advance_later.module_path, status="READY")
    return rows.values_list("run_after", flat=True).first()


def let_pass(night: ClubNight, **dates: datetime) -> None:
    """Set a night's dates as if the time had passed, and run the jobs that are due."""
    ClubNight.objects.filter(pk=night.pk).update(**dates)
    DBTaskResult.objects.filter(task_path=advance_later.module_path).update(
        run_after=timezone.now()
    )
    work_off(["prompt"])


def test_a_night_starts_goes_on_and_ends_by_jobs() -> None:
    club, members = club_of(4)
    night = night_of(club, members[0], games=3, entrants=members)
    work_off(["prompt"])
    assert next_date() == night.starts_at
    let_pass(night, starts_at=timezone.now())
    assert len(under_way(night)) == 2
    ends_game = next_date()
    assert ends_game is not None
    assert timedelta(minutes=20) < ends_game - timezone.now() < timedelta(minutes=26)
    for match in under_way(night):
        play_on(match)
        follow_up.enqueue(match.pk)
    work_off(["prompt"])
    assert ClubNight.objects.get(pk=night.pk).current == 2
    assert len(under_way(night)) == 2
    for match in under_way(night):
        play_on(match)
    let_pass(night, ends_at=timezone.now())
    assert ClubNight.objects.get(pk=night.pk).is_over
    assert next_date() is None


def test_a_night_that_an_officer_starts_does_not_start_by_the_clock() -> None:
    club, members = club_of(4)
    night = night_of(club, members[0], games=1, entrants=members)
    ClubNight.objects.filter(pk=night.pk).update(by_hand=True)
    let_pass(night, starts_at=timezone.now())
    assert ClubNight.objects.get(pk=night.pk).is_planned
    assert next_date() == night.ends_at
    nights.begin(night=night, by=members[0])
    assert len(under_way(night)) == 2


def test_a_night_that_nobody_starts_ends_at_its_end() -> None:
    club, members = club_of(2)
    night = night_of(club, members[0], games=1, entrants=members)
    ClubNight.objects.filter(pk=night.pk).update(by_hand=True)
    begins = timezone.now() - timedelta(hours=2)
    let_pass(night, starts_at=begins, ends_at=begins + timedelta(hours=1))
    assert ClubNight.objects.get(pk=night.pk).is_over


def test_a_late_second_entrant_starts_a_night() -> None:
    club, members = club_of(2)
    night = night_of(club, members[0], entrants=members[:1])
    let_pass(night, starts_at=timezone.now())
    night.refresh_from_db()
    assert night.is_planned
    nights.join(night=night, player=members[1])
    work_off(["prompt"])
    assert len(under_way(night)) == 1


def test_a_deleted_night_has_a_job_that_does_nothing() -> None:
    club, members = club_of(1)
    night = night_of(club, members[0])
    nights.end(night=night, by=members[0])
    DBTaskResult.objects.update(run_after=timezone.now())
    assert work_off(["prompt"]) == 1
    assert not DBTaskResult.objects.filter(status="FAILED").exists()
