"""The process in which the strongest computers decide: see `games.live.search_process`.

``python -m games.live.searching NICENESS``; input: pickled pairs of level and view. Output: a byte
once it is ready, then for each pair a byte with the number of cards, and a byte for each card.
What else this process prints goes to its standard error.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from queue import SimpleQueue
from typing import BinaryIO

from games.bots.warmup import load_players
from games.engine.view import View
from games.live import computers

READY = b"\n"

Requests = SimpleQueue[tuple[str, View]]


def answer(level: str, view: View) -> bytes:
    """Return the cards that a computer chooses, after their number; 0 if it fails.

    The site then asks it again in a thread, and logs the failure without naming cards.
    """
    try:
        cards = computers.choose(level, view)
        return bytes((len(cards), *cards))
    except Exception:
        return b"\0"


def _receive(source: BinaryIO, requests: Requests) -> None:
    """Read requests until the other end closes; then end this process, whatever it is doing."""
    try:
        while True:
            requests.put(pickle.load(source))  # noqa: S301 - from the process that started this one
    finally:
        os._exit(0)


def main() -> None:
    """Answer until the input is closed."""
    # A terminal or systemd sends these to all processes. The site decides when to stop.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]))
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # a library that printed something there would shift the answers
    requests = Requests()
    threading.Thread(target=_receive, args=(sys.stdin.buffer, requests), daemon=True).start()
    load_players()
    said = READY
    while True:
        answers.write(said)
        said = answer(*requests.get())


if __name__ == "__main__":
    main()
