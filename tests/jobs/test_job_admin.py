"""The admin lists jobs, and tries failed ones again."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.jobs.worker import work_off
from games.models import Player
from tests.support.sample_jobs import fail

pytestmark = pytest.mark.django_db

LIST = "/admin/django_tasks_database/dbtaskresult/"


@pytest.fixture
def keeper(client: Client) -> Client:
    player = Player.objects.create_superuser(username="keeper", password="x", name="Keeper")
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_a_failed_job_is_listed_and_can_be_tried_again(keeper: Client) -> None:
    fail.enqueue(1)
    for _ in range(3):
        work_off()
        DBTaskResult.objects.update(run_after=timezone.now())
    page = keeper.get(LIST).content.decode()
    assert "fail" in page
    assert "builtins.ValueError" in page
    row = DBTaskResult.objects.get()
    keeper.post(LIST, {"action": "retry", "_selected_action": [str(row.pk)]})
    row.refresh_from_db()
    assert row.status == "READY"
    detail = keeper.get(f"{LIST}{row.pk}/change/")
    assert detail.status_code == 200
    shown = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", detail.content.decode())
    assert "5H" not in shown.replace('card = "5H"', "")


@pytest.mark.parametrize("model", ["worker", "jobcount"])
def test_workers_and_counts_are_listed(keeper: Client, model: str) -> None:
    fail.enqueue(1)
    work_off()
    assert keeper.get(f"/admin/games/{model}/").status_code == 200
