"""The disputed hand of a week: the one on whose throw people agree least."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from games.archive.explorer import disputed, spots
from games.models import Choice, DisputedHand, Match, Player, PublicMatch, Seat
from games.people.accounts import create_guest
from tests.archive.test_explorer import SIX, hand

MONDAY = date(2026, 11, 16)


WITHIN = datetime(2026, 11, 18, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("times", "chance"), [((4, 0), 0.0), ((1, 1), 1.0), ((2, 2), 2 / 3), ((1,), 0.0), ((), 0.0)]
)
def test_the_split_is_the_chance_that_two_people_differ(
    times: tuple[int, ...], chance: float
) -> None:
    assert disputed.split(times) == pytest.approx(chance)


def public_match(player: Player, since: datetime) -> PublicMatch:
    """Store a public match of which only one seat matters."""
    match = Match.objects.create(ruleset={}, created_by=player)
    Seat.objects.create(match=match, seat=0, player=player)
    return PublicMatch.objects.create(match=match, since=since)


@pytest.mark.django_db
class TestDisputed:
    def throw(self, cards: str, thrown: dict[str, int], **fields: Any) -> int:
        """File throws by people from these cards in the week of `MONDAY`, unless fields differ."""
        since, by = fields.pop("since", WITHIN), fields.pop("by", None)
        group = fields.pop("group", Choice.Group.UNRATED)
        spot = spots.throw_spot(hand(cards), dealer=False)
        Choice.objects.bulk_create(
            Choice(
                match=public_match(by or create_guest(), since),
                game=1,
                hand=1,
                seat=0,
                spot=spot,
                choice=spots.throw_choice(hand(cards), hand(pair)),
                stage=Choice.Stage.EARLY,
                group=group,
            )
            for pair, times in thrown.items()
            for _ in range(times)
        )
        return spot

    def test_the_hand_on_which_people_agree_least_is_chosen(self) -> None:
        self.throw("AC 4D 7H 8S 8C QD", {"AC 4D": 7, "4D QD": 1})
        spot = self.throw(SIX, {"9D KS": 3, "JC KS": 3})
        found = disputed.choose(monday=MONDAY)
        assert found is not None
        assert (found.spot, found.people) == (spot, 6)
        assert found.split == pytest.approx(0.6)

    @pytest.mark.parametrize(
        ("thrown", "fields"),
        [
            ({"9D KS": 2, "JC KS": 3}, {}),
            ({"9D KS": 9}, {}),
            ({"9D KS": 3, "JC KS": 3}, {"group": Choice.Group.COMPUTER}),
            ({"9D KS": 3, "JC KS": 3}, {"since": WITHIN - timedelta(days=7)}),
            ({"9D KS": 3, "JC KS": 3}, {"since": WITHIN + timedelta(days=7)}),
        ],
        ids=["too few", "agreed", "computers", "week before", "week after"],
    )
    def test_no_hand_is_chosen_without_a_dispute_among_people_in_that_week(
        self, thrown: dict[str, int], fields: dict[str, object]
    ) -> None:
        self.throw(SIX, thrown, **fields)
        assert disputed.choose(monday=MONDAY) is None

    def test_one_person_who_throws_often_is_one_person(self) -> None:
        self.throw(SIX, {"9D KS": 3, "JC KS": 3}, by=create_guest())
        assert disputed.choose(monday=MONDAY) is None
        spot = self.throw("AC 4D 7H 8S 8C QD", {"AC 4D": 5, "4D QD": 1})
        found = disputed.choose(monday=MONDAY)
        assert found is not None
        assert (found.spot, found.people) == (spot, 6)

    def test_a_week_keeps_its_hand_however_often_the_job_runs(self) -> None:
        self.throw(SIX, {"9D KS": 3, "JC KS": 3})
        first = disputed.choose(monday=MONDAY)
        self.throw("AC 4D 7H 8S 8C QD", {"AC 4D": 9, "4D QD": 9, "7H QD": 9})
        assert disputed.choose(monday=MONDAY) == first
        assert DisputedHand.objects.count() == 1
