"""Reviews in the store: made once, by one worker at a time, taken over where one has died."""

from __future__ import annotations

import shutil
import subprocess
import sys
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import cast

import pytest
from django.utils import timezone

from games import reviewing, store
from games.accounts import create_guest
from games.analysis.review import VERSION, Item, decisions
from games.analysis.review_luck import GameAccount
from games.analysis.review_verdicts import WRONG
from games.engine.moves import parse_move
from games.models import Match, Mistake, Player, Review
from games.services import reviews
from tests.games.played import play_elsewhere, play_on
from tests.games.reviewed import played_match, review_now
from tests.games.tables import make_tables, wish
from tests.servers import ROOT, site_environment, sqlite_url


def finished(**rules: object) -> tuple[Match, Player]:
    person = create_guest()
    return cast(Match, played_match(person, **rules)), person


def lost_claim(match: Match) -> None:
    """Let the claim on a review run out, as when its worker has died."""
    Review.objects.filter(match=match).update(claimed_until=timezone.now() - timedelta(seconds=1))


@pytest.mark.django_db
@pytest.mark.parametrize("rules", [{}, {"players": 3}, {"games": 2}], ids=["two", "three", "games"])
def test_a_review_holds_every_decision_and_an_account_of_each_game(rules: dict[str, int]) -> None:
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
def test_of_two_workers_at_once_one_does_the_work() -> None:
    match, _ = finished()
    first, second = reviewing.steps_of(match.pk), reviewing.steps_of(match.pk)
    list(islice(first, 5))
    assert len(list(second)) == 1
    list(first)
    assert Review.objects.get(match=match).status == Review.Status.DONE


@pytest.mark.django_db
def test_where_a_worker_has_died_the_next_begins_anew_and_the_first_is_not_heard() -> None:
    match, _ = finished()
    dead = reviewing.steps_of(match.pk)
    list(islice(dead, 9))
    assert not reviews.is_wanted(reviews.status_of(match=match.pk))
    lost_claim(match)
    assert reviews.is_wanted(reviews.status_of(match=match.pk))
    review_now(match.pk)
    made = Review.objects.get(match=match)
    list(dead)
    after = Review.objects.get(match=match)
    assert (after.status, after.made_at, after.claim) == (made.status, made.made_at, made.claim)
    assert after.items == made.items


@pytest.mark.django_db
def test_first_verdicts_are_stored_on_the_way() -> None:
    match, _ = finished()
    ticks = iter(range(1000))
    steps = reviewing.steps_of(match.pk, clock=lambda: float(next(ticks)))
    list(islice(steps, 4))
    review = Review.objects.get(match=match)
    assert review.status == Review.Status.WORKING
    assert 1 <= review.done == len(review.items) <= 4
    assert Item.from_dict(review.items[0]).sequence == review.items[0]["sequence"]
    steps.close()
    assert reviews.is_wanted(reviews.status_of(match=match.pk)), "given back at once"


@pytest.mark.django_db
def test_a_running_match_is_not_reviewed() -> None:
    person = create_guest()
    from games import services
    from games.engine.state import Ruleset

    match = services.create_match(creator=person, ruleset=Ruleset(), computers={1: "poppy"})
    play_on(match.public_id, moves=30)
    assert review_now(match.pk) == 0
    assert not Review.objects.exists()


@pytest.mark.django_db
def test_what_goes_wrong_is_marked_and_left_alone_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, _ = finished()

    def broken(*_: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(reviewing, "review", broken)
    with pytest.raises(ZeroDivisionError):
        review_now(match.pk)
    review = reviews.status_of(match=match.pk)
    assert review is not None
    assert review.status == Review.Status.FAILED
    assert not reviews.is_wanted(review)


@pytest.mark.django_db
def test_mistakes_of_people_are_noted_and_those_of_computers_are_not() -> None:
    match, person = finished()
    review_now(match.pk)
    items = [Item.from_dict(item) for item in Review.objects.get(match=match).items]
    wrong = {item.sequence for item in items if item.seat == 0 and item.verdict in WRONG}
    assert wrong
    assert {row.sequence for row in Mistake.objects.all()} == wrong
    assert {row.seat.player_id for row in Mistake.objects.select_related("seat")} == {person.pk}


@pytest.mark.django_db
def test_what_the_computer_did_for_who_had_left_is_not_his_mistake() -> None:
    match, _ = finished()
    match.seats.filter(seat=0).update(left_at=20)
    review_now(match.pk)
    assert all(row.sequence < 20 for row in Mistake.objects.all())


@pytest.mark.django_db
def test_what_a_branch_begins_with_is_not_asked_a_second_time() -> None:
    match, _ = finished()
    whole, _ = finished()
    Match.objects.filter(pk=match.pk).update(branch_of=whole, branch_step=25)
    review_now(match.pk)
    assert Mistake.objects.exists()
    assert all(row.sequence >= 25 for row in Mistake.objects.all())


def test_the_reviewer_takes_a_match_twice_as_once_and_refuses_too_many() -> None:
    reviewer = reviewing.Reviewer()
    reviewer._thread = cast("object", reviewer)  # type: ignore[assignment]  # nobody works
    assert all(reviewer.ask(1) for _ in range(3))
    assert list(reviewer._waiting) == [1]
    assert all(reviewer.ask(match) for match in range(2, reviewing.MOST_WAITING + 1))
    assert not reviewer.ask(1000)


@pytest.mark.django_db
def test_each_review_gets_its_turn_and_the_newest_begins_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns: list[int] = []

    def steps(match: int, _clock: object) -> object:
        for _ in range(3):
            turns.append(match)
            yield

    monkeypatch.setattr(reviewing, "steps_of", steps)
    ticks = iter(range(1000))
    reviewer = reviewing.Reviewer(clock=lambda: float(next(ticks)))
    reviewer._waiting.extend((1, 2))
    reviewer._take_in()
    while reviewer._active:
        job = reviewer._active[0]
        if reviewer._go_on(job):
            reviewer._active.rotate(-1)
        else:
            reviewer._active.popleft()
    assert turns == [2, 1, 2, 1, 2, 1]


@pytest.mark.servers
def test_two_processes_at_once_store_one_review(tmp_path: Path, empty_database: Path) -> None:
    shutil.copy(empty_database, tmp_path / "site.sqlite3")
    url = sqlite_url(tmp_path, "site.sqlite3")
    (table,) = make_tables(url, wish(computers=(1,), target=61))
    play_elsewhere(url, table.match)
    environment = site_environment(url)
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.games.reviewed"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write(table.match)
        worker.stdin.close()
    said = [worker.stdout.read().strip() for worker in workers if worker.stdout]
    assert [worker.wait(60) for worker in workers] == [0, 0]
    assert sorted(said) == ["False", "True"]
