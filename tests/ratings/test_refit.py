"""The refit rests on nothing but the rows."""

import pytest

from ratings.models import Play, Rating, RatingChange, Record
from ratings.services import catalogue, rating
from ratings.services import refit as refitting
from ratings.services.collecting import collect
from ratings.services.refit import refit
from tests.ratings.tables import people, play_on

pytestmark = pytest.mark.django_db
LEVELS = ("poppy", "alfie", "nora", "walter", "alfie", "nora")


def a_league() -> None:
    """Six people, each pair of neighbours on a game of the pool."""
    players = people(6)
    for distance in (1, 2):
        for at, player in enumerate(players):
            other = (at + distance) % 6
            table = [player, players[other]]
            match = catalogue.seat_down(
                game=catalogue.lend(players=table), players=table, kind=Play.Kind.RANKED
            )
            play_on(match, (LEVELS[at], LEVELS[other]))
            collect(match=match.pk)


def ratings() -> dict[int, float]:
    return dict(Rating.objects.values_list("player_id", "rating"))


def test_a_refit_agrees_with_the_push_and_changes_no_record() -> None:
    a_league()
    pushed = ratings()
    records = list(Record.objects.order_by("pk").values())
    report = refit(seats=2)
    assert report.plays == 12
    after = ratings()
    assert after.keys() == pushed.keys()
    refit(seats=2)
    assert ratings() == pytest.approx(after, abs=0.001)
    assert list(Record.objects.order_by("pk").values()) == records
    for change in RatingChange.objects.all():
        assert sum(part["elo"] for part in change.parts) == pytest.approx(
            change.now - change.was, abs=0.01
        )


def test_the_feed_leads_from_the_first_rating_to_the_present_one() -> None:
    a_league()
    for player, stored in ratings().items():
        changes = RatingChange.objects.filter(player_id=player).order_by("pk")
        at = 1500.0
        for change in changes:
            assert change.was == pytest.approx(at, abs=0.06)
            at = change.now
        assert at == pytest.approx(stored, abs=0.06)


def test_a_removed_player_leaves_no_trace() -> None:
    a_league()
    cheat = Rating.objects.order_by("player_id")[0].player_id
    Play.objects.filter(attempts__player=cheat).update(exclusion=Play.Exclusion.REMOVED)
    refit(seats=2)
    repaired = ratings()
    assert cheat not in repaired
    Rating.objects.all().delete()
    Play.objects.filter(attempts__player=cheat).update(sequence=None)
    refit(seats=2)
    assert ratings() == pytest.approx(repaired, abs=0.05)


def test_results_that_come_in_while_a_refit_works_are_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a_league()
    late = people(2, start=6)
    fitted = refitting._fitted

    def interrupted(*args: int) -> refitting.Fitted:
        found = fitted(*args)
        match = catalogue.seat_down(
            game=catalogue.lend(players=late), players=late, kind=Play.Kind.RANKED
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


def test_a_refit_that_another_has_overtaken_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    a_league()
    fitted, begun = refitting._fitted, []

    def overtaken(*args: int) -> refitting.Fitted:
        begun.append(args)
        if len(begun) == 1:
            refit(seats=2)
        return fitted(*args)

    monkeypatch.setattr(refitting, "_fitted", overtaken)
    refit(seats=2)
    # The first, the one within it, and the first once more.
    assert len(begun) == 3


def test_a_push_after_another_process_has_refitted_reads_its_rows_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a_league()
    load, loads = rating._load, []

    def overtaken(seats: int) -> None:
        load(seats)
        loads.append(seats)
        if len(loads) == 1:
            refit(seats=seats)

    two = people(2, start=6)
    match = catalogue.seat_down(
        game=catalogue.lend(players=two), players=two, kind=Play.Kind.RANKED
    )
    play_on(match)
    monkeypatch.setattr(rating, "_load", overtaken)
    collect(match=match.pk)
    assert len(loads) == 2
    stored = ratings()
    assert len(stored) == 8
    refit(seats=2)
    assert ratings() == pytest.approx(stored, abs=0.2)
