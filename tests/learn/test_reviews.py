"""Stored reviews: made once, by one worker at a time, and taken over from a dead worker."""

from __future__ import annotations

import shutil
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import cast

import pytest
from django.utils import timezone

from games.analysis.review import VERSION, Item, decisions
from games.analysis.review_luck import GameAccount
from games.analysis.review_verdicts import WRONG
from games.engine.moves import parse_move
from games.learn import review_jobs, reviews
from games.log import store
from games.models import Match, Mistake, Player, Review
from games.people.accounts import create_guest
from tests.support.launcher import Script
from tests.support.played import play_elsewhere, play_on
from tests.support.reviewed import played_match, review_now
from tests.support.servers import site_environment, sqlite_url
from tests.support.tables import make_tables, wish

LEFT_AT = 60
"""A log entry in the middle of a match."""


def finished(**rules: object) -> tuple[Match, Player]:
    person = create_guest()
    return cast(Match, played_match(person, **rules)), person


def expire_claim(match: Match) -> None:
    """Make the claim on a review expire, as if its worker had died."""
    Review.objects.filter(match=match).update(claimed_until=timezone.now() - timedelta(seconds=1))


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
def test_only_one_of_two_concurrent_workers_makes_the_review() -> None:
    match, _ = finished()
    first, second = review_jobs.steps_of(match.pk), review_jobs.steps_of(match.pk)
    list(islice(first, 5))
    assert len(list(second)) == 1
    list(first)
    assert Review.objects.get(match=match).status == Review.Status.DONE


@pytest.mark.django_db
def test_a_new_worker_restarts_a_dead_workers_review_and_ignores_the_old_one() -> None:
    match, _ = finished()
    dead = review_jobs.steps_of(match.pk)
    list(islice(dead, 9))
    assert not reviews.is_wanted(reviews.status_of(match=match.pk))
    expire_claim(match)
    assert reviews.is_wanted(reviews.status_of(match=match.pk))
    review_now(match.pk)
    made = Review.objects.get(match=match)
    list(dead)
    after = Review.objects.get(match=match)
    assert (after.status, after.made_at, after.claim) == (made.status, made.made_at, made.claim)
    assert after.items == made.items


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
    steps.close()
    assert reviews.is_wanted(reviews.status_of(match=match.pk)), "the claim is released at once"


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
    with pytest.raises(ZeroDivisionError):
        review_now(match.pk)
    review = reviews.status_of(match=match.pk)
    assert review is not None
    assert review.status == Review.Status.FAILED
    assert not reviews.is_wanted(review)


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
    match, _ = finished()
    match.seats.filter(seat=0).update(left_at=LEFT_AT)
    review_now(match.pk)
    items = [Item.from_dict(item) for item in Review.objects.get(match=match).items]
    wrong = {item.sequence for item in items if item.seat == 0 and item.verdict in WRONG}
    assert min(wrong) < LEFT_AT <= max(wrong), "there are mistakes before and after"
    assert {row.sequence for row in Mistake.objects.all()} == {at for at in wrong if at < LEFT_AT}


@pytest.mark.django_db
def test_mistakes_before_a_branch_point_are_not_recorded_again() -> None:
    match, _ = finished()
    whole, _ = finished()
    Match.objects.filter(pk=match.pk).update(branch_of=whole, branch_step=25)
    review_now(match.pk)
    assert Mistake.objects.exists()
    assert all(row.sequence >= 25 for row in Mistake.objects.all())


def test_the_reviewer_queues_a_match_once_and_refuses_too_many() -> None:
    reviewer = review_jobs.Reviewer()
    reviewer._thread = cast("object", reviewer)  # type: ignore[assignment]  # no worker runs
    assert all(reviewer.request(1) for _ in range(3))
    assert list(reviewer._waiting) == [1]
    assert all(reviewer.request(match) for match in range(2, review_jobs.MOST_WAITING + 1))
    assert not reviewer.request(1000)


@pytest.mark.django_db
def test_reviews_take_turns_and_the_newest_starts_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns: list[int] = []

    def steps(match: int, _clock: object) -> object:
        for _ in range(3):
            turns.append(match)
            yield

    monkeypatch.setattr(review_jobs, "steps_of", steps)
    ticks = iter(range(1000))
    reviewer = review_jobs.Reviewer(clock=lambda: float(next(ticks)))
    reviewer._waiting.extend((1, 2))
    reviewer._start_waiting()
    while reviewer._active:
        job = reviewer._active[0]
        if reviewer._run_slice(job):
            reviewer._active.rotate(-1)
        else:
            reviewer._active.popleft()
    assert turns == [2, 1, 2, 1, 2, 1]


@pytest.mark.servers
def test_two_concurrent_processes_store_one_review(tmp_path: Path, empty_database: Path) -> None:
    shutil.copy(empty_database, tmp_path / "site.sqlite3")
    url = sqlite_url(tmp_path, "site.sqlite3")
    (table,) = make_tables(url, wish(computers=(1,), target=61))
    play_elsewhere(url, table.match)
    (place := tmp_path / "meeting").mkdir()
    arguments = ["-m", "tests.support.reviewed", str(place), "2"]
    reviewers = [Script(arguments, site_environment(url), text=table.match) for _ in range(2)]
    said = [reviewer.finish().strip() for reviewer in reviewers]
    assert sorted(said) == ["False", "True"]
