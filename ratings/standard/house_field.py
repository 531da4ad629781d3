"""House field: computers of several strengths play each new game, so no field is ever empty."""

from __future__ import annotations

from itertools import permutations

from django.db import transaction

from games.api import bot, computer_of
from ratings.models import Attempt, Play, StandardGame
from ratings.standard.recording import store_simulated_game
from ratings.standard.simulation import SimulatedGame, simulate

TABLES = {
    2: (
        ("grace", "walter"),
        ("walter", "grace"),
        ("nora", "alfie"),
        ("alfie", "nora"),
    ),
    3: tuple(permutations(("walter", "nora", "alfie"))),
}
"""Number of seats -> the players of each table by seat; each sits in each seat equally often."""


def play_field(*, game: StandardGame) -> None:
    """Have the house computers play a game and store their results; idempotent.

    The pool is not locked: games are played outside any transaction, and each is stored in its own.
    """
    tables = TABLES[game.seats]
    for number in range(_stored(game), len(tables)):
        out = simulate([bot(level) for level in tables[number]], game.decks.packs)
        _store(game, number, out)


def _stored(game: StandardGame) -> int:
    """Return the number of a game's tables that are stored; they are stored in order."""
    return Play.objects.filter(standard_game=game, kind=Play.Kind.FIELD).count()


def _store(game: StandardGame, number: int, out: SimulatedGame) -> None:
    """Store the result of one table, unless another process already has."""
    with transaction.atomic():
        StandardGame.objects.select_for_update().get(pk=game.pk)
        if _stored(game) != number:
            return
        play = Play.objects.create(
            standard_game=game, kind=Play.Kind.FIELD, exclusion=Play.Exclusion.FIELD
        )
        Attempt.objects.bulk_create(
            Attempt(
                play=play,
                standard_game=game,
                player=computer_of(level),
                seat=seat,
                computer=True,
            )
            for seat, level in enumerate(TABLES[game.seats][number])
        )
        store_simulated_game(play=play, out=out)
