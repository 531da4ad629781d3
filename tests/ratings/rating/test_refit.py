"""Full refits of stored ratings."""

from collections.abc import Iterator

import pytest
from pytest_django.plugin import DjangoDbBlocker

from ratings.models import Play, Rating, RatingChange, Record
from ratings.rating import refit as refitting
from ratings.rating import updates
from ratings.rating.refit import refit
from ratings.rating.results import collect
from ratings.standard import catalogue
from tests.support.standard_tables import people, play_on
from tests.support.stored import fix_cards, kept_for_file, shallow_pool

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixed_cards")]
LEVELS = ("poppy", "alfie", "nora", "walter", "alfie", "nora")


@pytest.fixture(scope="module", autouse=True)
def _league(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Store the league once for all tests of this file; each test's changes to it are undone."""
    with kept_for_file(django_db_blocker), pytest.MonkeyPatch.context() as patched:
        shallow_pool(patched)
        fix_cards(patched)
        store_league()
        yield


def store_league() -> None:
    """Store ranked matches among six players, each against their four neighbours in a circle."""
    players = people(6)
    for distance in (1, 2):
        for at, player in enumerate(players):
            other = (at + distance) % 6
            table = [player, players[other]]
            match = catalogue.start_match(
                game=catalogue.choose_game(players=table), players=table, kind=Play.Kind.RANKED
            )
            play_on(match, (LEVELS[at], LEVELS[other]))
            collect(match=match.pk)


def ratings() -> dict[int, float]:
    return dict(Rating.objects.values_list("player_id", "rating"))


def test_a_refit_is_reproducible_and_changes_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """It agrees with the incremental ratings that it replaces, within a fraction of a point.

    But for extreme margins, which only a refit limits: here none is extreme.
    """
    monkeypatch.setattr("ratings.model.guards.WINSOR_SD", 100.0)
    pushed = ratings()
    records = list(Record.objects.order_by("pk").values())
    report = refit(seats=2)
    assert report.plays == 12
    after = ratings()
    assert pushed == pytest.approx(after, abs=0.3)
    assert max(after.values()) - min(after.values()) > 10, "the ratings differ by far more"
    refit(seats=2)
    assert ratings() == pytest.approx(after, abs=0.001)
    assert list(Record.objects.order_by("pk").values()) == records
    for change in RatingChange.objects.all():
        assert sum(part["elo"] for part in change.parts) == pytest.approx(
            change.now - change.was, abs=0.01
        )


def test_the_feed_connects_the_first_rating_to_the_current_one() -> None:
    for player, stored in ratings().items():
        changes = RatingChange.objects.filter(player_id=player).order_by("pk")
        at = 1500.0
        for change in changes:
            assert change.was == pytest.approx(at, abs=0.06)
            at = change.now
        assert at == pytest.approx(stored, abs=0.06)


def test_a_removed_player_leaves_no_trace() -> None:
    cheat = Rating.objects.order_by("player_id")[0].player_id
    Play.objects.filter(attempts__player=cheat).update(exclusion=Play.Exclusion.REMOVED)
    refit(seats=2)
    repaired = ratings()
    assert cheat not in repaired
    Rating.objects.all().delete()
    Play.objects.filter(attempts__player=cheat).update(sequence=None)
    refit(seats=2)
    assert ratings() == pytest.approx(repaired, abs=0.05)


def test_results_arriving_during_a_refit_are_included(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    late = people(2, start=6)
    fitted = refitting._fitted

    def interrupted(*args: int) -> refitting.FittedResults:
        found = fitted(*args)
        match = catalogue.start_match(
            game=catalogue.choose_game(players=late), players=late, kind=Play.Kind.RANKED
        )
        play_on(match)
        collect(match=match.pk)
        return found

    monkeypatch.setattr(refitting, "_fitted", interrupted)
    assert refit(seats=2).plays == 13
    monkeypatch.undo()
    stored = ratings()
    assert {player.pk for player in late} <= stored.keys()
    refit(seats=2)
    assert ratings() == pytest.approx(stored, abs=0.2)


def test_a_refit_overtaken_by_another_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted, begun = refitting._fitted, []

    def overtaken(*args: int) -> refitting.FittedResults:
        begun.append(args)
        if len(begun) == 1:
            refit(seats=2)
        return fitted(*args)

    monkeypatch.setattr(refitting, "_fitted", overtaken)
    refit(seats=2)
    # The first, the one inside it, and the first again.
    assert len(begun) == 3


def test_an_update_after_a_refit_in_another_process_reloads_the_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    load, loads = updates._load, []

    def overtaken(seats: int) -> None:
        load(seats)
        loads.append(seats)
        if len(loads) == 1:
            refit(seats=seats)

    two = people(2, start=6)
    match = catalogue.start_match(
        game=catalogue.choose_game(players=two), players=two, kind=Play.Kind.RANKED
    )
    play_on(match)
    monkeypatch.setattr(updates, "_load", overtaken)
    collect(match=match.pk)
    assert len(loads) == 2
    stored = ratings()
    assert len(stored) == 8
    refit(seats=2)
    assert ratings() == pytest.approx(stored, abs=0.2)
