"""Benchmark of verdicts: ``make bench-calibration``.

It asks whether a loss is what the better choice really gains.

Deals of real games between two players of one style are played again from the same scores with the
same pack, while the strongest computer decides one part for one seat: its throws, its leads or its
answers. *Seen* is what the seat's chance to win gains by the end of the deal (and its points).
*Said* is what the analysis says that the seat lost by its own choices in that part. They agree if
the analysis judges right, against opponents of that style. Deals without another choice cancel out,
so that a few hundred deals say as much as thousands of games.

For cards, *said* is also given for other assumptions on the opponent
(`games.analysis.plays.HEURISTIC_SHARE`). With ``--deals`` and ``--styles`` it can be made smaller.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from games.analysis import discards, plays, winning
from games.analysis.arena import ArenaPlayer, chance_move, pack
from games.analysis.positions import play_position
from games.bots import get
from games.engine import rules
from games.engine.cards import RANK, Card
from games.engine.moves import Discard, Play
from games.engine.state import Ruleset, State
from games.engine.view import View, view_for

STYLES = ("nora", "walter", "grace")
PARTS = ("throws", "leads", "answers")
SHARES = (0.0, plays.HEURISTIC_SHARE, 1.0)
"""Assumed shares of the opponent's plays by rules of thumb; the second is that of the reviews."""

DEALS = 500
SEED = 16
GOAL = 0.15
"""Said and seen should agree within this share of what was seen."""


@dataclass(frozen=True, slots=True)
class Swapped:
    """A player of one style with one part of the play by the strongest computer."""

    style: ArenaPlayer
    strongest: ArenaPlayer
    part: str

    def discard(self, view: View) -> tuple[Card, ...]:
        """Return the cards to discard."""
        return (self.strongest if self.part == "throws" else self.style).discard(view)

    def play(self, view: View) -> Card:
        """Return the card to play."""
        return (self.strongest if self.part == part_of(view) else self.style).play(view)


@dataclass(slots=True)
class Row:
    """What was said and seen of one part, deal by deal, in chance to win and in points."""

    said: list[list[float]] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    points: list[float] = field(default_factory=list)


def part_of(view: View) -> str:
    """Return the part of the play that a decision belongs to."""
    if view.legal.action == "discard":
        return "throws"
    return "answers" if view.pile else "leads"


Listener = Callable[[View, tuple[Card, ...]], None]


def play_deal(
    state: State, players: tuple[ArenaPlayer, ...], cards: list[Card], heard: Listener
) -> State:
    """Play one deal; ``heard`` gets each decision. Return the state before the next deal."""
    dealt = False
    while not state.results:
        kind = rules.chance(state)
        if kind == "deal" and dealt:
            return state
        if kind is not None:
            dealt = True
            state = rules.apply(state, chance_move(state, cards)).state
            continue
        seat = rules.waiting(state)[0]
        view = view_for(state, seat)
        if view.legal.action == "discard":
            thrown = players[seat].discard(view)
            heard(view, thrown)
            state = rules.apply(state, Discard(seat, thrown)).state
        else:
            card = players[seat].play(view)
            heard(view, (card,))
            state = rules.apply(state, Play(seat, card)).state
    return state


def chance_of(state: State, seat: int) -> float:
    """Return a seat's chance to win between two deals, or after the game."""
    if state.results:
        return float(state.results[0].winner == seat)
    return winning.win_probability(state.scores, state.dealer or 0)[seat]


def losses(view: View, chosen: tuple[Card, ...]) -> list[float]:
    """Return the loss of a choice for each of `SHARES`, in chance to win."""
    if view.legal.action == "discard":
        role = "dealer" if view.seat == view.dealer else "pone"
        seat = view.seat or 0
        scores = (view.scores[seat], view.scores[1 - seat])
        values = discards.evaluate_discards(view.cards, role, scores)
        own = next(one for one in values if set(one.thrown) == set(chosen))
        return [values[0].chance - own.chance] * len(SHARES)
    position = play_position(view)
    at = list(position.legal).index(RANK[chosen[0]])
    if len(position.legal) == 1:
        return [0.0] * len(SHARES)
    found = []
    for share in SHARES:
        chances = plays.rate(position, plays.MOST_HANDS, share)[:, 1]
        found.append(float(chances.max() - chances[at]))
    return found


def measure(style: str, number: int, seed: int) -> dict[str, Row]:
    """Return what was said and seen in ``number`` deals of games between players of a style."""
    plain, strongest = get(style), get("ada")
    rows = {part: Row() for part in PARTS}
    state, game, hand = rules.start(Ruleset(first_dealer=0)), 0, 0
    for _ in range(number):
        if state.results:
            game += 1
            hand = 0
            state = rules.start(Ruleset(first_dealer=game % 2))
        hand += 1
        cards = pack(seed + game, hand)
        said = {(part, seat): [0.0] * len(SHARES) for part in PARTS for seat in range(2)}

        def judged(
            view: View, chosen: tuple[Card, ...], said: dict[tuple[str, int], list[float]] = said
        ) -> None:
            key = part_of(view), view.seat or 0
            said[key] = [a + b for a, b in zip(said[key], losses(view, chosen), strict=True)]

        ended = play_deal(state, (plain, plain), cards, judged)
        for (part, seat), lost in said.items():
            players: list[ArenaPlayer] = [plain, plain]
            players[seat] = Swapped(plain, strongest, part)
            row = rows[part]
            row.said.append(lost)
            if max(lost) <= 0.0:
                row.seen.append(0.0)
                row.points.append(0.0)
                continue
            other = play_deal(state, tuple(players), cards, lambda _view, _chosen: None)
            row.seen.append(chance_of(other, seat) - chance_of(ended, seat))
            row.points.append(float(net(other, seat) - net(ended, seat)))
        state = ended
    return rows


def net(state: State, seat: int) -> int:
    """Return a seat's score less the other's."""
    return state.scores[seat] - state.scores[1 - seat]


def mean_error(values: Iterable[float]) -> tuple[float, float]:
    """Return the mean, and half of its 95% interval."""
    found = list(values)
    return statistics.fmean(found), 1.96 * statistics.stdev(found) / len(found) ** 0.5


def main() -> None:
    """Measure and print, one line for each style and part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--styles", nargs="+", default=list(STYLES))
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args()
    print("chance to win, in games of 100 per deal and seat; 95% errors")
    print("| style | part | said, by share of rules of thumb | seen | points seen | agrees |")
    for style in asked.styles:
        began = time.process_time()
        for part, row in measure(style, asked.deals, asked.seed).items():
            said = [mean_error(100 * one[at] for one in row.said) for at in range(len(SHARES))]
            seen, error = mean_error(100 * one for one in row.seen)
            points, spread = mean_error(row.points)
            words = ", ".join(
                f"{share:g}: {one:.2f} ±{half:.2f}"
                for share, (one, half) in zip(SHARES, said, strict=True)
            )
            off = abs(said[1][0] - seen)
            agrees = "yes" if off <= GOAL * seen else "within the error" if off <= error else "no"
            print(
                f"| {style} | {part} | {words} | {seen:.2f} ±{error:.2f} | "
                f"{points:.2f} ±{spread:.2f} | {agrees} |",
                flush=True,
            )
        print(f"{style}: {asked.deals} deals, {time.process_time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
