"""Stored reviews: made once, by a job, with partial results, and taken over from a dead worker."""

from __future__ import annotations

from itertools import islice
from typing import Any, cast

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.analysis.review import VERSION, Item, decisions
from games.analysis.review_luck import GameAccount
from games.analysis.review_verdicts import WRONG
from games.engine.moves import parse_move
from games.jobs.worker import work_off
from games.learn import review_jobs, reviews
from games.log import store
from games.models import Match, Mistake, Player, Review
from games.people.accounts import create_guest
from tests.support.played import play_on
from tests.support.reviewed import away_for, played_match, review_now

AWAY = range(15, 25)
"""Log entries in the middle of a match."""


def finished(**rules: Any) -> tuple[Match, Player]:
    person = create_guest()
    return cast(Match, played_match(person, **rules)), person


@pytest.mark.django_db
@pytest.mark.parametrize("rules", [{}, {"players": 3}, {"games": 2}], ids=["two", "three", "games"])
def test_a_review_has_every_decision_and_an_account_of_each_game(rules: dict[str, int]) -> None:
    match, _ = finished(**rules)
    review_now(match.pk)
    review = Review.objects.get(match=match)
    moves = [parse_move(entry.text) for entry in store.whole(match.pk)]
    assert (review.status, review.version) == (Review.Status.DONE, VERSION)
    assert review.done == review.total == len(review.items) == decisions(moves)
    assert len(review.accounts) == rules.get("games", 1)
    for stored in review.accounts:
        account = GameAccount.from_dict(stored)
        for seat in range(rules.get("players", 2)):
            skill = sum(account.skill(seat, by) for by in range(rules.get("players", 2)))
            assert account.start[seat] + account.luck(seat) + skill == pytest.approx(
                account.end[seat], abs=1e-4
            )


@pytest.mark.django_db
def test_the_second_review_of_a_match_does_nothing() -> None:
    match, _ = finished()
    review_now(match.pk)
    made_at = Review.objects.get(match=match).made_at
    assert review_now(match.pk) == 1
    assert Review.objects.get(match=match).made_at == made_at


@pytest.mark.django_db
def test_a_new_worker_restarts_a_silent_workers_review_and_ignores_the_old_one() -> None:
    match, _ = finished()
    silent = review_jobs.steps_of(match.pk)
    list(islice(silent, 9))
    assert reviews.is_wanted(reviews.status_of(match=match.pk))
    review_now(match.pk)
    made = Review.objects.get(match=match)
    mistakes = Mistake.objects.count()
    list(silent)
    after = Review.objects.get(match=match)
    assert (after.status, after.made_at) == (made.status, made.made_at)
    assert after.items == made.items
    assert Mistake.objects.count() == mistakes


@pytest.mark.django_db
def test_verdicts_are_stored_while_a_review_is_in_progress() -> None:
    match, _ = finished()
    ticks = iter(range(1000))
    steps = review_jobs.steps_of(match.pk, clock=lambda: float(next(ticks)))
    list(islice(steps, 4))
    review = Review.objects.get(match=match)
    assert review.status == Review.Status.WORKING
    assert 1 <= review.done == len(review.items) <= 4
    assert Item.from_dict(review.items[0]).sequence == review.items[0]["sequence"]


@pytest.mark.django_db
def test_a_running_match_is_not_reviewed() -> None:
    person = create_guest()
    from games.engine.state import Ruleset
    from games.tables.tables import create_match

    match = create_match(creator=person, ruleset=Ruleset(), computers={1: "poppy"})
    play_on(match.public_id, moves=30)
    assert review_now(match.pk) == 0
    assert not Review.objects.exists()


@pytest.mark.django_db
def test_a_failed_review_is_marked_and_not_retried_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, _ = finished()

    def broken(*_: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(review_jobs, "review", broken)
    for _ in range(review_jobs.review_match.tries):
        assert review_jobs.request_review(match.pk)
        assert work_off() == 1, "its pause has passed, as nobody asks sooner"
        DBTaskResult.objects.update(run_after=timezone.now())
    review = reviews.status_of(match=match.pk)
    assert review is not None
    assert review.status == Review.Status.FAILED
    assert review_jobs.request_review(match.pk)
    assert work_off() == 0, "it is not tried again at once"
    DBTaskResult.objects.update(finished_at=timezone.now() - review_jobs.AFTER_FAILURE)
    assert review_jobs.request_review(match.pk)
    assert work_off() == 1


@pytest.mark.django_db
def test_mistakes_are_recorded_for_people_and_not_for_computers() -> None:
    match, person = finished()
    review_now(match.pk)
    items = [Item.from_dict(item) for item in Review.objects.get(match=match).items]
    wrong = {item.sequence for item in items if item.seat == 0 and item.verdict in WRONG}
    assert wrong
    assert {row.sequence for row in Mistake.objects.all()} == wrong
    assert {row.seat.player_id for row in Mistake.objects.select_related("seat")} == {person.pk}


@pytest.mark.django_db
def test_a_substitutes_mistakes_are_not_the_players() -> None:
    """Also when the player has come back."""
    match, _ = finished()
    away_for(match, 0, AWAY)
    review_now(match.pk)
    items = [Item.from_dict(item) for item in Review.objects.get(match=match).items]
    wrong = {item.sequence for item in items if item.seat == 0 and item.verdict in WRONG}
    own = wrong - set(AWAY)
    assert own < wrong and min(own) < AWAY.start < max(own), "mistakes before, meanwhile and after"
    assert {row.sequence for row in Mistake.objects.all()} == own


@pytest.mark.django_db
def test_mistakes_before_a_branch_point_are_not_recorded_again() -> None:
    match, _ = finished()
    whole, _ = finished()
    Match.objects.filter(pk=match.pk).update(branch_of=whole, branch_step=25)
    review_now(match.pk)
    assert Mistake.objects.exists()
    assert all(row.sequence >= 25 for row in Mistake.objects.all())


@pytest.mark.django_db
def test_a_match_is_queued_once_and_too_many_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_jobs, "MOST_WAITING", 3)
    assert all(review_jobs.request_review(1) for _ in range(3))
    assert DBTaskResult.objects.count() == 1
    assert review_jobs.request_review(2) and review_jobs.request_review(3)
    assert not review_jobs.request_review(4)
    assert review_jobs.request_review(3), "it is waiting already"


@pytest.mark.django_db
def test_a_worker_makes_the_review_that_was_asked_for() -> None:
    match, _ = finished()
    assert review_jobs.request_review(match.pk)
    work_off()
    assert Review.objects.get(match=match).status == Review.Status.DONE
