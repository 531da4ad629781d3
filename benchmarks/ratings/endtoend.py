"""Goal G8: the number of games until ratings of computer players are in the right order."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import numpy as np

from benchmarks.ratings import bots
from benchmarks.ratings.bots import LEAGUES, PLAYERS, ROUNDS, Played
from benchmarks.ratings.glicko import Tuning, ratings_by_round
from benchmarks.ratings.line import Line
from benchmarks.ratings.ranks import spearman
from ratings.model.arrays import Floats
from ratings.model.comparison import matchpoints
from ratings.model.constants import TWO_SEATS, TWO_SEATS_PAR, Constants
from ratings.model.guards import guarded_fit

WANTED_RHO = 0.8
MOST_GAMES = 45
TABLES = PLAYERS // 2
ORDER: Floats = -np.array([bots.slips(player) for player in range(PLAYERS)])
"""Negative probability of slips: it orders players by true skill, which is all that is compared."""
PLAYED_AGAIN = 40
TUNINGS = tuple(
    Tuning(rd, volatility, 0.5, period)
    for rd, volatility, period in product(
        (40.0, 60.0, 90.0, 150.0, 350.0), (1e-4, 0.02, 0.06), (1, 5, 20, ROUNDS)
    )
)


def played_end_to_end() -> Iterator[Line]:
    """G8: the model, other ways of comparing, and Glicko-2 tuned on the same results."""
    for league in LEAGUES:
        rows = bots.read(league)
        yield _played_again(league, rows)
        par = _last_below(_fitted(rows, TWO_SEATS_PAR))
        yield _line(f"{league}: games for rho .8", f"<= {MOST_GAMES}", par, met=par <= MOST_GAMES)
        plain = _last_below(_fitted(rows, TWO_SEATS))
        yield _line(f"{league}: the same without par", "", plain, met=True)
        percentage = _last_below(_by_matchpoints(rows))
        yield _line(f"{league}: by mean matchpoints", "", percentage, met=True)
        glicko, tuning = _tuned(rows)
        what = (
            f"{league}: Glicko-2, RD {tuning.rd:.0f}, vol. {tuning.volatility:g}, "
            f"{tuning.period} a period"
        )
        yield _line(what, f">= {2 * par} (twice)", glicko, met=glicko >= 2 * par)


def _line(what: str, wanted: str, games: int, *, met: bool) -> Line:
    got = f"more than {ROUNDS}" if games > ROUNDS else str(games)
    return Line("G8", what, wanted, got, met)


def _played_again(league: str, rows: Sequence[Played]) -> Line:
    """Play some of the stored results again, to check that the file matches the current players."""
    chosen = np.random.default_rng(8).choice(len(rows), PLAYED_AGAIN, replace=False)
    same = sum(_is_as_stored(league, rows[at]) for at in chosen)
    what = f"{league}: {len(rows)} results, some played again alike"
    return Line("G8", what, f"{PLAYED_AGAIN}", f"{same}", same == PLAYED_AGAIN)


def _is_as_stored(league: str, row: Played) -> bool:
    scores = bots.scores_of(league, row.number, row.game, (row.seat0, row.seat1))
    par = bots.par_of(bots.packs_of(league, row.game))
    return scores == (row.score0, row.score1) and par == row.par


def _fitted(rows: Sequence[Played], constants: Constants) -> Iterator[float]:
    """Yield rho after each round, by the fit that ratings on the site come from."""
    results = bots.columns(rows)
    start = None
    for games in range(1, ROUNDS + 1):
        _, start = guarded_fit(results.rows(np.arange(games * TABLES)), constants, start)
        yield _rho(start.skill)


def _by_matchpoints(rows: Sequence[Played]) -> Iterator[float]:
    """Yield rho after each round, by the mean share of the field that a player beats."""
    fields: dict[tuple[int, int], list[tuple[int, float]]] = {}
    for at, row in enumerate(rows, start=1):
        margin = float(row.score0 - row.score1)
        for seat, player, own in ((0, row.seat0, margin), (1, row.seat1, -margin)):
            fields.setdefault((row.game, seat), []).append((player, own))
        if at % TABLES == 0:
            yield _rho(_mean_matchpoints(fields.values()))


def _mean_matchpoints(fields: Iterable[list[tuple[int, float]]]) -> Floats:
    """(players,): mean matchpoints, 0..100."""
    total, number = np.zeros(PLAYERS), np.zeros(PLAYERS)
    for field in fields:
        margins = [margin for _, margin in field]
        for at, (player, margin) in enumerate(field):
            total[player] += matchpoints(margin, margins[:at] + margins[at + 1 :])
            number[player] += 1.0
    return total / np.maximum(number, 1.0)


def _tuned(rows: Sequence[Played]) -> tuple[int, Tuning]:
    """Return the fewest games that Glicko-2 needs with any tuning, and that tuning."""
    table = np.array([row[2:6] for row in rows]).reshape(ROUNDS, TABLES, 4)
    won = (table[:, :, 2] > table[:, :, 3]).astype(np.float64)

    def needed(tuning: Tuning) -> tuple[int, float]:
        rhos = [_rho(rating) for rating in ratings_by_round(table[:, :, :2], won, tuning)]
        return _first_above(rhos), -rhos[-1]

    best = min(TUNINGS, key=needed)
    return needed(best)[0], best


def _rho(rating: Floats) -> float:
    return spearman(rating, ORDER)


def _last_below(rhos: Iterable[float]) -> int:
    """Return the number of games after which rho stays high enough; one more than all if never."""
    below = [games for games, rho in enumerate(rhos, start=1) if not rho >= WANTED_RHO]
    return max(below, default=0) + 1


def _first_above(rhos: Sequence[float]) -> int:
    """Return the number of games after which rho is high enough for the first time."""
    return next((n for n, rho in enumerate(rhos, start=1) if rho >= WANTED_RHO), len(rhos) + 1)
