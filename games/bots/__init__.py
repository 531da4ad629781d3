"""Computer players: they see a View and nothing else.

``from games.bots import get, house, levels``; `games.bots.warm.warm_up` before people come.
"""

from games.bots.player import Player
from games.bots.registry import UnknownPlayer, get, house, levels

__all__ = ["Player", "UnknownPlayer", "get", "house", "levels"]
