"""Which matches belong to which standard games, for lists of matches; all by primary key."""

from __future__ import annotations

from collections.abc import Collection

from ratings.models import Attempt, Play


def numbers_of(matches: Collection[int]) -> dict[int, int]:
    """Return, for those of the matches that belong to a standard game, its number."""
    plays = Play.objects.filter(match__in=matches)
    return dict(plays.values_list("match_id", "standard_game_id"))


def matches_on(*, number: int, player: int) -> set[int]:
    """Return the matches in which a player has played the standard game of a number."""
    own = Attempt.objects.filter(standard_game=number, player=player, computer=False)
    return set(own.filter(play__match__isnull=False).values_list("play__match_id", flat=True))


def same_cards(*, matches: Collection[int], player: int) -> set[int]:
    """Return those of the matches whose standard game a player has played to its end."""
    own = Attempt.objects.filter(player=player, computer=False, play__finished_at__isnull=False)
    plays = Play.objects.filter(match__in=matches, standard_game__in=own.values("standard_game"))
    return set(plays.values_list("match_id", flat=True))
