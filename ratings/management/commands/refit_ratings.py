"""`manage.py refit_ratings`: all ratings anew, from all results."""

from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand

from ratings.services.collecting import sweep
from ratings.services.refit import refit


class Command(BaseCommand):
    """Collect what was missed, fit all results, and store the ratings; to be run every night."""

    help = "Fit all ratings anew from all results."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Say what was done."""
        missed = sweep()
        if missed:
            self.stdout.write(f"{missed} missed results collected")
        for seats in (2, 3):
            begun = perf_counter()
            report = refit(seats=seats)
            self.stdout.write(
                f"{seats} seats: {report.plays} results of {report.players} players, "
                f"largest change {report.largest:.2f} Elo, {perf_counter() - begun:.1f} s"
            )
