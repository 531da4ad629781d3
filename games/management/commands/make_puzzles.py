"""The ``make_puzzles`` command: make the file of rated puzzles from simulated games."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.learn import puzzle_file, puzzle_making


class Command(BaseCommand):
    help = "Make rated puzzles from simulated games; the same seed makes the same puzzles."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--number", type=int, default=10_000, help="Candidates.")
        parser.add_argument("--seed", type=int, default=16)
        parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
        parser.add_argument("--add", action="store_true", help="Keep the puzzles of the file.")
        parser.add_argument(
            "--check",
            action="store_true",
            help="Make none: drop those of the file that have no clear answer any more.",
        )
        parser.add_argument("--path", type=Path, default=puzzle_file.PATH)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["number"] < 1 or options["processes"] < 1:
            raise CommandError("--number and --processes must be at least 1", returncode=2)
        if (options["add"] or options["check"]) and not options["path"].is_file():
            raise CommandError(f"{options['path']} is not there", returncode=2)
        started = monotonic()
        kept = options["add"] or options["check"]
        made = list(puzzle_file.read(options["path"])) if kept else []
        if options["check"]:
            made = list(puzzle_making.check(made, processes=options["processes"]))
        else:
            self._make(made, options, started)
        size = puzzle_file.write(made, options["path"])
        seconds = monotonic() - started
        self.stdout.write(f"{len(made)} puzzles in {seconds:.0f} s, {size / 1000:.0f} kB")
        for count in (Counter(one.kind for one in made), Counter(one.theme for one in made)):
            self.stdout.write(", ".join(f"{name} {n}" for name, n in count.most_common()))

    def _make(
        self, made: list[puzzle_making.Made], options: dict[str, Any], started: float
    ) -> None:
        """Add new puzzles to a list."""
        known = {one.position for one in made}
        for one in puzzle_making.make(
            options["number"], seed=options["seed"], processes=options["processes"]
        ):
            if one.position in known:
                continue
            made.append(one)
            if len(made) % 500 == 0:
                self.stderr.write(f"{len(made)} after {monotonic() - started:.0f} s")
