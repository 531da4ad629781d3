"""Review pages while a failed review is tried again."""

from __future__ import annotations

from typing import cast

import pytest
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.analysis.review import VERSION
from games.jobs.worker import work_off
from games.learn import review_jobs
from games.models import Match, Player, Review
from tests.pages.test_review import page
from tests.support.reviewed import played_match

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("requested_reviews")]


def test_a_review_that_is_tried_again_goes_on_until_it_is_given_up(
    client: Client, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = cast(Match, played_match(player))
    Review.objects.create(match=match, version=VERSION, status=Review.Status.FAILED)
    monkeypatch.setattr(review_jobs, "review", lambda *_: 1 / 0)
    review_jobs.review_match.enqueue(match.pk)
    for _ in range(review_jobs.review_match.tries):
        text = page(client, match)
        assert "trying again" in text and "This review failed." not in text
        for address in ("review/state/", "review.json"):
            answer = client.get(f"/matches/{match.public_id}/{address}").json()
            assert answer["status"] == "retrying"
        DBTaskResult.objects.update(run_after=timezone.now())
        assert work_off() == 1
    assert "This review failed." in page(client, match)
    assert client.get(f"/matches/{match.public_id}/review/state/").json()["status"] == "failed"
