"""``manage.py measure_matches``: measure finished matches that have not been measured."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand

from games.archive.measuring import measure, unmeasured


class Command(BaseCommand):
    help = "Measure finished matches that a crashed process left unmeasured."

    def handle(self, *args: Any, **options: Any) -> None:
        done = 0
        while found := unmeasured(over_for=timedelta()):
            for match in found:
                done += measure(match=match)
        self.stdout.write(f"{done} matches measured")
