"""The field before anybody: house computers of several strengths play each new game."""

from __future__ import annotations

from itertools import permutations

from django.db import transaction

from games.api import bot, computer_of, record_match
from ratings.models import Attempt, Play, StandardGame
from ratings.services import locks
from ratings.services.filling import fill_in
from ratings.services.playing import play_out

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
    """Have the house computers play a game and collect their results; twice is once."""
    tables = [
        (levels, *play_out([bot(level) for level in levels], game.decks.packs))
        for levels in TABLES[game.seats]
    ]
    with transaction.atomic():
        locks.hold(locks.POOL)
        if Attempt.objects.filter(standard_game=game, play__kind=Play.Kind.FIELD).exists():
            return
        for levels, ruleset, moves in tables:
            players = [computer_of(level) for level in levels]
            match = record_match(players=players, ruleset=ruleset, moves=moves, decks=game.decks)
            play = Play.objects.create(
                standard_game=game,
                match=match,
                kind=Play.Kind.FIELD,
                exclusion=Play.Exclusion.FIELD,
            )
            Attempt.objects.bulk_create(
                Attempt(play=play, standard_game=game, player=player, seat=seat, computer=True)
                for seat, player in enumerate(players)
            )
            fill_in(play=play)
