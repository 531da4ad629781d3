"""`manage.py refit_ratings`: recomputes all ratings from all results."""

from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand

from ratings.rating.refit import refit
from ratings.rating.results import collect_missed
from ratings.standard.catalogue import close_finished


class Command(BaseCommand):
    """Collects results, closes games, fits all results, stores the ratings; run it every night."""

    help = "Recompute all ratings from all results."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Refit both numbers of seats and print a summary."""
        missed = collect_missed()
        if missed:
            self.stdout.write(f"{missed} missed results collected")
        close_finished()
        for seats in (2, 3):
            started = perf_counter()
            report = refit(seats=seats)
            self.stdout.write(
                f"{seats} seats: {report.plays} results of {report.players} players, "
                f"largest change {report.largest:.2f} Elo, {perf_counter() - started:.1f} s"
            )
