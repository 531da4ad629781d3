"""The rating that a person gains from games that their own guests lose (goal G11)."""

from __future__ import annotations

import numpy as np

from benchmarks.ratings.leagues import random_league
from ratings.model.constants import TWO_SEATS_PAR
from ratings.model.guards import GUEST_CAP, PAIR_CAP, guarded_fit
from ratings.model.results import Results

FED = 100
MARGIN = 60.0
PLAYERS, ROWS, GAMES = 240, 7200, 300
GOAL = 5.0


def main() -> None:
    """Print the gain in Elo of an average player with 60 honest games."""
    league = random_league(
        TWO_SEATS_PAR, np.random.default_rng(5), players=PLAYERS, rows=ROWS, games=GAMES
    )
    hero = int(np.argmin(np.abs(league.skill)))
    print(f"\ngain of a rating from {FED} games lost by own guests, Elo (goal: {GOAL:g})")
    cases = {
        "before, one guest in another browser": min(FED, PAIR_CAP),
        "before, a new guest each time": FED,
        "now, guests linked by browser or log-in": 0,
        "now, one unlinked guest": min(FED, PAIR_CAP),
        "now, a new unlinked guest each time, a month": GUEST_CAP,
    }
    for name, counted in cases.items():
        new = "each time" in name
        print(f"  {name:<42} {gain(league.results, hero, counted, new_guests=new):7.1f}")


def gain(results: Results, hero: int, counted: int, *, new_guests: bool) -> float:
    """Return how much `counted` lost games raise a player's rating."""
    if not counted:
        return 0.0
    guests = PLAYERS + (np.arange(counted) if new_guests else np.zeros(counted, dtype=int))
    who = np.stack([np.full(counted, hero), guests], axis=1)
    lost = np.array([[MARGIN, -MARGIN]] * counted)
    both = Results.from_relative(
        np.concatenate([results.players, who]),
        np.concatenate([results.game, GAMES + np.arange(counted)]),
        np.concatenate([results.margin, lost]),
        par=np.zeros((len(results) + counted, 2)),
    )
    alone = Results.from_relative(
        results.players, results.game, results.margin, par=np.zeros((len(results), 2))
    )
    before = guarded_fit(alone, TWO_SEATS_PAR)[1]
    after = guarded_fit(both, TWO_SEATS_PAR)[1]
    return float(after.rating[hero] - before.rating[hero])
