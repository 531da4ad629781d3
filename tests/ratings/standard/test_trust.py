"""What a less trusted player has seen is never dealt to a more trusted one; draws are random."""

from __future__ import annotations

import random
import secrets
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.api import NAMES, computer_of, house
from games.models import Match, Player
from games.people.accounts import create_guest
from ratings.models import Attempt, Play, StandardGame
from ratings.standard import catalogue, trust
from tests.support.standard_tables import people

pytestmark = pytest.mark.django_db

PACKS = [" ".join(NAMES)]
"""The packs of games that nobody plays."""

LEAST_DEPTH = 8

OPEN, CLOSED = StandardGame.State.OPEN, StandardGame.State.CLOSED


def rated(player: Player, number: int, **play: object) -> None:
    """Store finished ranked games of a player, on games that are closed."""
    for _ in range(number):
        game = catalogue.make(seats=2, packs=PACKS, in_background=False)
        match = Match.objects.create(ruleset={}, ranked=True)
        row = Play.objects.create(
            standard_game=game,
            match=match,
            kind=Play.Kind.RANKED,
            **{"finished_at": timezone.now(), **play},
        )
        Attempt.objects.create(play=row, standard_game=game, player=player, seat=0)
        catalogue.close(game=game)


def established(number: int) -> list[Player]:
    start = Player.objects.count()
    found = people(number, start=start)
    for player in found:
        rated(player, trust.PLACEMENT)
    return found


def newcomers(number: int) -> list[Player]:
    return people(number, start=1000 + Player.objects.count())


def guests(number: int) -> list[Player]:
    return [create_guest() for _ in range(number)]


def deal(*players: Player) -> StandardGame:
    """Deal a table a game, as the queue does, and count the play as finished."""
    game = catalogue.choose_game(players=players)
    catalogue.start_match(game=game, players=players, kind=Play.Kind.RANKED)
    game.refresh_from_db()
    catalogue.count_play(game=game)
    game.refresh_from_db()
    return game


def fill(game: StandardGame) -> None:
    """Give a game a full field."""
    game.plays, game.filled_at = catalogue.CLOSES_AT, timezone.now()
    game.save()


class EachPlace(random.Random):
    """A generator that draws each place in turn."""

    def __init__(self) -> None:
        super().__init__()
        self.next, self.places = -1, 1

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        self.places = start
        return self.next

    def choice(self, seq: Any) -> Any:
        return seq[self.randrange(len(seq))]


def each_deal(players: Sequence[Player]) -> list[int]:
    """Return the game that each possible draw deals to a table."""
    places, found = EachPlace(), []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(catalogue, "_random", places)
        while places.next + 1 < places.places:
            places.next += 1
            found.append(catalogue.choose_game(players=players).pk)
    return found


def dealt(players: Sequence[Player]) -> set[int]:
    """Return the games that a table may be dealt."""
    return set(each_deal(players))


class TestLevels:
    def test_a_guest_is_trusted_least_and_an_account_after_ten_rated_games_most(self) -> None:
        (guest,), (account,) = guests(1), newcomers(1)
        assert trust.level_of(guest) == trust.GUEST
        rated(account, trust.PLACEMENT - 1)
        assert trust.level_of(account) == trust.NEWCOMER
        rated(account, 1)
        assert trust.level_of(account) == trust.ESTABLISHED

    @pytest.mark.parametrize(
        "play",
        [{"exclusion": Play.Exclusion.PAIR_CAP}, {"finished_at": None}, {"kind": Play.Kind.LIVE}],
    )
    def test_only_finished_ranked_games_that_count_make_an_account_established(
        self, play: dict[str, object]
    ) -> None:
        (account,) = newcomers(1)
        kind = play.pop("kind", None)
        rated(account, trust.PLACEMENT, **play)
        if kind:
            Play.objects.update(kind=kind)
        assert trust.level_of(account) == trust.NEWCOMER

    def test_a_guest_with_many_games_stays_a_guest(self) -> None:
        (guest,) = guests(1)
        rated(guest, trust.PLACEMENT + 2)
        assert trust.level_of(guest) == trust.GUEST

    def test_an_account_that_plays_day_and_night_is_dealt_games_like_a_guest(self) -> None:
        (account,) = newcomers(1)
        rated(account, trust.A_DAY)
        assert trust.level_of(account) == trust.GUEST
        Match.objects.update(created_at=timezone.now() - timedelta(hours=25))
        assert trust.level_of(account) == trust.ESTABLISHED

    def test_house_computers_change_nothing(self) -> None:
        machine = computer_of(house().name)
        (guest,), (old,) = guests(1), established(1)
        assert trust.table_trust([guest, machine]) == trust.TableTrust(0, 0)
        assert trust.table_trust([old, machine]) == trust.TableTrust(2, 2)


class TestWhoIsDealtWhat:
    def test_what_a_guest_was_dealt_is_dealt_to_nobody_else(self) -> None:
        game = deal(*guests(2))
        assert game.trust == trust.GUEST
        for table in (guests(2), newcomers(2), established(2), [*guests(1), *established(1)]):
            assert game.pk not in dealt(table)

    def test_what_a_newcomer_was_dealt_is_dealt_to_no_established_player(self) -> None:
        game = deal(*newcomers(2))
        assert game.trust == trust.NEWCOMER
        assert game.pk not in dealt(established(2))
        assert game.pk not in dealt([*established(1), *newcomers(1)])
        assert game.pk not in dealt([*established(1), *guests(1)])
        assert dealt(newcomers(2)) == {game.pk}

    def test_established_players_share_games_until_their_field_is_full(self) -> None:
        game = deal(*established(2))
        assert (game.trust, game.state) == (trust.ESTABLISHED, OPEN)
        assert dealt(established(2)) == {game.pk}
        fill(game)
        assert game.pk not in dealt(established(2))

    def test_a_mixed_table_takes_no_game_from_a_field_that_is_not_full(self) -> None:
        game = deal(*established(2))
        assert game.pk not in dealt([*established(1), *guests(1)])
        assert game.pk not in dealt(newcomers(2))

    def test_a_full_field_is_handed_down_to_newcomers_and_then_to_a_guest(self) -> None:
        game = deal(*established(2))
        fill(game)
        new, mixed = newcomers(2), [*established(1), *guests(1)]
        assert dealt(new) == dealt(mixed) == {game.pk}
        assert deal(*new).pk == game.pk
        assert game.pk not in dealt(mixed) | dealt(newcomers(2))
        (guest,) = guests(1)
        machine = computer_of(house().name)
        assert deal(guest, machine).pk == game.pk
        game.refresh_from_db()
        assert (game.trust, game.state) == (trust.GUEST, CLOSED)

    def test_a_mixed_table_of_newcomer_and_guest_takes_what_newcomers_had(self) -> None:
        game = deal(*newcomers(2))
        assert game.pk not in dealt([*newcomers(1), *guests(1)])
        fill(game)
        assert dealt([*newcomers(1), *guests(1)]) == {game.pk}

    def test_an_ordinary_game_of_guests_becomes_a_standard_game_for_nobody(self) -> None:
        two = guests(2)
        game = catalogue.make(seats=2)
        catalogue.reserve(game=game, players=two, kind=Play.Kind.LIVE, match=None)
        game.refresh_from_db()
        assert game.trust == trust.GUEST

    def test_other_purposes_have_no_trust(self) -> None:
        game = catalogue.make(seats=2, purpose=StandardGame.Purpose.CHALLENGE)
        catalogue.reserve(game=game, players=guests(2), kind=Play.Kind.CHALLENGE, match=None)
        game.refresh_from_db()
        assert game.trust == trust.ESTABLISHED


class TestDrawing:
    @pytest.fixture(autouse=True)
    def _deep_pool(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(settings, "RANKED_POOL_DEPTH", LEAST_DEPTH)
        monkeypatch.setattr(catalogue, "DEPTH_PER_PLAY", 0.25)

    def test_the_game_is_drawn_evenly_from_all_open_ones_and_new_places(self) -> None:
        games = [catalogue.make(seats=2) for _ in range(4)]
        StandardGame.objects.update(trust=trust.NEWCOMER)
        table = newcomers(2)
        drawn = Counter(min(pk, games[-1].pk + 1) for pk in each_deal(table))
        # New games have no level yet, so newcomers don't share them until one is dealt.
        assert drawn == {**{game.pk: 1 for game in games}, games[-1].pk + 1: 4}, "of eight places"
        assert isinstance(catalogue._random, secrets.SystemRandom), "each place is drawn evenly"

    def test_the_fullest_games_are_drawn_so_that_fields_fill(self) -> None:
        games = [catalogue.make(seats=2) for _ in range(3 * LEAST_DEPTH)]
        StandardGame.objects.update(trust=trust.NEWCOMER)
        fuller = {game.pk for game in games[-LEAST_DEPTH:]}
        StandardGame.objects.filter(pk__in=fuller).update(plays=5)
        assert dealt(newcomers(2)) == fuller

    def test_a_full_pool_grows_no_further(self) -> None:
        for _ in range(LEAST_DEPTH):
            catalogue.make(seats=2)
        StandardGame.objects.update(trust=trust.NEWCOMER)
        before = StandardGame.objects.count()
        assert len(each_deal(newcomers(2))) == LEAST_DEPTH
        assert StandardGame.objects.count() == before

    def test_the_pool_is_deeper_where_more_is_played_but_within_bounds(self) -> None:
        assert catalogue.pool_depth(0) == LEAST_DEPTH
        assert catalogue.pool_depth(1000) == 250
        assert catalogue.pool_depth(10**9) == catalogue.MAX_DEPTH
        (account,) = newcomers(1)
        rated(account, 3)
        StandardGame.objects.update(trust=trust.NEWCOMER)
        assert catalogue._plays_today(trust.NEWCOMER, 2) == 3
        assert catalogue._plays_today(trust.ESTABLISHED, 2) == 0
        assert catalogue._plays_today(trust.NEWCOMER, 3) == 0

    def test_choosing_a_game_takes_few_queries(
        self, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        table = established(2)
        catalogue.make(seats=2)
        # Ten of these make a new game and its job, if that was drawn.
        with django_assert_max_num_queries(18):
            catalogue.choose_game(players=table)


class TestClosing:
    def test_a_full_game_closes_after_two_days_without_a_less_trusted_table(self) -> None:
        game = deal(*established(2))
        fill(game)
        catalogue.count_play(game=game)
        game.refresh_from_db()
        assert game.state == OPEN
        StandardGame.objects.filter(pk=game.pk).update(
            filled_at=timezone.now() - catalogue.HANDED_DOWN_FOR
        )
        assert catalogue.close_finished() == 1
        game.refresh_from_db()
        assert game.state == CLOSED

    def test_a_game_that_guests_never_finished_closes_too(self) -> None:
        two = guests(2)
        game = catalogue.choose_game(players=two)
        catalogue.start_match(game=game, players=two, kind=Play.Kind.RANKED)
        assert catalogue.close_finished() == 0
        StandardGame.objects.update(made_at=timezone.now() - catalogue.HANDED_DOWN_FOR)
        assert catalogue.close_finished() == 1
