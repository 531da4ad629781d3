"""Getting ready: tables and compiled loops loaded before the first person waits for them."""

from __future__ import annotations

import os
import sys

from games.analysis.arena import pack, play_game
from games.analysis.par import par
from games.bots.registry import get


def warm_up() -> None:
    """Play a short game of two and of three seats, and a par, by the players that need most.

    Takes half a minute the first time on a machine, while loops are compiled and kept on disk, and
    about a second in each later process. It may run in a thread: the loops let others run.
    """
    ada, grace, walter = get("ada"), get("grace"), get("walter")
    for players in ((ada, grace), (ada, grace, walter)):
        play_game(players, lambda number: pack(1, number), target=61)
    for seats in (2, 3):
        par([pack(1, number) for number in range(1, 60)], seats=seats, times=1)


if __name__ == "__main__":
    # The argument is added to this process's niceness, where the system knows such a thing.
    if sys.argv[1:] and hasattr(os, "nice"):
        os.nice(int(sys.argv[1]))
    warm_up()
