"""Computer players; each decides from a View only.

Use ``from games.bots import get, house, levels``; call `games.bots.warmup.warm_up` at startup.
"""

from games.bots.player import Player
from games.bots.registry import UnknownPlayer, get, house, levels

__all__ = ["Player", "UnknownPlayer", "get", "house", "levels"]
