"""The process that compiles the strongest computers; it ends with the process that started it.

``python -m games.live.compiling NICENESS``, with a pipe as its input.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

from games.bots.warmup import warm_up


def end_with_parent() -> None:
    """End this process when its input is closed, as it is when the process that started it ends."""
    while os.read(0, 1):  # not by sys.stdin, whose lock this thread would hold at the end
        pass
    os._exit(1)


if __name__ == "__main__":
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Ctrl-C ends it at once: within a kernel an interrupt becomes another error.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=end_with_parent, daemon=True).start()
    # The argument is added to this process's niceness, where the system supports it.
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]))
    warm_up()
