"""Goals G1-G7 and G9 of the rating model."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from benchmarks.ratings import fixtures
from benchmarks.ratings.folders import PAR, PLAIN, Folder, Score, read_folders, score
from benchmarks.ratings.leagues import even_league
from benchmarks.ratings.leaving import leaving_bias
from benchmarks.ratings.line import Line
from benchmarks.ratings.ranks import spearman
from ratings.model.arrays import Floats, Ints
from ratings.model.constants import THREE_SEATS, Constants
from ratings.model.explain import explain
from ratings.model.fit import fit
from ratings.model.incremental import IncrementalRatings
from ratings.model.results import Results

folders = cache(read_folders)

LEAST_RHO = {"base": 0.897, "near": 0.808, "hetero": 0.746}
MOST_LOGLOSS = {"base": 0.6730, "near": 0.6733, "hetero": 0.6782}
TUNED_GLICKO = {"base": 0.766, "near": 0.499, "hetero": 0.561}
COVERAGE = {"base": (0.93, 0.98), "near": (0.87, 1.0), "hetero": (0.93, 0.98)}


def fixtures_met() -> Iterator[Line]:
    """G1: the largest error against the printed figures, Elo or points."""
    worst = max(_distances())
    yield Line("G1", "F1-F5: worst distance", "<= 0.01", f"{worst:.4f}", worst <= 0.01)


def _distances() -> Iterator[float]:
    """Yield the error of each printed figure."""
    constants = fixtures.CONSTANTS

    def apart(found: Floats, *printed: float) -> float:
        return float(np.abs(found - np.array(printed)).max())

    one = fit(fixtures.pairs(-13), constants)
    yield apart(one.rating, 1494.27, 1505.73)
    yield apart(one.rd, 48.70, 48.70)
    yield apart(one.effect[:, 0], -8.05)
    for others, rating in enumerate(fixtures.F2):
        row = fit(fixtures.pairs(-13, *range(-15, -15 - others, -1)), constants)
        yield apart(row.rating[:1], rating)
    yield apart(fit(fixtures.pairs(*[-15] * 10, -13), constants).rating[20:], 1500.49, 1499.51)
    yield apart(fit(fixtures.pairs(*[-15] * 11), constants).rating[20:21], 1498.98)
    after = fit(fixtures.pairs(*[-15] * 10, -13, 5), constants)
    yield apart(after.rating[20:22], 1499.30, 1500.70)
    tangle = fit(fixtures.results_of(fixtures.F5_ROWS), constants)
    yield apart(tangle.rating, *fixtures.F5_RATING)
    yield apart(tangle.rd, *fixtures.F5_RD)
    yield apart(tangle.effect[:, 0], *fixtures.F5_EFFECT)


def reference_met() -> Iterator[Line]:
    """G2: the largest error against the reference solution, for each way of computing it."""
    ways: dict[str, Callable[[Results, Constants], tuple[Floats, Floats]]] = {
        "refit": _refitted,
        "shuffled, renumbered": _shuffled,
        "fed one by one": _fed,
    }
    for folder in folders():
        for way, rate in ways.items():
            for constants in (PLAIN, PAR):
                rating, rd = rate(folder.results, constants)
                elo, share = _apart(folder, constants, rating, rd)
                par = "par" if constants.beta else "no par"
                got = f"{elo:.3f}, {100 * share:.2f}%"
                met = elo <= 0.5 and share <= 0.03
                what = f"{folder.name}, {par}, {way}: rating, RD"
                yield Line("G2", what, "<= 0.5, 3%", got, met)


def _apart(folder: Folder, constants: Constants, rating: Floats, rd: Floats) -> tuple[float, float]:
    """Return the largest errors against the reference: rating (Elo) and RD (relative)."""
    exact, exact_rd = folder.solution(constants)
    return float(np.abs(rating - exact).max()), float(np.abs(rd / exact_rd - 1.0).max())


def _refitted(results: Results, constants: Constants) -> tuple[Floats, Floats]:
    """Return rating and RD from one fit."""
    found = fit(results, constants)
    return found.rating, found.rd


def _shuffled(results: Results, constants: Constants) -> tuple[Floats, Floats]:
    """Return rating and RD from shuffled and renumbered rows."""
    rng = np.random.default_rng(3)
    order = rng.permutation(len(results))
    people = rng.permutation(results.player_count)
    games = rng.permutation(results.game_count)
    other = Results.from_relative(
        people[results.players[order]],
        games[results.game[order]],
        results.margin[order],
        par=None if results.par is None else results.par[order],
    )
    found = fit(other, constants)
    return found.rating[people], found.rd[people]


def _fed(results: Results, constants: Constants) -> tuple[Floats, Floats]:
    """Return rating and RD from incremental updates only, row by row."""
    updated = IncrementalRatings(Results.empty(constants.seats), constants)
    for row in range(len(results)):
        updated.add(results.rows([row]))
    people = range(results.player_count)
    rating = np.array([updated.rating(player) for player in people])
    return rating, np.array([updated.rd(player) for player in people])


@cache
def _scored(name: str, constants: Constants) -> Score:
    """Return the accuracy of the full fit of one league."""
    folder = next(folder for folder in folders() if folder.name == name)
    found = fit(folder.results, constants)
    return score(folder, found.rating, found.rd)


def truth_recovered() -> Iterator[Line]:
    """G3: rank correlation and prediction."""
    for folder in folders():
        name = folder.name
        plain, par = _scored(name, PLAIN), _scored(name, PAR)
        least, most, glicko = LEAST_RHO[name], MOST_LOGLOSS[name], TUNED_GLICKO[name]
        wanted = f">= {least} (Glicko-2 {glicko})"
        yield Line("G3", f"{name}: rho", wanted, f"{plain.rho:.4f}", plain.rho >= least)
        got = f"{plain.logloss:.4f}"
        yield Line("G3", f"{name}: logloss", f"<= {most:.4f}", got, plain.logloss <= most)
        for what, with_par, without, better in (
            ("rho", par.rho, plain.rho, par.rho > plain.rho),
            ("logloss", par.logloss, plain.logloss, par.logloss < plain.logloss),
            ("rmse", par.rmse, plain.rmse, par.rmse < plain.rmse),
        ):
            sign = ">" if what == "rho" else "<"
            wanted = f"{sign} {without:.4f}"
            yield Line("G3", f"{name}: {what} with par", wanted, f"{with_par:.4f}", better)


def uncertainty_calibrated() -> Iterator[Line]:
    """G4: coverage of the uncertainty."""
    for folder in folders():
        low, high = COVERAGE[folder.name]
        for constants in (PLAIN, PAR):
            got = _scored(folder.name, constants).coverage
            par = "par" if constants.beta else "no par"
            what = f"{folder.name}, {par}: coverage95"
            yield Line("G4", what, f"{low}-{high}", f"{got:.3f}", low <= got <= high)


def million_fast(updates: int) -> Iterator[Line]:
    """G5: a million results in a separate process on one core."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.ratings.million", str(updates)],
        env={**os.environ, **threads},
        capture_output=True,
        text=True,
        check=True,
    )
    got = json.loads(run.stdout)
    yield Line("G5", "full refit, s", "<= 10", f"{got['fit_s']:.2f}", got["fit_s"] <= 10.0)
    yield Line("G5", "its memory, MB", "<= 2000", f"{got['fit_mb']:.0f}", got["fit_mb"] <= 2000.0)
    p99, drift = got["update_p99_ms"], got["drift"]
    yield Line("G5", "update p99, ms of CPU time", "<= 50", f"{p99:.1f}", p99 <= 50.0)
    what = f"drift after {updates} results, Elo"
    yield Line("G5", what, "<= 0.2", f"{drift:.3f}", drift <= 0.2)
    wall = f"{got['update_p99_wall_ms']:.1f} ms"
    yield Line("G5", "update p99, wall time", "", wall, True)
    told = f"{got['update_p50_ms']:.1f} ms, {got['moved']:.0f}, {got['update_mb']:.0f} MB"
    yield Line("G5", "update p50, players changed, memory", "", told, True)


def changes_explained() -> Iterator[Line]:
    """G6: parts compared with changes, between two fits and along incremental updates."""
    for folder in folders():
        results = folder.results
        record = _record(results)
        most = len(results) - 200
        before = IncrementalRatings(results.rows(np.arange(most)), PLAIN)
        after = IncrementalRatings(results, PLAIN)
        unexplained = [_unexplained(before, after, p) for p in range(results.player_count)]
        moves = [move for t in range(most, len(results)) for move in before.add(results.rows([t]))]
        unexplained += [
            abs(sum(part.elo for part in move.parts()) - move.now + move.was) for move in moves
        ]
        worst = max(unexplained)
        what = f"{folder.name}: parts less change, refit and {len(moves)} moves"
        yield Line("G6", what, "<= 0.01", f"{worst:.5f}", worst <= 0.01)
        same = np.array_equal(record, _record(results))
        got = "unchanged" if same else "changed"
        yield Line("G6", f"{folder.name}: wins and losses", "unchanged", got, same)


def _unexplained(before: IncrementalRatings, after: IncrementalRatings, player: int) -> float:
    """Return the absolute error of the parts of one player's change, Elo."""
    parts = explain(before.breakdown(player), after.breakdown(player))
    change = after.rating(player) - before.rating(player)
    return abs(sum(part.elo for part in parts) - change)


def _record(results: Results) -> Ints:
    """(players, 2): games won and lost."""
    won = results.margin[:, 0] > 0
    count = results.player_count
    first, second = results.players.T
    wins = np.bincount(first[won], minlength=count) + np.bincount(second[~won], minlength=count)
    games = np.bincount(results.players.ravel(), minlength=count)
    return np.column_stack([wins, games - wins])


def cheats_and_leavers() -> Iterator[Line]:
    """G7: removal of a player, and leaving."""
    for folder in folders():
        results = folder.results
        worst = max(_trace(results, player) for player in range(0, results.player_count, 40))
        what = f"{folder.name}: trace of a deleted player"
        yield Line("G7", what, "<= 0.05", f"{worst:.4f}", worst <= 0.05)
    biases = [leaving_bias(np.random.default_rng(seed)) for seed in range(8)]
    ruled = float(np.mean([bias.ruled for bias in biases]))
    dropped = float(np.mean([bias.dropped for bias in biases]))
    left = 100.0 * float(np.mean([bias.left for bias in biases]))
    what = f"bias of leaving, {left:.0f}% of games left"
    wanted = f"< 4 (dropped: {dropped:.1f})"
    yield Line("G7", what, wanted, f"{ruled:.2f}", abs(ruled) < 4.0)


def _trace(results: Results, player: int) -> float:
    """Return the largest difference between removing a player and a league without that player."""
    deleted = fit(results.without([player]), PLAIN, fit(results, PLAIN)).rating
    rows = np.flatnonzero((results.players != player).all(axis=1))
    renumbered = results.players[rows] - (results.players[rows] > player)
    never = Results.from_relative(renumbered, results.game[rows], results.margin[rows])
    return float(np.abs(np.delete(deleted, player) - fit(never, PLAIN).rating).max())


def three_players() -> Iterator[Line]:
    """G9: rank correlation after 50 games each, in leagues simulated from the model."""
    rhos = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        league = even_league(THREE_SEATS, rng, players=240, rounds=50, plays=10)
        rhos.append(spearman(fit(league.results, THREE_SEATS).skill, league.skill))
    mean = float(np.mean(rhos))
    got = f"{mean:.3f} ({min(rhos):.3f}-{max(rhos):.3f})"
    yield Line("G9", "three players, 50 games: rho, 8 leagues", ">= 0.70", got, mean >= 0.70)
