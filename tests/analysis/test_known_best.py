"""Known best moves, and what the reviews' analysis says of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from benchmarks.endgames import suite
from benchmarks.endgames.dominance import bounds
from games.analysis.endgames.model import endgame
from games.analysis.kernels import endgames as kernels
from games.analysis.review import judge, throw_view
from games.analysis.review_verdicts import SOUND
from games.bots import get
from games.engine.cards import RANK, RANKS, parse_cards

LIST = Path(__file__).with_name("known_best.txt").read_text().splitlines()
"""One position a line, made by ``python -m benchmarks.endgames known``, which explains it."""

LEAST_BEST, LEAST_WRONG, LEAST = 0.95, 0.90, 0.95
"""Least shares of best choices called sound, of the others called wrong, and of all."""


def checked(line: str) -> list[tuple[str, bool]]:
    """Return whether the verdicts on the best and on the other choices are right."""
    source, rest = line.split(": ")
    if source == "counts":
        scores, cards, thrown = rest.split()
        own, dealer = map(int, scores.split("-"))
        view = throw_view(parse_cards(cards), dealer=False, scores=(own, dealer))
        return [("best", judge(view, parse_cards(thrown)).verdict in SOUND)]
    position, best = rest.rsplit(" ", 1)
    view = suite.view_of(position)
    found = []
    for rank, card in {RANK[card]: card for card in view.legal.cards}.items():
        sound = judge(view, (card,)).verdict in SOUND
        if RANKS[rank] == best:
            found.append(("best", sound))
        else:
            found.append(("wrong", not sound))
    return found


def test_reviews_agree_with_known_best_moves() -> None:
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for line in LIST:
        for kind, good in checked(line):
            right[kind] += good
            total[kind] += 1
    share = {kind: right[kind] / total[kind] for kind in total}
    print(f"agreement {right.total() / total.total():.1%}: {dict(right)} of {dict(total)}")
    assert len(LIST) >= 300
    assert share["best"] >= LEAST_BEST
    assert share["wrong"] >= LEAST_WRONG
    assert right.total() >= LEAST * total.total()


def test_a_dominant_choice_is_best_against_every_hand() -> None:
    proven = [line for line in LIST if line.startswith("dominant")][::20]
    for line in proven:
        position, best = line.partition(": ")[2].rsplit(" ", 1)
        game = endgame(suite.view_of(position))
        for _share, found in bounds(game):
            ranks = {symbol: RANKS[kernels.rank_of(symbol)] for symbol in found}
            low = max(found[symbol][0] for symbol in found if ranks[symbol] == best)
            high = max(found[symbol][1] for symbol in found if ranks[symbol] != best)
            assert low >= high - 1e-9


def test_the_suite_is_large_and_its_values_are_those_of_the_solver() -> None:
    positions = suite.load()
    assert len(positions) >= 1000
    assert {one.view.seat == one.view.dealer for one in positions} == {True, False}
    for one in positions[::100]:
        for stored, solved in zip(one.values, suite.values_of(one.view), strict=True):
            assert stored.keys() == solved.keys()
            assert all(abs(stored[rank] - solved[rank]) < 0.001 for rank in stored)


def test_the_strongest_loses_little_in_solved_endgames() -> None:
    ada = get("ada")
    positions = suite.load()[::4]
    played = [RANK[ada.play(one.view)] for one in positions]
    for prior in range(2):
        losses = [one.loss(rank, prior) for one, rank in zip(positions, played, strict=True)]
        assert 0 < sum(losses) / len(losses) < 0.0040
