"""``manage.py make_tables``: rebuild the tables of the analysis."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError

from games.analysis import tables

GROUPS = ("strategy", "measures", "habits", "three", "reviews")
NOTES = {
    "throws_2": "how much more often than blindly each role throws two ranks",
    "keeps_2": "how much more often than blindly each role keeps four ranks",
    "keeps_2_club": "the same for each hand of a club player",
    "play_2": "the strategy of the play: check and four chances of 8 bits a slot",
    "pegs_2": "own and other points in the play by role and four ranks, in hundredths",
    "pegs_2_habits": "the same for each hand, if both play by rules of thumb in two plays of five",
    "crib_2": "average crib by the ranks of two cards thrown, the others blind",
    "wins_2": "the dealer's chance to win before a deal, by dealer's and pone's score",
    "spreads_2": "chances of points: pegs of pone and dealer, their hands, the crib",
    "crib_3": "average crib by role and the rank thrown",
    "pegs_3": "own and the others' points in the play by role and four ranks, in hundredths",
    "pegs_3_fine": "the same of each hand, from four times as many plays, for reviews",
    "deals_3": "scores of deals in their order, 32 * role + points",
    "deals_3_fine": "the same of more deals, for reviews",
    "keeps_3_club": "with how many of 200 random fifth cards a club player keeps each hand",
    "spreads_3": "chances of a crib's points",
    "wins_3": "pone's and the next's chance to win, every other score, in 65,535ths",
}


class Command(BaseCommand):
    help = (
        "Rebuild the tables of the analysis: strategy (20 minutes), measures, habits, three seats, "
        "and what reviews of three seats need."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
        parser.add_argument("--into", type=Path, default=tables.FOLDER, metavar="FOLDER")
        parser.add_argument("--rounds", type=int, help="rounds of training, by default 20 million")

    def handle(self, *args: Any, **options: Any) -> None:
        groups = options["groups"] or list(GROUPS)
        unknown = set(groups) - set(GROUPS)
        if unknown:
            raise CommandError(f"no such group: {', '.join(sorted(unknown))}", returncode=2)
        options["into"].mkdir(parents=True, exist_ok=True)
        for group in groups:
            started = process_time()
            made, seed = getattr(self, f"_{group}")(options)
            spent = process_time() - started
            for name, array in made.items():
                path = tables.save(
                    name,
                    array,
                    seed=seed,
                    seconds=spent,
                    note=NOTES[name],
                    folder=options["into"],
                )
                self.stdout.write(f"{path.name}: {path.stat().st_size} bytes")

    def _strategy(self, options: dict[str, Any]) -> tuple[dict[str, tables.Array], int]:
        from games.analysis import build_tables

        throws, keeps, policy = build_tables.train(
            self.stdout.write, options["rounds"] or build_tables.ROUNDS
        )
        return {"throws_2": throws, "keeps_2": keeps, "play_2": policy}, build_tables.SEED

    def _measures(self, options: dict[str, Any]) -> tuple[dict[str, tables.Array], int]:
        from games.analysis import build_tables

        throws, keeps, policy = (
            tables.read(name, options["into"]) for name in ("throws_2", "keeps_2", "play_2")
        )
        pegs = build_tables.measured_pegs(policy, keeps)
        weights = np.asarray(throws, dtype=np.float64)
        scored = build_tables.scored_deals(weights, pegs, policy, build_tables.DEALS)
        return {
            "crib_2": build_tables.blind_cribs(),
            "pegs_2": pegs,
            "wins_2": build_tables.chances_to_win(scored),
            "spreads_2": build_tables.spreads(scored),
        }, build_tables.SEED

    def _habits(self, options: dict[str, Any]) -> tuple[dict[str, tables.Array], int]:
        from games.analysis import build_tables

        keeps, policy = (tables.read(name, options["into"]) for name in ("keeps_2", "play_2"))
        made = build_tables.pegs_with_habits(policy, keeps)
        club = build_tables.club_keeps(tables.read("crib_2", options["into"]))
        return {"pegs_2_habits": made, "keeps_2_club": club}, build_tables.SEED

    def _three(self, options: dict[str, Any]) -> tuple[dict[str, tables.Array], int]:
        from games.analysis import build_tables_three

        return build_tables_three.make(self.stdout.write), build_tables_three.SEED

    def _reviews(self, options: dict[str, Any]) -> tuple[dict[str, tables.Array], int]:
        from games.analysis import build_tables_three

        return build_tables_three.make_fine(self.stdout.write), build_tables_three.SEED
