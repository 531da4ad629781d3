"""`manage.py doctor`: looks at what the site needs, and says what to do."""

import logging
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.doctor import examine


class Command(BaseCommand):
    """Exit status 1 where something is ill; advice alone does not make it so."""

    help = "Look at database, migrations, clock, Redis, secret key, names, files and tables."
    # A site that is ill shall be examined all the same.
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Say what was found, one line for each part, and what to do below it."""
        # What the pool tries again and again is said once, below.
        logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
        ill = 0
        for finding in examine():
            mark = "ILL " if finding.ill else ("note" if finding.advice else "ok  ")
            self.stdout.write(f"{mark} {finding.part}: {finding.state}")
            if finding.advice:
                self.stdout.write(f"     {finding.advice}")
            ill += finding.ill
        if ill:
            raise CommandError(f"{ill} of these have to be mended before people play.")
