"""The registry of computer players by name."""

from __future__ import annotations

from functools import cache

from games.bots.beginner_bots import Alfie, Elsie, Nora, Poppy
from games.bots.club_bot import Walter
from games.bots.player import Player
from games.bots.strong_bots import Ada, FastHouse, Grace, House, SolvedAda
from games.bots.yardsticks import Club, Expert, Keen, Novice, Plain

ALIASES = {"beginner": "poppy", "strongest": "ada"}
"""Alias -> name of the player."""


class UnknownPlayer(LookupError):
    """No computer player has this name; the message quotes it and lists the known ones."""


@cache
def levels() -> tuple[Player, ...]:
    """Return the levels that people can choose, weakest first."""
    return (Poppy(), Elsie(), Alfie(), Nora(), Walter(), Grace(), Ada())


@cache
def _for_the_arena() -> tuple[Player, ...]:
    return (Novice(), Plain(), Keen(), Club(), Expert(), SolvedAda())


@cache
def _houses() -> dict[int, tuple[Player, Player]]:
    return {1: (House(), FastHouse())}


LATEST_HOUSE = 1
"""The version used for new standard games."""


def house(version: int = LATEST_HOUSE, *, fast: bool = False) -> Player:
    """Return a version of the house computer, or its fast variant.

    Raises:
        UnknownPlayer: if the version does not exist.
    """
    found = _houses().get(version)
    if found is None:
        known = ", ".join(map(str, _houses()))
        raise UnknownPlayer(f"no house computer has version {version}; known versions: {known}")
    return found[int(fast)]


def get(name: str) -> Player:
    """Return the player with this name or alias; case is ignored.

    It also accepts "house" and "house-fast", which mean their latest version, the yardsticks and
    "ada-solved".

    Raises:
        UnknownPlayer: if no player has this name.
    """
    wanted = ALIASES.get(name.lower(), name.lower())
    for player in (*levels(), house(), house(fast=True), *_for_the_arena()):
        if player.name == wanted:
            return player
    known = ", ".join(player.name for player in levels())
    raise UnknownPlayer(f"no computer player is called {name!r}; known players: {known}")
