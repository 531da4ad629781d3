"""Computer players by name."""

from __future__ import annotations

from functools import cache

from games.bots.club import Walter
from games.bots.experts import Ada, FastHouse, Grace, House
from games.bots.learners import Alfie, Nora, Poppy
from games.bots.player import Player

ALIASES = {"beginner": "poppy", "club": "walter", "strongest": "ada"}
"""What a level is, besides its name."""


class UnknownPlayer(LookupError):
    """No computer player has this name; the message quotes it and lists those there are."""


@cache
def levels() -> tuple[Player, ...]:
    """Return the levels that people can choose, weakest first."""
    return (Poppy(), Alfie(), Nora(), Walter(), Grace(), Ada())


@cache
def _houses() -> dict[int, tuple[Player, Player]]:
    return {1: (House(), FastHouse())}


LATEST_HOUSE = 1
"""The version that new standard games meet."""


def house(version: int = LATEST_HOUSE, *, fast: bool = False) -> Player:
    """Return the house computer of a version, or its fast variant.

    Raises:
        UnknownPlayer: if there is no such version.
    """
    found = _houses().get(version)
    if found is None:
        known = ", ".join(map(str, _houses()))
        raise UnknownPlayer(f"no house computer has version {version}; there are {known}")
    return found[int(fast)]


def get(name: str) -> Player:
    """Return the player called ``name``, or known as that alias; case does not matter.

    Besides the levels: "house" and "house-fast", in the latest version.

    Raises:
        UnknownPlayer: if nobody is called that.
    """
    wanted = ALIASES.get(name.lower(), name.lower())
    for player in (*levels(), house(), house(fast=True)):
        if player.name == wanted:
            return player
    known = ", ".join(player.name for player in levels())
    raise UnknownPlayer(f"no computer player is called {name!r}; there are {known}")
