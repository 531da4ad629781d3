"""The field before anybody: house computers of several strengths play each new game."""

from __future__ import annotations

from itertools import permutations

from django.db import transaction

from games.api import bot, computer_of
from ratings.models import Attempt, Play, StandardGame
from ratings.services.playing import PlayedOut, play_out
from ratings.services.recording import record

TABLES = {
    2: (
        ("grace", "walter"),
        ("walter", "grace"),
        ("nora", "alfie"),
        ("alfie", "nora"),
    ),
    3: tuple(permutations(("walter", "nora", "alfie"))),
}
"""Who sits where, for each number of seats: everybody in every seat equally often."""


def play_field(*, game: StandardGame) -> None:
    """Have the house computers play a game and collect their results; twice is once.

    Nobody who wants to be seated waits for it: the pool's lock is left alone, games are played
    outside of any transaction, and each is stored by itself.
    """
    tables = TABLES[game.seats]
    for number in range(_stored(game), len(tables)):
        out = play_out([bot(level) for level in tables[number]], game.decks.packs)
        _store(game, number, out)


def _stored(game: StandardGame) -> int:
    """Return how many of a game's tables are stored; they are stored in their order."""
    return Play.objects.filter(standard_game=game, kind=Play.Kind.FIELD).count()


def _store(game: StandardGame, number: int, out: PlayedOut) -> None:
    """Store what one table made of a game, unless somebody else has done so meanwhile."""
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
        record(play=play, out=out)
