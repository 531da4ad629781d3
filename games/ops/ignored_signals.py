"""Signals that the processes of the site ignore: scripts that rotate logs send them by mistake."""

from __future__ import annotations

import signal

SIGNALS = (signal.SIGUSR1, signal.SIGUSR2)
"""By default they end a process at once; other servers open their log files again.

The site's processes log to standard error, so there is nothing to do.
"""


def ignore() -> None:
    """Ignore these signals, unless a library handles them; processes started later do the same."""
    for number in SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.SIG_IGN)
