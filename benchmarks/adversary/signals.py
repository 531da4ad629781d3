"""False alarms of the moderators' statistics among honest players, and what they find.

Luck with starters: games of computer players on shared cards. Pairs: drawn from the rating model.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from games.api import View, bot, count_hand, parse_cards
from ratings.model.constants import TWO_SEATS_PAR
from ratings.rating.pair_signals import ALARM_Z, z_of
from ratings.standard.decks import HANDS, complete_pack
from ratings.standard.luck import starter_luck, z_score
from ratings.standard.simulation import ComputerPlayer, SimulatedGame, simulate

TABLES = 8
"""Plays of each standard game."""
HONEST_GAMES = 10_000
STARTER_ALARM = 4.0
WINDOWS = (10, 40)
"""Numbers of games over which a player's luck is examined."""
LEVELS = ("expert", "club", "keen", "plain")
PAIRS = 200_000
RD_ELO = 30.0
FED = (5.0, 10.0, 25.0)
"""Points per game that a cheat loses on purpose."""

Luck = list[float]
"""Luck with the starter in each hand of one seat, points."""


def main() -> None:
    """Print both tables."""
    pairs()
    starters()


def pairs() -> None:
    """Print how often honest pairs and cheating pairs exceed the threshold."""
    rng = np.random.default_rng(3)
    print(f"\npairs with |z| of at least {ALARM_Z}, of {PAIRS} pairs (goal for honest: 1 in 1,000)")
    print("games   honest  " + "".join(f"  lost by {points:g}" for points in FED))
    for games in (3, 5, 10, 30):
        honest = alarms(rng, games, 0.0, PAIRS)
        fed = [alarms(rng, games, points, PAIRS // 20) for points in FED]
        print(f"{games:>5}  {honest:7.5f}  " + "".join(f"{share:11.3f}" for share in fed))


def alarms(rng: np.random.Generator, games: int, fed: float, pairs: int) -> float:
    """Return the share of pairs that exceed the threshold after so many games.

    Ratings are off by their RD; each game is compared with seven other plays of the seat.
    """
    uncertainty = 2 * (RD_ELO / TWO_SEATS_PAR.elo_per_point) ** 2
    noise = TWO_SEATS_PAR.noise * (1 + 1 / 7)
    error = rng.normal(0.0, uncertainty**0.5, pairs)
    residuals = fed + error[:, None] + rng.normal(0.0, noise**0.5, (pairs, games))
    found = sum(
        abs(z_of([(value, noise, uncertainty) for value in row])) >= ALARM_Z for row in residuals
    )
    return float(found) / pairs


class Clairvoyant:
    """A computer player that knows every starter in advance and keeps the cards that fit it."""

    def __init__(self, packs: Sequence[str]) -> None:
        self._honest = bot("club")
        self._starters = [parse_cards(pack)[12] for pack in packs]

    def discard(self, view: View) -> tuple[int, ...]:
        """Return the discard that leaves most points with the coming starter."""
        starter, cards = self._starters[view.hand - 1], view.cards
        pairs = [(a, b) for at, a in enumerate(cards) for b in cards[at + 1 :]]
        return max(
            pairs,
            key=lambda pair: count_hand([card for card in cards if card not in pair], starter),
        )

    def play(self, view: View) -> int:
        """Play like an honest computer."""
        return self._honest.play(view)


def starters(games: int = HONEST_GAMES) -> None:
    """Print how often luck with starters raises an alarm, for honest players and for cheats."""
    rng = Random(21)
    honest: dict[int, list[tuple[Luck, list[Luck]]]] = {}
    cheat: list[tuple[Luck, list[Luck]]] = []
    for number in range(games // TABLES):
        packs = [complete_pack(rng.sample(range(52), 52)) for _ in range(HANDS)]
        field = [_play([bot(rng.choice(LEVELS)) for _ in range(2)], packs) for _ in range(TABLES)]
        for seat in range(2):
            for table in range(TABLES):
                others = [field[other][seat] for other in range(TABLES) if other != table]
                honest.setdefault(2 * table + seat, []).append((field[table][seat], others))
        if number < 200:
            known = _play([Clairvoyant(packs), bot("club")], packs)[0]
            cheat.append((known, [lucks[0] for lucks in field]))
    print(f"\nluck with starters: share of players with z above {STARTER_ALARM:g}, {games} games")
    print("games of a player   honest players   alarms   99.9%   largest   cheats found")
    for window in WINDOWS:
        scores = [
            _score(rows[at : at + window])
            for rows in honest.values()
            for at in range(0, len(rows) - window + 1, window)
        ]
        cheats = [
            _score(cheat[at : at + window]) for at in range(0, len(cheat) - window + 1, window)
        ]
        found = sum(score > STARTER_ALARM for score in cheats)
        print(
            f"{window:>17}   {len(scores):>14}   {sum(z > STARTER_ALARM for z in scores):>6}"
            f"   {np.quantile(scores, 0.999):5.2f}   {max(scores):7.2f}   {found} of {len(cheats)}"
        )


def _score(rows: Sequence[tuple[Luck, list[Luck]]]) -> float:
    own, others = [], []
    for luck, field in rows:
        for hand, value in enumerate(luck):
            own.append(value)
            others.append([each[hand] for each in field if hand < len(each)])
    return z_score(own, others)


def _play(players: Sequence[ComputerPlayer], packs: Sequence[str]) -> list[Luck]:
    """Return each seat's luck with the starters of a game."""
    out: SimulatedGame = simulate(players, packs)
    return [
        [
            starter_luck(hand.kept(seat), hand.dealt[seat], hand.starter)
            for hand in out.state.hands
            if hand.starter is not None
        ]
        for seat in range(2)
    ]
