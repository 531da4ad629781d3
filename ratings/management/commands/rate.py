"""`manage.py rate`: rates the players in a file of results."""

import os
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from ratings.management.results_file import MalformedError, Table, read_table
from ratings.model.constants import TWO_SEATS, TWO_SEATS_PAR
from ratings.model.fit import fit

BAD_INPUT = 2
"""Exit status when the results cannot be read."""


class Command(BaseCommand):
    """Rates the players in a CSV file with the site's rating model.

    Margins are not clipped, so that the result equals the published reference solution.
    """

    requires_system_checks = ()
    help = "Rate the players of RESULTS.csv; write player,rating,rd."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define RESULTS.csv [--no-par] [--out FILE]."""
        parser.add_argument(
            "results",
            metavar="RESULTS.csv",
            type=Path,
            help="columns t,game,seat0,seat1,score0,score1 and optionally par; others are ignored",
        )
        parser.add_argument("--no-par", action="store_true", help="do not use the column par")
        parser.add_argument(
            "--out", metavar="FILE", type=Path, help="write here, not to standard output"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Write the ratings. Raises CommandError with exit status 2 if reading or writing fails."""
        try:
            table = read_table(options["results"], with_par=not options["no_par"])
        except MalformedError as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
        except (OSError, UnicodeDecodeError) as error:
            message = _("cannot read %(path)s: %(error)s")
            raise _failure(message, options["results"], error) from error
        text = rated(table)
        if options["out"] is None:
            self.stdout.write(text, ending="")
            return
        try:
            write_whole(options["out"], text)
        except OSError as error:
            message = _("cannot write %(path)s: %(error)s")
            raise _failure(message, options["out"], error) from error


def _failure(message: str, path: Path, error: Exception) -> CommandError:
    """Return the error for a file that cannot be read or written."""
    return CommandError(message % {"path": path, "error": error}, returncode=BAD_INPUT)


def rated(table: Table) -> str:
    """Return the ratings of all players in the table as CSV, by player number."""
    constants = TWO_SEATS if table.results.par is None else TWO_SEATS_PAR
    found = fit(table.results, replace(constants, margin_limit=None))
    rows = zip(table.players, found.rating, found.rd, strict=True)
    lines = [f"{player},{rating:.3f},{rd:.3f}\n" for player, rating, rd in rows]
    return "player,rating,rd\n" + "".join(lines)


def write_whole(path: Path, text: str) -> None:
    """Write a file atomically. Raises OSError."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with unfinished.open("x", encoding="utf-8") as file:
            file.write(text)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
