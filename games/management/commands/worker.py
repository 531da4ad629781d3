"""``manage.py worker``: run the jobs of the site."""

import os
import signal
import sys
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.cluster import announce
from games.jobs.backend import QUEUES
from games.jobs.worker import Worker, work_off
from games.ops import ignored_signals

LOW_PRIORITY = 10
"""Niceness of an embedded worker: the tables come first."""

TOO_SLOW = 75
"""Exit status after a job that exceeded its limit; the process that started it restarts it."""


class Command(BaseCommand):
    help = "Run jobs until stopped. Any number of workers, on any machine, share them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--queues", default=",".join(QUEUES), help="comma-separated (%(default)s)"
        )
        parser.add_argument("--once", action="store_true", help="run what is due, and exit")
        parser.add_argument(
            "--embedded",
            action="store_true",
            help="started by a process of the site: tell it of changes, and end when it ends",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        queues = [each.strip() for each in options["queues"].split(",") if each.strip()]
        unknown = [each for each in queues if each not in QUEUES]
        if unknown or not queues:
            raise CommandError(
                f"--queues: {', '.join(unknown) or 'none named'}; there are {', '.join(QUEUES)}",
                returncode=2,
            )
        if options["once"]:
            self.stdout.write(f"{work_off(queues)} jobs run")
            return
        worker = Worker(queues)
        hangup = [signal.SIGHUP] if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL else []
        for number in (signal.SIGTERM, signal.SIGINT, *hangup):  # `nohup` ignores the last
            # In a thread: an event must not be set while this thread may hold its lock.
            signal.signal(number, lambda *_: threading.Thread(target=worker.stop).start())
        ignored_signals.ignore()
        if options["embedded"]:
            self._serve_parent(worker)
        worker.run(kill=lambda: os._exit(TOO_SLOW))

    @staticmethod
    def _serve_parent(worker: Worker) -> None:
        """Tell the parent of changed tables on standard output, and stop at its end."""
        os.nice(LOW_PRIORITY)
        lock = threading.Lock()

        def tell(channel: str, message: str) -> None:
            with lock:
                sys.stdout.write(f"{channel} {message}\n")
                sys.stdout.flush()

        def wait_for_end() -> None:
            sys.stdin.read()
            worker.stop()

        announce.listen(tell)
        threading.Thread(target=wait_for_end, name="parent", daemon=True).start()
