"""Levels of trust, by how much work a new identity takes; they decide who is dealt which game.

Anyone can get a new guest with one click and learn a game's cards from it. So a game that was dealt
at one level is never dealt at a higher one, and a game that a guest was dealt is never dealt again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from games.api import Player
from ratings.models import Attempt, Play
from ratings.standard.identities import is_house

GUEST = 0
"""Guests, and accounts that have played more than `A_DAY` ranked games today."""
NEWCOMER = 1
"""Accounts with fewer than `PLACEMENT` rated games."""
ESTABLISHED = 2

PLACEMENT = 10
"""Finished ranked games that count, after which an account is established."""
A_DAY = 40
"""Ranked games in 24 hours after which an account is dealt games like a guest, so that it cannot
learn the cards of many games for another identity."""


@dataclass(frozen=True, slots=True)
class TableTrust:
    """The trust of the people at a table: the level of the least and of the most trusted."""

    least: int
    most: int

    @property
    def shares(self) -> bool:
        """Whether others of this level may be dealt the table's game afterwards."""
        return self.least == self.most != GUEST

    @property
    def lowest_full(self) -> int:
        """The lowest trust of a game with a full field that is handed down to the table.

        Each step down must lower the game's trust, so no game is handed down without end.
        """
        return max(self.most, self.least + 1)


def table_trust(players: Sequence[Player]) -> TableTrust:
    """Return the trust of a table; house computers don't count. Takes two queries per account."""
    levels = [level_of(player) for player in players if not is_house(player)]
    return TableTrust(min(levels, default=ESTABLISHED), max(levels, default=ESTABLISHED))


def level_of(player: Player) -> int:
    """Return the level of trust of one player."""
    if player.is_computer:
        return ESTABLISHED
    if player.is_guest:
        return GUEST
    ranked = Attempt.objects.filter(player=player, computer=False, play__kind=Play.Kind.RANKED)
    recent = ranked.filter(play__match__created_at__gt=timezone.now() - timedelta(days=1))
    if recent[:A_DAY].count() == A_DAY:
        return GUEST
    rated = ranked.filter(play__finished_at__isnull=False, play__exclusion=Play.Exclusion.NONE)
    return ESTABLISHED if rated[:PLACEMENT].count() == PLACEMENT else NEWCOMER
