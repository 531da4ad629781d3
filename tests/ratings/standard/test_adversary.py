"""The simulation of `make bench-fair` deals like the site, and its cheat gains nothing from it."""

from __future__ import annotations

from random import Random

import pytest
from django.conf import settings

from benchmarks.adversary.pools import Game, Pool
from benchmarks.adversary.traffic import Case, simulate
from games.models import Player
from games.people.accounts import create_guest
from ratings.models import Attempt, Play, StandardGame
from ratings.standard import catalogue, trust
from tests.support.standard_tables import people


@pytest.mark.django_db
def test_the_simulated_pool_offers_the_same_games_as_the_database(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = Random(4)
    monkeypatch.setattr(settings, "RANKED_POOL_DEPTH", 100)
    levels = {player.pk: 1 + number // 3 for number, player in enumerate(people(6))}
    crowd = [*Player.objects.order_by("pk"), create_guest(), create_guest()]
    monkeypatch.setattr(trust, "level_of", lambda player: levels.get(player.pk, trust.GUEST))
    pool = Pool(rng)
    for number in range(1, 26):
        game = catalogue.make(seats=2)
        dealt = [player for player in crowd if rng.random() < 0.15]
        plays = rng.choice([0, 3, catalogue.CLOSES_AT])
        level = min((levels.get(player.pk, 0) for player in dealt), default=trust.ESTABLISHED)
        StandardGame.objects.filter(pk=game.pk).update(plays=plays, trust=level)
        for player in dealt:
            play = Play.objects.create(standard_game=game, kind=Play.Kind.RANKED)
            Attempt.objects.create(play=play, standard_game=game, player=player, seat=0)
        pool.open[game.pk] = Game(game.pk, level, {player.pk for player in dealt}, plays)
        assert game.pk == min(StandardGame.objects.values_list("pk", flat=True)) + number - 1
    for _ in range(40):
        table = rng.sample(crowd, 2)
        asked: list[list[int]] = []

        def draw(pks: list[int], depth: int, rng: Random, asked=asked) -> int:  # type: ignore[no-untyped-def]
            asked.append(sorted(pks))
            return min(pool.open)

        full: list[int] = []
        monkeypatch.setattr(catalogue, "draw", draw)
        monkeypatch.setattr(
            catalogue._random, "choice", lambda pks, full=full: full.extend(pks) or pks[0]
        )
        StandardGame.objects.exclude(pk__in=pool.open).delete()  # new ones that nobody was dealt
        catalogue.choose_game(players=table)
        known = {player.pk for player in table}
        wanted_full, wanted_shared = pool.candidates(known, trust.table_trust(table))
        assert sorted(full) == sorted(wanted_full)
        if not full and trust.table_trust(table).shares:
            assert asked == [sorted(wanted_shared)]


@pytest.mark.parametrize("main", [trust.GUEST, trust.NEWCOMER, trust.ESTABLISHED])
def test_games_played_ahead_by_guests_are_never_dealt_to_another_identity(main: int) -> None:
    case = Case(honest=20, pace=1.0, main=main, seen=False, days=1.5)
    before, now = (simulate(case, Random(1), old=old) for old in (True, False))
    assert before.share > 0.7
    assert (now.games, now.known) == (before.games, 0)
