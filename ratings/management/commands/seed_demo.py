"""`manage.py seed_demo`: fills a site with computer players and ranked results."""

from argparse import ArgumentParser
from datetime import timedelta
from random import Random
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone

from games.api import Player
from ratings.rating import league
from ratings.rating.refit import refit
from ratings.standard import daily

PUSHED = 150
"""Number of final results that are rated one by one, so that feeds have items."""
DAYS = 5
"""Number of past daily games to play."""
EACH_DAY = 8


class Command(BaseCommand):
    """Creates computer players of graded skill and has them play standard games."""

    help = "Fill a site with computer players and ranked results, so that no page is empty."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the numbers of players and results, the seed, and accounts to include."""
        parser.add_argument("--players", type=int, default=200)
        parser.add_argument("--results", type=int, default=2000)
        parser.add_argument("--seed", type=int, default=1, help="seed of the players' slips")
        parser.add_argument(
            "--also",
            metavar="USERNAME",
            action="append",
            default=[],
            help="an account that also takes part, played by a computer",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Play and rate the games, and print the progress."""
        hurry()
        number, results = options["players"], options["results"]
        if number < 10 or results < 1:
            raise CommandError("needs at least 10 players and 1 result")
        also = list(Player.objects.filter(username__in=options["also"]))
        if len(also) < len(options["also"]):
            raise CommandError("no account with that name")
        rng = Random(options["seed"])
        started = perf_counter()
        members = league.members(number=number, rng=rng, also=also)
        first = timezone.now() - timedelta(days=45)
        step = timedelta(days=45) / (results + 1)
        for done in range(results):
            seats = 3 if done % 10 == 9 else 2
            sitting = league.draw_table(members, seats, rng)
            league.play_ranked(sitting=sitting, at=first + step * (done + 1))
            if done == results - PUSHED:
                for players in (2, 3):
                    refit(seats=players)
            if done > results - PUSHED:
                league.rate_pending()
            if done % 200 == 199:
                self.stdout.write(f"{done + 1} results, {perf_counter() - started:.0f} s")
        for days in range(DAYS, 0, -1):
            some = rng.sample(members, min(EACH_DAY, len(members)))
            own = [member for member in members if member.player in also]
            league.play_daily(sitting=[*own, *some], days_ago=days)
        daily.close_past(before=daily.today())
        for players in (2, 3):
            refit(seats=players)
        self.stdout.write(f"{number} players, {results} results: {perf_counter() - started:.0f} s")


def hurry() -> None:
    """Disable SQLite's wait for the disk at each commit; a power cut loses demo data only."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous = NORMAL")
