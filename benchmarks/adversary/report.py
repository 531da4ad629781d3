"""Prints how many of an adversary's rated games had known cards, before and now: `make bench-fair`.

The goal is at most 1 in 100 at one throwaway game a minute.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from benchmarks.adversary import feeding, signals, waiting
from benchmarks.adversary.traffic import HOUSE, Case, Counts, simulate
from ratings.standard.trust import ESTABLISHED, GUEST, NEWCOMER

SEED = 12
GOAL = 0.01
PACES = (1.0, 10.0)
MAINS = {GUEST: "guest", NEWCOMER: "new account", ESTABLISHED: "established"}
DAYS = {20: 15.0, 200: 6.0, 2000: 3.0}
"""Honest games a day -> days simulated, at one throwaway game a minute; a third at ten."""
FIELD_DAYS = {20: 120.0, 200: 50.0, 2000: 24.0}
"""Days simulated for fields: the first games must have had the time to fill."""


def main() -> int:
    """Print all tables; return 1 if the goal is missed."""
    missed = known_cards()
    fields()
    waiting.main()
    feeding.main()
    signals.main()
    return int(missed)


def known_cards() -> bool:
    """Print the shares of known games; return whether the goal is missed."""
    print("share of the adversary's rated games whose cards they knew (before: oldest open game)")
    print("honest/day  throwaways/min  main identity  seen as one    games   before      now")
    missed = False
    for honest in HOUSE:
        for pace in PACES:
            for level, name in MAINS.items():
                for seen in (False, True):
                    days = DAYS[honest] / (1 if pace == 1 else 3)
                    case = Case(honest, pace, level, seen, days)
                    before, now = (simulate(case, Random(SEED), old=old) for old in (True, False))
                    missed |= pace == 1 and now.share > GOAL
                    print(
                        f"{honest:>10}  {pace:>14g}  {name:<13}  {_yes(seen):<11}  {now.games:>5}"
                        f"   {before.share:6.3f}   {now.share:6.3f}",
                        flush=True,
                    )
    return missed


def fields() -> None:
    """Print the fields of closed games, and how many games are created."""
    print("\nfields of closed games: people's plays, without the house computers' eight")
    print("honest/day  throwaways/min    rule   mean   of a play   shared games   created/day")
    for honest in HOUSE:
        for pace in (0.0, 1.0):
            for old in (True, False):
                case = Case(honest, pace, ESTABLISHED, False, FIELD_DAYS[honest])
                found = simulate(case, Random(SEED), old=old)
                print(
                    f"{honest:>10}  {pace:>14g}  {'before' if old else 'now':>6}"
                    f"  {_mean(found.fields):5.1f}  {_met(found):10.1f}"
                    f"   {_mean([number for number in found.fields if number > 1]):12.1f}"
                    f"   {found.made_a_day:11.1f}",
                    flush=True,
                )


def _mean(fields: Sequence[int]) -> float:
    return sum(fields) / len(fields) if fields else 0.0


def _met(found: Counts) -> float:
    """Return the mean number of plays in the field of a play."""
    plays = sum(found.fields)
    return sum(number * number for number in found.fields) / plays if plays else 0.0


def _yes(seen: bool) -> str:
    return "yes" if seen else "no"
