"""False alarms of the signal about throws that fit hidden cards, and the cheats that it finds.

A game is nine hands, of which one player's throws are examined; only the throws are simulated,
since the play does not matter to them. The same cards are thrown from by all honest players and all
cheats. Each honest player is a computer level, or values throws like the analysis with an error of
its own for each throw.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np

from benchmarks.adversary.batches import batches
from benchmarks.adversary.collusion import wilson
from games.analysis import discards
from games.analysis.hidden_throws import average_points, hidden_fits
from games.analysis.review import throw_view
from games.bots import get
from ratings.rating.seat_signals import THROWS_ALARM, throws_z

GAMES = 100_000
HANDS = 9
BATCH = 50
"""Sets of cards for a game that a process plays at a time."""
LEVELS = ("novice", "plain", "keen", "club", "expert")
ERRORS = (0.5, 1.0, 2.0)
"""Standard errors, in points, of people's estimates of a throw: strong, middle, weak."""
CHEATS = ("sees the hand", "knows the crib", "sees it every second time")
OPPONENT = 0.7
"""Standard error of the opponent's estimates."""
WINDOWS = (5, 10, 40)

HONEST = (*LEVELS, *(f"error {error:g}" for error in ERRORS))
Sums = list[list[float]]
"""For each player, honest ones first: the points and their variance in one game."""


def main(games: int = GAMES, file: Path | None = None) -> None:
    """Print the shares of honest players and of cheats above the threshold."""
    number = max(1, games // (len(HONEST) * BATCH))
    rows = np.array([game for batch in batches(play_batch, number, file) for game in batch])
    players = (*HONEST, *CHEATS)
    print(f"\nthrows that fit hidden cards: {len(rows)} games of each honest player and cheat,")
    print(f"{len(rows) * len(HONEST)} honest games; share of players with z above {THROWS_ALARM:g}")
    print("games  player                       players  alarms   95% interval (Wilson)  largest")
    for window in WINDOWS:
        found = {
            name: [
                throws_z([tuple(row) for row in rows[at : at + window, index]])
                for at in range(0, len(rows) - window + 1, window)
            ]
            for index, name in enumerate(players)
        }
        found["all honest"] = [z for name in HONEST for z in found[name]]
        for name, scores in found.items():
            alarms = sum(z > THROWS_ALARM for z in scores)
            low, high = wilson(alarms, len(scores))
            print(
                f"{window:>5}  {name:<27} {len(scores):>8}  {alarms:>6}"
                f"   {low:9.5f} to {high:.5f}  {max(scores, default=0.0):7.2f}"
            )


def play_batch(seed: int) -> list[Sums]:
    """Throw from `BATCH` sets of cards."""
    rng = Random(seed)
    return [_game(rng) for _ in range(BATCH)]


def _game(rng: Random) -> Sums:
    sums = np.zeros((len(HONEST) + len(CHEATS), 2))
    for hand in range(HANDS):
        cards = rng.sample(range(52), 12)
        own, theirs = tuple(sorted(cards[:6])), tuple(sorted(cards[6:]))
        dealer = hand % 2 == 1
        fits = hidden_fits(own, theirs, dealer=dealer)
        chosen = [*_honest(rng, own, dealer), *_cheats(rng, own, theirs, dealer)]
        sums += [(fits[at].points, fits[at].variance) for at in chosen]
    return [[round(float(value), 3) for value in row] for row in sums]


def _honest(rng: Random, own: tuple[int, ...], dealer: bool) -> list[int]:
    """Return the number of the throw that each honest player makes."""
    values = discards.value_throws(own, dealer, habits=False)
    view = throw_view(own, dealer=dealer, scores=(rng.randrange(100), rng.randrange(100)))
    levels = [values.thrown.index(tuple(sorted(get(name).discard(view)))) for name in LEVELS]
    return [*levels, *(_with_error(rng, values, error) for error in ERRORS)]


def _with_error(rng: Random, values: discards.Throws, error: float) -> int:
    return int(np.argmax([points + rng.gauss(0.0, error) for points in values.totals]))


def _cheats(
    rng: Random, own: tuple[int, ...], theirs: tuple[int, ...], dealer: bool
) -> tuple[int, int, int]:
    """Return the throw of each cheat."""
    values, other = (
        discards.value_throws(own, dealer, habits=False),
        discards.value_throws(theirs, not dealer, habits=False),
    )
    expected = other.thrown[int(np.argmax(other.totals))]
    sees = _fitting(values, expected)
    knows = _fitting(values, other.thrown[_with_error(rng, other, OPPONENT)])
    return sees, knows, sees if rng.random() < 0.5 else _with_error(rng, values, 1.0)


def _fitting(values: discards.Throws, theirs: tuple[int, ...]) -> int:
    """Return the number of the throw that is best if the opponent throws these cards."""
    crib = [average_points()[tuple(card // 4 for card in (*own, *theirs))] for own in values.thrown]
    hand, _, pegged, lost = values.averages.T
    return int(np.argmax(hand + pegged - lost + np.array(crib) * (1 if values.dealer else -1)))
