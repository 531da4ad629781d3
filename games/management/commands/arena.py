"""``manage.py arena``: matches between computer players on mirrored deals."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from time import process_time
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.analysis.arena import Record, pack, play_game
from games.analysis.win_counts import TrialStats
from games.bots import Player, UnknownPlayer, get, levels
from games.engine.state import GameResult
from games.management.commands._external import External, Forfeit

CHUNK = 25
"""Mirrored rounds per job of a worker process."""
STRIDE = 1_000_003
"""Distance between seeds, so that different seeds share no packs."""


class Command(BaseCommand):
    help = "Play computer players against each other, each deal from every seat."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("players", nargs="*", metavar="PLAYER", help="two names from --list")
        parser.add_argument("--pairs", type=int, default=1000, help="mirrored rounds of games")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--seats", type=int, choices=(2, 3), default=2)
        parser.add_argument("--target", type=int, choices=(121, 61), default=121)
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--list", action="store_true", help="print the levels, weakest first")
        parser.add_argument("--external", metavar="COMMAND", help="a program instead of a name")
        parser.add_argument("--limit", type=float, default=10.0, help="seconds for its decisions")
        parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["list"]:
            for player in levels():
                self.stdout.write(f"{player.name:8} {player.description}")
            return
        names = list(options["players"])
        if options["external"]:
            names.insert(0, "external")
        if len(names) != 2:
            raise CommandError("give two names, or one name and --external", returncode=2)
        if options["pairs"] < 1:
            raise CommandError(f"--pairs must be at least 1, not {options['pairs']}", returncode=2)
        for name in names[1:] if options["external"] else names:
            try:
                get(name)
            except UnknownPlayer as problem:
                raise CommandError(str(problem), returncode=2) from problem
        stats, forfeits = self._trial(names, options)
        report = stats.to_dict(names)
        report["seed"] = options["seed"]
        report["forfeits"] = forfeits
        self.stdout.write(json.dumps(report) if options["json"] else _table(report))

    def _trial(self, names: Sequence[str], options: dict[str, Any]) -> tuple[TrialStats, list[str]]:
        chunks = list(_chunks(options["pairs"]))
        job = partial(
            run_chunk,
            names=tuple(names),
            seats=options["seats"],
            seed=options["seed"],
            target=options["target"],
            external=options["external"],
            limit=options["limit"],
        )
        stats, forfeits = TrialStats(options["seats"]), []
        workers = max(1, min(options["workers"], len(chunks)))
        if workers == 1:
            results: Iterator[tuple[TrialStats, list[str]]] = map(job, chunks)
            for part, lost in results:
                stats.merge(part)
                forfeits += lost
            return stats, forfeits
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            for part, lost in pool.map(job, chunks):
                stats.merge(part)
                forfeits += lost
        return stats, forfeits


def _chunks(rounds: int) -> Iterator[range]:
    for begin in range(0, rounds, CHUNK):
        yield range(begin, min(rounds, begin + CHUNK))


def run_chunk(
    rounds: range,
    *,
    names: tuple[str, ...],
    seats: int,
    seed: int,
    target: int,
    external: str | None,
    limit: float,
) -> tuple[TrialStats, list[str]]:
    """Play some mirrored rounds in this process; return their statistics and forfeits."""
    program = External(external, limit) if external else None
    first: Player = program or get(names[0])
    other = get(names[1])
    stats, forfeits = TrialStats(seats), []
    try:
        for number in rounds:
            records: list[Record] = []
            for place in range(seats):
                if place and first is other:
                    # A player against itself plays the same game from every seat.
                    records.append(records[0])
                    continue
                players = [other] * seats
                players[place] = first
                packs = partial(pack, seed * STRIDE + number)
                try:
                    record = play_game(players, packs, target=target, clock=process_time)
                except Forfeit as problem:
                    forfeits.append(f"game {number}, seat {place}: {problem}")
                    record = _forfeited(place, seats)
                    if program is not None:
                        program.close()
                records.append(record)
            stats.add_round(records)
    finally:
        if program is not None:
            program.close()
    return stats, forfeits


def _forfeited(place: int, seats: int) -> Record:
    winner = (place + 1) % seats
    return Record(GameResult(winner, (0,) * seats, (0,) * seats, 1), ())


def _table(report: dict[str, Any]) -> str:
    low, high = report["win_rate_95"]
    lines = [
        " ".join(
            (
                f"{report['players'][0]} against {report['players'][1]}, {report['seats']} seats:",
                f"{report['games']} games on {report['pairs']} mirrored deals,",
                f"seed {report['seed']}",
            )
        ),
        f"wins {100 * report['win_rate']:.2f}%  (95%: {100 * low:.2f} to {100 * high:.2f})",
        "  ".join(
            (
                f"margin {report['margin']:+.2f} points",
                f"skunks {report['skunks'][0]} : {report['skunks'][1]}",
                f"first dealer wins {100 * report['first_dealer_wins']:.1f}%",
            )
        ),
        "points per deal" + " " * 9 + "pegging    hand    crib   total",
    ]
    for side, name in zip("ab", report["players"], strict=True):
        for role, parts in report["points_per_deal"][side].items():
            cells = "".join(
                f"{parts[part]:8.2f}" if part in parts else " " * 8
                for part in ("pegging", "hand", "crib", "total")
            )
            lines.append(f"  {name:12} {role:8}{cells}")
    for side, name in zip("ab", report["players"], strict=True):
        for kind, times in report["milliseconds"][side].items():
            lines.append(
                f"{name} {kind}: {times['mean']:.2f} ms CPU mean, {times['p99']:.2f} ms p99"
            )
    if report["calibration"]:
        gap = max(abs(cell["predicted"] - cell["seen"]) for cell in report["calibration"])
        lines.append(
            f"chance to win before each deal, in tenths: at most {100 * gap:.1f} points off"
        )
    lines += [f"forfeited: {problem}" for problem in report["forfeits"][:5]]
    return "\n".join(lines)
