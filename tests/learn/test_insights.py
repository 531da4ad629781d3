"""Insights: sums of reviewed decisions, the field of a rating, filters, and their cost."""

from __future__ import annotations

import itertools
from collections import defaultdict
from datetime import timedelta
from typing import Any, cast

import pytest
from django.test import Client
from django.utils import timezone

from games import hooks
from games.analysis.review import Item
from games.analysis.review_situations import situations
from games.engine.state import Ruleset
from games.learn import reviews
from games.learn.insights import answers, bands
from games.learn.insights.answers import LEAST_PLAYERS, Filters, Insights
from games.learn.insights.field import sum_up_field
from games.models import DecisionSum, FieldSum, Match, Player, Review, Seat
from games.people.accounts import create_guest, merge_guest
from tests.support.people import as_
from tests.support.reviewed import played_match, review_now

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("requested_reviews")]

BAND = 2


@pytest.fixture
def player() -> Player:
    return create_guest(name="Margery")


@pytest.fixture
def rated(monkeypatch: pytest.MonkeyPatch) -> dict[int, float]:
    """Give the settled ratings of players, by primary key."""
    known: dict[int, float] = {}
    monkeypatch.setattr(
        hooks,
        "ratings",
        lambda key: (
            [{"seats": 2, "rating": known[key], "provisional": False}] if key in known else []
        ),
    )
    return known


def seat_of(player: Player, *, days_ago: float = 1, places: int = 2) -> Seat:
    """Return a player's seat in a match that ended."""
    match = Match.objects.create(ruleset=Ruleset().to_dict(), status=Match.Status.FINISHED)
    ended = timezone.now() - timedelta(days=days_ago)
    return Seat.objects.create(
        match=match,
        seat=0,
        player=player,
        ended_at=ended,
        places=places,
        computers=0,
        kind=Seat.Kind.CASUAL,
    )


def store(seat: Seat, *, loss: float = 0.1, decisions: int = 10, **cell: Any) -> DecisionSum:
    situation = {
        "band": BAND,
        "opponent": 1,
        "kind": "throw",
        "phase": "early",
        "dealer": True,
        "standing": "level",
        **cell,
    }
    return DecisionSum.objects.create(seat=seat, loss=loss, decisions=decisions, **situation)


def of(player: Player, **filters: Any) -> Insights:
    found = answers.insights(player=player, filters=Filters(**filters))
    assert found is not None
    return found


def costs(found: Insights, dimension: answers.Dimension) -> dict[str, float]:
    return {line.key: round(line.cost, 6) for line in found.lines[dimension]}


def test_a_review_stores_what_each_own_decision_lost_by_situation(player: Player) -> None:
    match = cast(Match, played_match(player))
    review_now(match.pk)
    items = list(map(Item.from_dict, Review.objects.get(match=match).items))
    log = reviews.log_of(match=match.pk)
    assert log is not None
    found = situations(*log)
    sums: dict[tuple[Any, ...], list[float]] = defaultdict(lambda: [0, 0.0])
    for item in items:
        if item.seat == 0 and not item.forced:
            each = found[item.sequence]
            cell = sums[each.kind, each.phase, each.dealer, each.standing]
            cell[0] += 1
            cell[1] += item.loss
    rows = DecisionSum.objects.all()
    assert {row.seat.player for row in rows} == {player}
    assert {
        (row.kind, row.phase, row.dealer, row.standing): [row.decisions, row.loss] for row in rows
    } == {key: [number, pytest.approx(loss, abs=1e-4)] for key, (number, loss) in sums.items()}
    assert answers.insights(player=player, filters=Filters()) is not None


def test_a_lesson_and_its_advice_are_left_out(player: Player) -> None:
    match = cast(Match, played_match(player))
    Match.objects.filter(pk=match.pk).update(lesson=True)
    review_now(match.pk)
    assert not DecisionSum.objects.exists()


@pytest.mark.parametrize("kind", ["branch", "swapped"])
def test_matches_whose_cards_may_be_known_are_left_out(player: Player, kind: str) -> None:
    match, before = (cast(Match, played_match(player)) for _ in range(2))
    known: dict[str, Any] = (
        {"branch_of": before, "branch_step": 0} if kind == "branch" else {"duplicate_of": before}
    )
    Match.objects.filter(pk=match.pk).update(**known)
    review_now(match.pk)
    assert not DecisionSum.objects.exists()


def test_programs_are_not_part_of_the_field(player: Player) -> None:
    match = cast(Match, played_match(player))
    Player.objects.filter(pk=player.pk).update(kind=Player.Kind.COMPUTER, bot="program")
    review_now(match.pk)
    assert Review.objects.get(match=match).status == Review.Status.DONE
    assert not DecisionSum.objects.exists()


def test_imported_matches_are_ones_own_but_not_the_fields(player: Player) -> None:
    store(seat_of(player))
    seat = seat_of(player)
    Seat.objects.filter(pk=seat.pk).update(kind=Seat.Kind.IMPORTED)
    store(seat, decisions=7)
    sum_up_field.func()
    assert of(player).total.decisions == 17
    assert FieldSum.objects.get().decisions == 10


def test_costs_are_games_lost_per_hundred_decisions(player: Player) -> None:
    seat = seat_of(player)
    store(seat, loss=0.10, decisions=10)
    store(seat, loss=0.02, decisions=40, kind="lead", dealer=False, standing="ahead")
    found = of(player)
    assert (found.total.decisions, round(found.total.cost, 6)) == (50, 0.24)
    assert costs(found, "kind") == {"throw": 1.0, "lead": 0.05}
    assert costs(found, "role") == {"dealer": 1.0, "pone": 0.05}
    assert costs(found, "standing") == {"ahead": 0.05, "level": 1.0}
    assert costs(found, "phase") == {"early": 0.24}


@pytest.mark.parametrize(
    ("keys", "decisions"),
    [
        ({"kind": "throw"}, 10),
        ({"kind": "lead"}, 40),
        ({"phase": "end"}, 40),
        ({"role": "pone"}, 40),
        ({"standing": "behind"}, 40),
        ({"opponent": "3"}, 40),
        ({"kind": "lead", "role": "pone"}, 40),
    ],
)
def test_each_filter_takes_its_own_decisions_alone(
    player: Player, keys: dict[answers.Dimension, str], decisions: int
) -> None:
    seat = seat_of(player)
    store(seat)
    other: dict[str, Any] = {"phase": "end", "dealer": False, "standing": "behind", "opponent": 3}
    store(seat, decisions=40, kind="lead", **other)
    assert of(player, keys=keys).total.decisions == decisions
    assert answers.insights(player=player, filters=Filters(keys={"kind": "late"})) is None


def test_months_and_seats_are_kept_apart(player: Player) -> None:
    store(seat_of(player))
    store(seat_of(player, days_ago=150), decisions=5)
    store(seat_of(player, days_ago=500), decisions=7)
    store(seat_of(player, places=3), decisions=3)
    months = of(player).lines["month"]
    assert [line.decisions for line in months] == [5, 10]
    assert [line.key for line in months] == sorted(line.key for line in months)
    assert of(player, months=3).total.decisions == 10
    assert of(player, places=3).total.decisions == 3


def test_the_field_has_the_players_of_the_same_rating(
    player: Player, rated: dict[int, float]
) -> None:
    rated[player.pk] = 1450.0
    store(seat_of(player), loss=0.3)
    for _ in range(LEAST_PLAYERS - 1):
        store(seat_of(create_guest()), loss=0.1)
    store(seat_of(create_guest()), loss=9.0, band=BAND + 1)
    sum_up_field.func()
    found = of(player)
    assert found.band == BAND
    assert found.total.field == pytest.approx(100 * (0.3 + 0.1 * 19) / 200)
    assert found.lines["kind"][0].field == found.total.field
    assert found.lines["month"][0].field == found.total.field


def test_of_too_few_players_nothing_is_said(player: Player, rated: dict[int, float]) -> None:
    rated[player.pk] = 1450.0
    store(seat_of(player))
    for _ in range(LEAST_PLAYERS - 2):
        store(seat_of(create_guest()))
    sum_up_field.func()
    found = of(player)
    assert {line.field for line in (found.total, *itertools.chain(*found.lines.values()))} == {None}


def test_the_field_is_replaced_every_night(player: Player) -> None:
    row = store(seat_of(player))
    sum_up_field.func()
    row.delete()
    store(seat_of(player), kind="late")
    sum_up_field.func()
    assert list(FieldSum.objects.values_list("kind", "players")) == [("late", 1)]


@pytest.mark.parametrize(
    ("rating", "band"), [(None, 0), (900.0, 1), (1399.9, 1), (1400.0, 2), (1599.9, 3), (1600.0, 4)]
)
def test_a_rating_has_a_band_with_these_limits(rating: float | None, band: int) -> None:
    assert bands.band_of_rating(rating) == band
    first, last = bands.limits(band)
    assert rating is None or (first or 0) <= rating < (last or 9999) + 1


def test_opponents_are_as_strong_as_their_mean_and_unrated_if_one_is() -> None:
    assert bands.band_of_opponents({1: 1700.0, 2: 1300.0, 3: 1520.0}, 1) == 2
    assert bands.band_of_opponents({1: 1700.0, 2: 1300.0, 3: None}, 1) == bands.UNRATED
    assert bands.band_of_opponents({1: 1700.0}, 1) == bands.UNRATED


def test_a_provisional_rating_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"seats": 2, "rating": 1700.0, "provisional": True}
    monkeypatch.setattr(hooks, "ratings", lambda _key: [row])
    assert bands.ratings_of([1], 2) == {1: None}
    row["provisional"] = False
    assert bands.ratings_of([1], 2) == {1: 1700.0}
    assert bands.ratings_of([1], 3) == {1: None}


def test_a_guests_insights_follow_to_the_account(player: Player) -> None:
    store(seat_of(player))
    account = Player.objects.create_user("Hedda", password="x")
    merge_guest(guest=player, account=account)
    assert of(account).total.decisions == 10


def test_the_page_has_each_number_beneath_its_picture(
    player: Player, rated: dict[int, float]
) -> None:
    rated[player.pk] = 1450.0
    store(seat_of(player), loss=0.37, decisions=20)
    for _ in range(LEAST_PLAYERS):
        store(seat_of(create_guest()), loss=0.1)
    sum_up_field.func()
    page = as_(player).get("/insights/").content.decode()
    assert page.count('<svg class="plot plot-dots"') == 6
    assert page.count(">1.85<") == 13, "the total, and twice for each dimension"
    assert "Dot: you. Line: players rated 1400 to 1499." in page
    assert "20 decisions" in page


def test_filters_stand_in_the_address(player: Player) -> None:
    store(seat_of(player))
    store(seat_of(player), kind="lead", decisions=40)
    client = as_(player)
    assert (
        'href="?role=dealer&amp;kind=lead"' in client.get("/insights/?role=dealer").content.decode()
    )
    assert "40 decisions" in client.get("/insights/?kind=lead&role=dealer").content.decode()
    assert "50 decisions" in client.get("/insights/?kind=nothing&seats=9").content.decode()
    assert "No reviewed decisions match" in client.get("/insights/?kind=late").content.decode()


def test_the_page_names_its_filters_and_can_clear_them(player: Player) -> None:
    client = as_(player)
    page = client.get("/insights/?kind=lead&role=dealer&months=3&seats=2").content.decode()
    assert "Time: 3 months · Decision: Leads · Role: As dealer · <a " in page
    page = client.get("/insights/?seats=3&kind=nothing").content.decode()
    assert "Players: three · <a " in page, "without opening the form"
    page = client.get("/insights/?seats=2&months=12&kind=&role=").content.decode()
    assert "Players: two" not in page
    assert "these filters" not in page, "as the form sends itself with none"


def test_the_page_costs_as_many_queries_for_many_sums(
    player: Player, django_assert_max_num_queries: Any
) -> None:
    for kind, dealer in itertools.product(("throw", "lead", "answer"), (False, True)):
        for days in (1, 40, 80):
            store(seat_of(player, days_ago=days), kind=kind, dealer=dealer)
    client = as_(player)
    client.get("/insights/")
    with django_assert_max_num_queries(12):
        client.get("/insights/")


@pytest.mark.parametrize(("decisions", "explained"), [(10, True), (30, False)])
def test_a_number_from_few_decisions_is_marked_and_the_mark_explained(
    player: Player, decisions: int, explained: bool
) -> None:
    store(seat_of(player), decisions=decisions)
    page = as_(player).get("/insights/").content.decode()
    assert ("fewer than 30 decisions" in page) == explained
    assert ('<span class="tag">few</span>' in page) == explained


def test_without_reviews_the_page_says_what_to_do(
    client: Client, player: Player, requested_reviews: list[int]
) -> None:
    text = "Play a match or two to see"
    assert text in client.get("/insights/").content.decode()
    seat = seat_of(player)
    page = as_(player).get("/insights/").content.decode()
    assert text not in page, "they have played one"
    assert "Your latest matches are being reviewed." in page
    assert requested_reviews == [seat.match_id]
