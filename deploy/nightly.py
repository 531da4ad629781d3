"""The nightly backup. The worker does all other work of the night.

    python deploy/nightly.py                        make it once: for systemd's timer
    python deploy/nightly.py --every-night 04:10    make it each night: for compose

The time is UTC. With --every-night one is also made at the start if the newest is older than a
day. The exit status is 1 if it fails.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent
BACKUPS = Path("/var/lib/cribbage/backups")
DAY = timedelta(days=1)

LOOK_EVERY = 30.0
"""Seconds between two looks at the clock, since it may be set in between."""


def run(backups: Path) -> int:
    """Make the backup; return 1 if it failed."""
    command = [sys.executable, "deploy/backup.py", "save", str(backups)]
    if subprocess.run(command, cwd=BASE, check=False).returncode:  # noqa: S603 - fixed words
        print("nightly: the backup failed", file=sys.stderr, flush=True)
        return 1
    return 0


def next_night(after: datetime, at: time_of_day) -> datetime:
    """Return the first moment after another at which it is that time of day, in UTC."""
    today = datetime.combine(after.date(), at, UTC)
    return today if today > after else today + DAY


def is_missed(backups: Path, now: datetime) -> bool:
    """Return whether the newest backup is older than a day, or there is none."""
    whole = (file for file in backups.glob("cribbage-*") if file.suffix != ".part")
    newest = max((file.stat().st_mtime for file in whole), default=0.0)
    return datetime.fromtimestamp(newest, UTC) < now - DAY


def run_every_night(backups: Path, at: time_of_day) -> None:
    """Make the backup each night until the process is stopped."""
    if is_missed(backups, datetime.now(UTC)):
        run(backups)
    while True:
        then = next_night(datetime.now(UTC), at)
        while datetime.now(UTC) < then:
            time.sleep(LOOK_EVERY)
        run(backups)


def main(arguments: list[str]) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--backups", type=Path, default=BACKUPS)
    parser.add_argument("--every-night", type=time_of_day.fromisoformat, metavar="HH:MM")
    options = parser.parse_args(arguments)
    if options.every_night is None:
        return run(options.backups)
    # As the first process of a container it would otherwise ignore the signal.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    run_every_night(options.backups, options.every_night)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
