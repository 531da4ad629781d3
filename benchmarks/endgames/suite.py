"""The suites: solved endgames from games between computers, as lines of text.

A line is ``pone-dealer pone dealer crib starter plays values``: the scores before the starter was
cut, the hands kept, pone's and the dealer's discard, the plays so far, and the value of each rank
that may be played, as ``rank=even/kept``: the chance to win in hundred-thousandths, by the two
priors of `games.analysis.endgames.model`. A later line never depends on an earlier one.
"""

from __future__ import annotations

import lzma
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from games.analysis.arena import chance_move, pack
from games.analysis.endgames.model import PRIORS, endgame
from games.analysis.endgames.solver import GAP, choice_values, solve, tree_of, with_prior
from games.analysis.kernels.endgames import JACK, NOBS
from games.bots import get
from games.engine import rules
from games.engine.cards import RANK, RANKS, card_name, card_names
from games.engine.moves import Discard, Move, Play
from games.engine.state import Hand, Ruleset, State
from games.engine.view import View, view_for
from tests.support.hands import played

LEVELS = ("novice", "plain", "keen", "club", "expert", "ada")
TARGET = 121
NEED = 12
"""Both players need at most this many points."""
NEAREST, FARTHEST = 4, 24
"""Bounds of the points that each player needs when a game begins."""
UNIT = 100_000

Cell = tuple[bool, tuple[int, int], int, int]


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite of positions, and where it is stored.

    `sizes` are the cards of the player who decides, and of the other. There are `number` positions
    in all, at most `each` of a cell: role, sizes, and both needs in thirds. `gap` is how exact the
    values are, in chance to win.
    """

    file: Path
    sizes: tuple[tuple[int, int], ...]
    seed: int
    number: int
    each: int
    gap: float


TWO = Suite(Path(__file__).with_name("suite.txt.xz"), ((2, 1), (2, 2)), 121, 1_100, 60, GAP)
THREE = Suite(
    Path(__file__).with_name("suite_three.txt.xz"),
    ((2, 3), (3, 1), (3, 2), (3, 3)),
    321, 200, 8, 3 * GAP,
)  # fmt: skip
"""Decisions in which a player holds three cards, and neither holds four. One with three cards each
takes about 15 s of CPU to solve; with four cards the trees would be some hundred times as large."""


@dataclass(frozen=True, slots=True)
class Solved:
    """One position: its line without values, its view, and by prior the value of each rank."""

    line: str
    view: View
    values: tuple[dict[int, float], dict[int, float]]

    @property
    def size(self) -> tuple[int, int]:
        """The cards of the player who decides, and of the other."""
        return sizes(self.view)

    def loss(self, rank: int, prior: int = 0) -> float:
        """Return what playing this rank loses, in chance to win."""
        return max(self.values[prior].values()) - self.values[prior][rank]


def sizes(view: View) -> tuple[int, int]:
    """Return the number of cards of the player who decides, and of the other."""
    return view.hand_sizes[view.seat or 0], view.hand_sizes[1 - (view.seat or 0)]


def cell_of(view: View, suite: Suite = TWO) -> Cell | None:
    """Return the cell of a decision; None if it does not belong to the suite."""
    own, other = (TARGET - view.scores[seat] for seat in (view.seat or 0, 1 - (view.seat or 0)))
    ranks = {RANK[card] for card in view.legal.cards}
    size = sizes(view)
    if len(ranks) < 2 or max(own, other) > NEED or size not in suite.sizes:
        return None
    return view.seat == view.dealer, size, (own - 1) * 3 // NEED, (other - 1) * 3 // NEED


@dataclass(slots=True)
class Drawn:
    """Positions drawn so far, and how often such decisions come.

    `deals` counts seats of deals with at least one decision of the suite's kind, `decisions` all of
    them.
    """

    lines: list[str] = field(default_factory=list)
    cells: Counter[Cell] = field(default_factory=Counter)
    decisions: int = 0
    deals: int = 0
    games: int = 0


def draw(suite: Suite) -> Drawn:
    """Return positions of games between all levels."""
    drawn = Drawn()
    while len(drawn.lines) < suite.number:
        _draw_game(suite, drawn)
        drawn.games += 1
    del drawn.lines[suite.number :]
    return drawn


def _draw_game(suite: Suite, drawn: Drawn) -> None:
    rng = random.Random(f"{suite.seed}:{drawn.games}")
    players = [get(rng.choice(LEVELS)) for _ in range(2)]
    scores = tuple(TARGET - rng.randint(NEAREST, FARTHEST) for _ in range(2))
    state = rules.start(Ruleset(first_dealer=rng.randrange(2), scores=scores))
    number, before, seen = 0, scores, set[int]()
    while not state.results:
        kind = rules.chance(state)
        if kind == "deal":
            number += 1
            before = state.scores
            seen = set()
        if kind is not None:
            cards = pack(suite.seed * 1_000_003 + drawn.games, number)
            state = rules.apply(state, chance_move(state, cards)).state
            continue
        seat = rules.waiting(state)[0]
        view = view_for(state, seat)
        if view.legal.action == "discard":
            move: Move = Discard(seat, players[seat].discard(view))
        else:
            cell = cell_of(view, suite)
            if cell is not None:
                _take(drawn, cell, line_of(state, before), suite.each)
                drawn.deals += seat not in seen
                seen.add(seat)
            move = Play(seat, players[seat].play(view))
        state = rules.apply(state, move).state


def _take(drawn: Drawn, cell: Cell, line: str, each: int) -> None:
    """Count a decision, and keep its position if its cell has room."""
    drawn.decisions += 1
    if drawn.cells[cell] < each:
        drawn.cells[cell] += 1
        drawn.lines.append(line)


def line_of(state: State, before: tuple[int, ...]) -> str:
    """Return the line of a position in the play, without values."""
    hand = state.hand
    if hand is None or hand.starter is None:
        raise ValueError("a position in the play is needed")
    pone, dealer = hand.pone, hand.dealer
    crib = card_names(sorted(hand.discards[pone])) + card_names(sorted(hand.discards[dealer]))
    plays = card_names(card for _, card in hand.plays)
    hands = f"{_kept(hand, pone)} {_kept(hand, dealer)}"
    return f"{before[pone]}-{before[dealer]} {hands} {crib} {card_name(hand.starter)} {plays}"


def _kept(hand: Hand, seat: int) -> str:
    return card_names(sorted(hand.kept(seat)))


def view_of(line: str) -> View:
    """Return the view of the player who decides in a line's position."""
    scores, pone, dealer, crib, starter, plays = line.split()[:6]
    first, second = map(int, scores.split("-"))
    state = played(pone, dealer, crib, starter, plays, (first, second))
    return view_for(state, rules.waiting(state)[0])


def values_of(view: View, gap: float = GAP) -> list[dict[int, float]]:
    """Return the solved value of each rank that may be played, for each prior.

    Raises:
        RuntimeError: if the solution is not within ``gap``.
    """
    even = endgame(view)
    grown = tree_of(even)
    found = []
    for prior in PRIORS:
        game, tree = with_prior(even, grown, prior)
        solution = solve(tree, gap)
        if solution.gap > gap:
            raise RuntimeError(f"a gap of {solution.gap:.5f} after {solution.rounds} rounds")
        best: dict[int, float] = {}
        for symbol, value in choice_values(game, tree, solution).items():
            rank = JACK if symbol == NOBS else symbol
            best[rank] = max(value, best.get(rank, 0.0))
        found.append(best)
    return found


def solved_line(line: str, gap: float = GAP) -> str:
    """Return a line with the values of its choices."""
    both = values_of(view_of(line), gap)
    words = (
        f"{RANKS[rank]}=" + "/".join(str(round(UNIT * one[rank])) for one in both)
        for rank in sorted(both[0])
    )
    return f"{line} {','.join(words)}"


def parse(line: str) -> Solved:
    """Return the position of a line with values."""
    position, _, words = line.rpartition(" ")
    values: tuple[dict[int, float], dict[int, float]] = {}, {}
    for word in words.split(","):
        name, _, numbers = word.partition("=")
        for at, number in enumerate(numbers.split("/")):
            values[at][RANKS.index(name)] = int(number) / UNIT
    return Solved(position, view_of(position), values)


def write(lines: Iterable[str], suite: Suite) -> None:
    """Write the file of a suite."""
    suite.file.write_bytes(lzma.compress("".join(f"{line}\n" for line in lines).encode(), preset=9))


def read(suite: Suite = TWO) -> Iterator[str]:
    """Yield the lines of a suite; those with ``#`` tell how it was made."""
    yield from lzma.decompress(suite.file.read_bytes()).decode().splitlines()


def load(suite: Suite = TWO) -> list[Solved]:
    """Return the positions of a suite."""
    return [parse(line) for line in read(suite) if not line.startswith("#")]


def head(suite: Suite, drawn: Drawn) -> str:
    """Return the first line of a suite: how it was drawn, and how often decisions come."""
    return (
        f"# seed={suite.seed} games={drawn.games} deals={drawn.deals} decisions={drawn.decisions}"
    )


def decisions_in_a_deal(suite: Suite = TWO) -> float:
    """Return how often a seat decides in a deal with at least one decision."""
    words = dict(word.split("=") for word in next(read(suite)).split()[1:])
    return int(words["decisions"]) / int(words["deals"])
