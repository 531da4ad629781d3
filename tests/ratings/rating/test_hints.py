"""Hints for moderators about pairs and identities: evidence, never proof."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.models import Match, Player
from games.people.accounts import create_guest
from ratings.matchmaking import linked_accounts, networks
from ratings.models import Attempt, Play, Rating
from ratings.rating.identity_hints import handovers, identity_hints, overlaps
from ratings.rating.pair_signals import ALARM_Z, pair_signals, z_of
from ratings.standard import catalogue
from tests.support.standard_tables import people

NOON = datetime(2026, 11, 21, 12, tzinfo=timezone.get_default_timezone())
MINUTE = timedelta(minutes=1)


def test_results_beyond_chance_raise_an_alarm_and_usual_ones_do_not() -> None:
    usual = [(5.0, 217.0, 6.6), (-12.0, 217.0, 6.6), (20.0, 217.0, 6.6), (-3.0, 217.0, 6.6)]
    assert abs(z_of(usual)) < 1
    assert z_of([(28.0, 217.0, 6.6)] * 10) > ALARM_Z
    assert z_of([(28.0, 217.0, 6.6)]) < ALARM_Z, "one game says nothing"


def test_games_one_after_the_other_and_at_once_are_counted() -> None:
    one = [(NOON, NOON + 8 * MINUTE), (NOON + 40 * MINUTE, NOON + 48 * MINUTE)]
    other = [(NOON + 9 * MINUTE, NOON + 17 * MINUTE), (NOON + 41 * MINUTE, NOON + 50 * MINUTE)]
    assert handovers(one, other) == 1
    assert overlaps(one, other) == 1


@pytest.mark.parametrize(("minutes", "counted"), [(10, 1), (11, 0)])
def test_a_game_counts_as_close_within_ten_minutes(minutes: int, counted: int) -> None:
    later = NOON + minutes * MINUTE
    assert handovers([(NOON - 8 * MINUTE, NOON)], [(later, later + 8 * MINUTE)]) == counted


def store(one: Player, other: Player, margin: float, at: datetime) -> None:
    """Store a ranked result on a game that three other tables played evenly."""
    game = catalogue.make(seats=2)
    for number in range(4):
        match = Match.objects.create(ruleset={}, started_at=at)
        play = Play.objects.create(
            standard_game=game, match=match, kind=Play.Kind.RANKED, finished_at=at + 8 * MINUTE
        )
        table = (one, other) if not number else people(2, start=Player.objects.count() + 50)
        for seat, player in enumerate(table):
            got = (margin if not number else 0.0) * (1 - 2 * seat)
            Attempt.objects.create(
                play=play, standard_game=game, player=player, seat=seat, counted=got
            )


@pytest.mark.django_db
class TestStored:
    def test_somebody_who_loses_oddly_to_one_opponent_stands_out(self) -> None:
        ann, bob, cat = people(3)
        for number in range(6):
            store(ann, bob, 30.0, NOON + number * 60 * MINUTE)
            store(ann, cat, 2.0, NOON + (number * 60 + 30) * MINUTE)
        first, second = pair_signals(player=ann)
        assert (first.other, first.games, first.alarming) == (bob, 6, True)
        assert first.mean == pytest.approx(30.0)
        assert (second.other, second.alarming) == (cat, False)

    def test_guests_count_as_one_opponent(self) -> None:
        (ann,) = people(1)
        for number in range(5):
            store(ann, create_guest(), 30.0, NOON + number * 60 * MINUTE)
        (signal,) = pair_signals(player=ann)
        assert (signal.other, signal.games, signal.alarming) == (None, 5, True)

    def test_what_two_identities_have_in_common_is_listed(
        self, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        ann, bob, cat = people(3)
        for player in (ann, bob):
            linked_accounts.record_device(player=player, token="x")
        for player in (ann, cat):
            networks.record_network(player=player, address="81.2.69.10")
        store(ann, people(1, start=20)[0], 0.0, NOON)
        store(cat, people(1, start=21)[0], 0.0, NOON + 10 * MINUTE)
        with django_assert_num_queries(4):
            first, second = identity_hints(player=ann)
        assert (first.other, first.devices, first.networks) == (bob, 1, 0)
        assert (second.other, second.devices, second.networks) == (cat, 0, 1)
        assert (second.handovers, second.overlaps) == (1, 0)

    def test_the_admin_shows_them_as_evidence(self) -> None:
        ann, bob = people(2)
        for number in range(6):
            store(ann, bob, 30.0, NOON + number * 60 * MINUTE)
        for player in (ann, bob):
            networks.record_network(player=player, address="81.2.69.10")
        row = Rating.objects.create(
            player=ann, seats=2, skill=0.0, rating=1500.0, rd=30.0, floor=1470.0,
            provisional=False, results=6, constants="x",
        )  # fmt: skip
        keeper = Client()
        keeper.force_login(Player.objects.create_superuser("Keeper", password="x"))
        page = keeper.get(f"/admin/ratings/rating/{row.pk}/change/").content.decode()
        assert f"{bob.name}: 6 games, +30.0 unexplained points each" in page
        assert f"{bob.name}: 0 browsers, 1 networks shared" in page
        assert "proof: families" in page
        assert "honest pairs look like this." in page
