"""`manage.py seed_demo`: fill a site with computer players and their ranked results."""

from argparse import ArgumentParser
from datetime import timedelta
from random import Random
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone

from games.api import Player
from ratings.services import league
from ratings.services.refit import refit

PUSHED = 150
"""The last results are pushed one by one, so that feeds have something to tell."""
DAYS = 5
"""Daily games that are played."""
EACH_DAY = 8


class Command(BaseCommand):
    """Make computer players of graded skill, and have them play standard games."""

    help = "Fill a site with computer players and ranked results, so that every page has its fill."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How many, and who else takes part."""
        parser.add_argument("--players", type=int, default=200)
        parser.add_argument("--results", type=int, default=2000)
        parser.add_argument("--seed", type=int, default=1, help="of the players' slips")
        parser.add_argument(
            "--also",
            metavar="USERNAME",
            action="append",
            default=[],
            help="an account that takes part as well, played by a computer",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Play, rate, and say how long it took."""
        hurry()
        number, results = options["players"], options["results"]
        if number < 10 or results < 1:
            raise CommandError("at least 10 players and 1 result")
        also = list(Player.objects.filter(username__in=options["also"]))
        if len(also) < len(options["also"]):
            raise CommandError("no account of that name")
        rng = Random(options["seed"])
        begun = perf_counter()
        everybody = league.members(number=number, rng=rng, also=also)
        first = timezone.now() - timedelta(days=45)
        step = timedelta(days=45) / (results + 1)
        for done in range(results):
            seats = 3 if done % 10 == 9 else 2
            sitting = league.table(everybody, seats, rng)
            league.meet(sitting=sitting, at=first + step * (done + 1))
            if done == results - PUSHED:
                for players in (2, 3):
                    refit(seats=players)
            if done > results - PUSHED:
                league.rate()
            if done % 200 == 199:
                self.stdout.write(f"{done + 1} results, {perf_counter() - begun:.0f} s")
        for days in range(DAYS, 0, -1):
            some = rng.sample(everybody, min(EACH_DAY, len(everybody)))
            own = [member for member in everybody if member.player in also]
            league.play_daily(sitting=[*own, *some], days_ago=days)
        for players in (2, 3):
            refit(seats=players)
        self.stdout.write(f"{number} players, {results} results: {perf_counter() - begun:.0f} s")


def hurry() -> None:
    """Let SQLite not wait for the disk at each commit: a loss of power loses made-up games only."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous = NORMAL")
