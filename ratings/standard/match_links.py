"""Links between matches and standard games, for lists of matches; all take primary keys."""

from __future__ import annotations

from collections.abc import Collection

from games.api import StandardPlay
from ratings.models import Attempt, Play


def plays_of(matches: Collection[int]) -> dict[int, StandardPlay]:
    """Return the standard game of each match that has one, and how its table came about."""
    rows = Play.objects.filter(match__in=matches)
    return {
        match: StandardPlay(number, str(Play.Kind(kind).label))
        for match, number, kind in rows.values_list("match_id", "standard_game_id", "kind")
    }


def matches_on(*, number: int, player: int) -> set[int]:
    """Return the matches in which a player has played a standard game."""
    own = Attempt.objects.filter(standard_game=number, player=player, computer=False)
    return set(own.filter(play__match__isnull=False).values_list("play__match_id", flat=True))


def same_cards(*, matches: Collection[int], player: int) -> set[int]:
    """Return the matches among these whose standard game a player has finished."""
    own = Attempt.objects.filter(player=player, computer=False, play__finished_at__isnull=False)
    plays = Play.objects.filter(match__in=matches, standard_game__in=own.values("standard_game"))
    return set(plays.values_list("match_id", flat=True))
