"""``manage.py doctor``: check the installation and print advice."""

import logging
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.doctor import examine


class Command(BaseCommand):
    """The doctor command; it exits with status 1 if a check fails, but not for advice."""

    help = (
        "Check database, clock, workers, jobs, Redis, secret key, names, files, tables and kernels."
    )
    # The command must also run on a broken installation.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the option for an installation that is not started yet."""
        parser.add_argument(
            "--before-start", action="store_true", help="do not ask for workers, which start later"
        )

    def handle(self, *_args: Any, before_start: bool, **_options: Any) -> None:
        """Print a line for each part that is checked, followed by any advice."""
        # The finding below reports a failing connection once; silence the pool's retries.
        logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
        failed = 0
        for finding in examine(before_start=before_start):
            mark = "FAIL" if finding.is_problem else ("note" if finding.advice else "ok  ")
            self.stdout.write(f"{mark} {finding.part}: {finding.state}")
            if finding.advice:
                self.stdout.write(f"     {finding.advice}")
            failed += finding.is_problem
        if failed:
            raise CommandError(f"Problems to fix before anyone can play: {failed}")
