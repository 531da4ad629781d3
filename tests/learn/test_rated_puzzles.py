"""Rated puzzles: attempts, both ratings, and storms."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.analysis.review import options
from games.engine.cards import NAMES
from games.learn import (
    glicko,
    puzzle_positions,
    rated_puzzles,
    storm,
)
from games.learn.glicko import Glicko
from games.models import Player, PuzzleAttempt, PuzzleRating, RatedPuzzle, Storm
from games.people.accounts import create_guest, merge_guest
from games.wire.refusals import Refused

THROW = "d 45-60 4D5H6H7C8CJS"
PLAY = "p 18-27 7S8H8STD 3DTC 4S5C6S9C 2H3H 4H 8H4S8S9C"
COUNT = "hand 5D5H5SJC 5C"


def puzzle(position: str = THROW, *, kind: str = "throw", rating: float = 1500) -> RatedPuzzle:
    return RatedPuzzle.objects.create(
        kind=kind,
        theme="counting" if kind == "count" else "runs",
        position=position,
        rating=rating,
        deviation=glicko.PUZZLE_DEVIATION,
        volatility=glicko.VOLATILITY,
    )


def right(row: RatedPuzzle) -> list[str]:
    if row.kind == "count":
        return [str(puzzle_positions.breakdown(row.position).total)]
    best = options(puzzle_positions.view_of(row.position))[0]
    return [NAMES[card] for card in best.cards]


def wrong(row: RatedPuzzle) -> list[str]:
    if row.kind == "count":
        return ["0"]
    worst = options(puzzle_positions.view_of(row.position))[-1]
    return [NAMES[card] for card in worst.cards]


@pytest.fixture
def guest(client: Client) -> Player:
    found = create_guest(name="Margery")
    client.force_login(found)
    return found


@pytest.fixture
def person(client: Client) -> Player:
    found = Player.objects.create_user("Percy", kind=Player.Kind.PERSON, name="Percy")
    client.force_login(found)
    return found


"""Puzzles that a test makes twice: whole games are played and judged for each."""


# --- ratings -----------------------------------------------------------------------------------


def test_the_library_gives_the_numbers_of_glickmans_paper() -> None:
    from glicko2.math.algorithm import update_rating
    from glicko2.math.conversions import mu_to_rating, phi_to_rd, rating_to_mu, rd_to_phi

    games = [(1400, 30, 1.0), (1550, 100, 0.0), (1700, 300, 0.0)]
    found = update_rating(
        0.0, rd_to_phi(200), 0.06, [(rating_to_mu(r), rd_to_phi(d), s) for r, d, s in games]
    )
    assert mu_to_rating(found.mu) == pytest.approx(1464.06, abs=0.02)
    assert phi_to_rd(found.phi) == pytest.approx(151.52, abs=0.01)
    assert found.sigma == pytest.approx(0.05999, abs=0.00001)


def test_a_rating_stays_movable_after_very_many_games() -> None:
    own = Glicko()
    for _ in range(500):
        own = glicko.after(own, Glicko(own.rating, 50.0), 1.0)
        own = glicko.after(own, Glicko(own.rating, 50.0), 0.0)
    assert own.deviation >= glicko.LEAST_DEVIATION


@pytest.mark.django_db
@pytest.mark.parametrize("solved", [True, False])
def test_an_attempt_moves_the_person_and_the_puzzle_in_opposite_directions(
    person: Player, solved: bool
) -> None:
    row = puzzle()
    attempt = rated_puzzles.next_attempt(player=person)
    assert attempt is not None
    done = rated_puzzles.answer(attempt=attempt, words=right(row) if solved else wrong(row))
    own = PuzzleRating.objects.get(player=person)
    row.refresh_from_db()
    assert done.solved is solved
    assert (own.rating > 1500) is solved
    assert (row.rating < 1500) is solved
    assert done.change == pytest.approx(own.rating - 1500)
    assert (own.attempts, own.solved, own.streak) == (1, int(solved), int(solved))


@pytest.mark.django_db
def test_a_guest_has_a_rating_but_does_not_move_the_puzzle(guest: Player) -> None:
    row = puzzle()
    attempt = rated_puzzles.next_attempt(player=guest)
    assert attempt is not None
    rated_puzzles.answer(attempt=attempt, words=right(row))
    row.refresh_from_db()
    assert row.rating == 1500
    assert PuzzleRating.objects.get(player=guest).rating > 1500


@pytest.mark.django_db
def test_only_the_first_answer_counts_and_the_puzzle_never_comes_again(person: Player) -> None:
    row = puzzle()
    attempt = rated_puzzles.next_attempt(player=person)
    assert attempt is not None
    first = rated_puzzles.answer(attempt=attempt, words=wrong(row))
    again = rated_puzzles.answer(attempt=attempt, words=right(row))
    assert (again.solved, again.rating) == (False, first.rating)
    assert PuzzleRating.objects.get(player=person).attempts == 1
    assert rated_puzzles.next_attempt(player=person) is None


@pytest.mark.django_db
def test_an_open_attempt_comes_back_until_it_is_answered(person: Player) -> None:
    puzzle()
    puzzle("p 45-60 4D5H6H7C8CJS")
    first = rated_puzzles.next_attempt(player=person)
    assert rated_puzzles.next_attempt(player=person) == first
    assert PuzzleAttempt.objects.count() == 1


@pytest.mark.django_db
def test_the_nearest_puzzles_are_asked_and_a_filter_asks_no_others(person: Player) -> None:
    puzzle(rating=1900)
    near = puzzle("p 45-60 4D5H6H7C8CJS", rating=1520)
    counted = puzzle(COUNT, kind="count")
    chosen = rated_puzzles.next_attempt(player=person)
    assert chosen is not None and chosen.puzzle == near
    only = rated_puzzles.next_attempt(player=person, only="count")
    assert only is not None and only.puzzle == counted
    assert rated_puzzles.next_attempt(player=person, only="pairs") is None


@pytest.mark.django_db
def test_streaks_grow_and_end_and_the_best_is_kept(person: Player) -> None:
    rows = [puzzle(f"{who} {n}-60 4D5H6H7C8CJS") for n in (50, 55) for who in "dp"]
    for solved in (True, True, False, True):
        attempt = rated_puzzles.next_attempt(player=person)
        assert attempt is not None
        row = next(row for row in rows if row == attempt.puzzle)
        rated_puzzles.answer(attempt=attempt, words=right(row) if solved else wrong(row))
    own = PuzzleRating.objects.get(player=person)
    assert (own.streak, own.best_streak) == (1, 2)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "code"),
    [([], "wrong_number"), (["5H"], "wrong_number"), (["5H", "KD"], "not_your_card")],
)
def test_cards_that_cannot_be_thrown_are_refused_and_the_attempt_stays_open(
    person: Player, words: list[str], code: str
) -> None:
    puzzle()
    attempt = rated_puzzles.next_attempt(player=person)
    assert attempt is not None
    with pytest.raises(Refused) as refused:
        rated_puzzles.answer(attempt=attempt, words=words)
    assert refused.value.code == code
    attempt.refresh_from_db()
    assert attempt.answered_at is None


@pytest.mark.django_db
@pytest.mark.parametrize("word", ["", "x", "-1", "30", "²", "999"])
def test_a_count_takes_numbers_of_points_alone(person: Player, word: str) -> None:
    puzzle(COUNT, kind="count")
    attempt = rated_puzzles.next_attempt(player=person, only="count")
    assert attempt is not None
    with pytest.raises(rated_puzzles.NotPoints):
        rated_puzzles.answer(attempt=attempt, words=[word])


@pytest.mark.django_db
def test_a_count_after_its_time_is_a_miss_even_if_it_is_right(person: Player) -> None:
    row = puzzle(COUNT, kind="count")
    attempt = rated_puzzles.next_attempt(player=person, only="count")
    assert attempt is not None
    long_ago = timezone.now() - rated_puzzles.COUNT_LIMIT - timedelta(seconds=5)
    PuzzleAttempt.objects.update(shown_at=long_ago)
    attempt = rated_puzzles.attempt_of(pk=attempt.pk, player=person)
    assert attempt is not None
    done = rated_puzzles.answer(attempt=attempt, words=right(row))
    assert (done.solved, done.answer) == (False, "")


@pytest.mark.django_db
def test_logging_in_takes_a_guests_attempts_and_rating_along(person: Player) -> None:
    row = puzzle()
    other = create_guest()
    attempt = rated_puzzles.next_attempt(player=other)
    assert attempt is not None
    rated_puzzles.answer(attempt=attempt, words=right(row))
    merge_guest(guest=other, account=person)
    assert PuzzleAttempt.objects.get().player == person
    assert PuzzleRating.objects.get().player == person


@pytest.mark.django_db
def test_an_account_keeps_its_own_rating_and_its_own_attempts(person: Player) -> None:
    row = puzzle()
    other = create_guest()
    for player, words in ((person, wrong(row)), (other, right(row))):
        attempt = rated_puzzles.next_attempt(player=player)
        assert attempt is not None
        rated_puzzles.answer(attempt=attempt, words=words)
    before = PuzzleRating.objects.get(player=person).rating
    merge_guest(guest=other, account=person)
    assert PuzzleAttempt.objects.get().solved is False
    assert PuzzleRating.objects.get().rating == before


@pytest.mark.django_db
def test_a_guests_puzzles_have_no_rating_in_the_history_of_an_account_with_its_own(
    client: Client, person: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.pages.learn.rated_puzzles.SETTLES_AFTER", 1)
    other = create_guest()
    own, guests = (
        rated_puzzles.answer(
            attempt=PuzzleAttempt.objects.create(player=player, puzzle=row), words=right(row)
        )
        for player, row in ((person, puzzle()), (other, puzzle("d 51-60 4D5H6H7C8CJS")))
    )
    merge_guest(guest=other, account=person)
    client.force_login(person)
    page = client.get("/puzzles/history/").content.decode()
    ratings = re.findall(r'data-label="Rating" class="num">([^<]*)<', page)
    assert ratings == ["–", f"{own.rating:.0f} (+{own.change:.0f})"]
    assert "puzzle-change" not in client.get(f"/puzzles/{guests.pk}/").content.decode()
    assert "puzzle-change" in client.get(f"/puzzles/{own.pk}/").content.decode()


# --- storms ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_storm_counts_right_and_wrong_answers_and_moves_no_rating(person: Player) -> None:
    for n in range(3):
        puzzle(f"d {50 + n}-60 4D5H6H7C8CJS")
    run = storm.start(player=person)
    for solved in (True, False):
        attempt = storm.current(storm=run)
        assert attempt is not None
        words = right(attempt.puzzle) if solved else wrong(attempt.puzzle)
        storm.answer(attempt=attempt, words=words)
        storm.answer(attempt=attempt, words=right(attempt.puzzle))
    run.refresh_from_db()
    assert (run.solved, run.missed) == (1, 1)
    assert storm.marks(storm=run) == [True, False]
    assert not PuzzleRating.objects.exists()
    assert set(RatedPuzzle.objects.values_list("rating", flat=True)) == {1500.0}


@pytest.mark.django_db
def test_a_storm_ends_by_the_servers_clock_and_the_best_is_kept(person: Player) -> None:
    row = puzzle()
    run = storm.start(player=person)
    assert storm.start(player=person) == run
    attempt = storm.current(storm=run)
    assert attempt is not None
    Storm.objects.update(started_at=timezone.now() - storm.LIMIT - timedelta(seconds=5), solved=7)
    attempt = rated_puzzles.attempt_of(pk=attempt.pk, player=person)
    assert attempt is not None
    storm.answer(attempt=attempt, words=right(row))
    assert storm.running(player=person) is None
    last = storm.last(player=person)
    assert last is not None and last.solved == 7
    assert storm.best(player=person) == 7


@pytest.mark.django_db
@pytest.mark.parametrize(("late", "solved"), [(1, 1), (120, 0)])
def test_an_answer_on_its_way_when_the_storm_ends_counts(
    client: Client, person: Player, monkeypatch: pytest.MonkeyPatch, late: int, solved: int
) -> None:
    monkeypatch.setattr(rated_puzzles, "GRACE", timedelta(minutes=60))
    row = puzzle()
    client.force_login(person)
    address = client.post("/puzzles/storm/", follow=True).context["action"]
    Storm.objects.update(started_at=timezone.now() - storm.LIMIT - timedelta(minutes=late))
    page = client.post(address, {"cards": right(row)}, follow=True)
    assert Storm.objects.get().solved == solved
    assert page.context["last"].solved == solved


@pytest.mark.django_db
def test_a_puzzle_seen_in_a_storm_is_never_rated(person: Player) -> None:
    puzzle()
    assert storm.current(storm=storm.start(player=person)) is not None
    assert rated_puzzles.next_attempt(player=person) is None
