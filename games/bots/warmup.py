"""Warm-up: loading tables and compiled kernels before the first player needs them."""

from __future__ import annotations

import signal

from games.analysis.arena import pack, play_game
from games.analysis.par import par
from games.analysis.review import preload
from games.bots.registry import get

SEED = 5
"""The game of two seats has a late decision (`games.analysis.endgames.late`), as its test holds."""


def warm_up() -> None:
    """Play short games with two and three seats, rate and review, to load every kernel of the site.

    With Numba, the first run on a machine takes most of a minute and stores the compiled kernels on
    disk; later processes take two seconds. It may run in a thread: the kernels release the GIL.
    """
    load_players()
    for seats in (2, 3):
        par([pack(1, number) for number in range(1, 60)], seats=seats, times=1)
        preload(seats)


def load_players() -> None:
    """Play the short games alone, to load the kernels of computers at tables."""
    ada, expert, club = get("ada"), get("expert"), get("club")
    for players in ((ada, expert), (ada, expert, club)):
        play_game(players, lambda number: pack(SEED, number), target=61)


if __name__ == "__main__":
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Ctrl-C ends it at once: within a kernel an interrupt becomes another error.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    warm_up()
