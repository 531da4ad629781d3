"""The endgame solver against brute force, known equilibria and the engine's rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from benchmarks.endgames.suite import view_of
from games.analysis.endgames.model import Endgame, endgame, symbol_of
from games.analysis.endgames.solver import (
    GAP,
    Solution,
    Tree,
    best_value,
    choice_values,
    solve,
    tree_of,
    with_prior,
)
from games.analysis.winning import win_probability
from games.engine import rules
from games.engine.cards import RANK, Card, card_name, card_names
from games.engine.moves import Play
from games.engine.scoring import count_hand
from games.engine.state import State
from games.engine.view import View
from tests.support.hands import played

ONE_AGAINST_TWO = "113-109 5D9CTSKS 3S4C6DJH 2H3HQDKD 8H KS4C5D6D3S"
"""Pone has 9C and TS, the dealer one card; nobody is sure to be out by counting."""
TWO_EACH = "110-117 2C6D9SQH 3D4H8SJC AC5CTDKH 7C QHJC6D4H"
FLUSHES = "112-111 2H6H9SQH 3D8DJCJD AC5CTDKH 7C QH8D6H3D"
THREE_AGAINST_TWO = "112-114 2H7CKCQD 4D8DTSKH 3C3DJHJS 6S 2H4D7C"


def kuhn() -> Tree:
    """Return Kuhn's poker with three cards: its value is -1/18 for the first player."""
    # Sequences of each role: three types, then two for each set: (check, bet), (fold, call).
    sets: tuple[list[list[int]], list[list[int]]] = ([], [])
    size = [3, 3]
    at: dict[tuple[int, int, str], int] = {}
    for role, stories in ((0, ("", "pb")), (1, ("p", "b"))):
        for card in range(3):
            for story in stories:
                parent = card if story != "pb" else at[0, card, ""]
                at[role, card, story] = size[role]
                sets[role].append([parent, size[role], 2, card, 0, 0])
                size[role] += 2
    leaves, values = [], []
    for mine in range(3):
        for other in range(3):
            if mine == other:
                continue
            sign = 1 if mine > other else -1
            first, second = at[0, mine, ""], at[0, mine, "pb"]
            passed, faced = at[1, other, "p"], at[1, other, "b"]
            leaves += [
                (first, passed),
                (second, passed + 1),
                (second + 1, passed + 1),
                (first + 1, faced),
                (first + 1, faced + 1),
            ]
            values += [sign, -1, 2 * sign, 1, 2 * sign]
    ordered = [np.array(sorted(one, key=lambda row: row[1])) for one in sets]
    return Tree(
        (3, 3), (ordered[0], ordered[1]), (size[0], size[1]), np.array(leaves), np.array(values) / 6
    )


def test_the_solver_finds_the_known_value_of_kuhns_poker() -> None:
    tree = kuhn()
    solution = solve(tree, 0.0005)
    assert solution.gap <= 0.0005
    assert solution.value == pytest.approx(-1 / 18, abs=0.0005)


def solved(line: str) -> tuple[View, Endgame, Tree, Solution]:
    view = view_of(line)
    game = endgame(view)
    tree = tree_of(game)
    return view, game, tree, solve(tree)


@pytest.mark.parametrize("line", [ONE_AGAINST_TWO, TWO_EACH, FLUSHES, THREE_AGAINST_TWO])
def test_a_solutions_gap_is_far_below_a_twentieth_of_a_game_in_a_hundred(line: str) -> None:
    _view, game, grown, _solution = solved(line)
    for prior in ("even", "kept"):
        _game, tree = with_prior(game, grown, prior)
        solution = solve(tree)
        assert -1e-9 <= solution.gap <= GAP < 0.0005
        total = best_value(tree, 0, solution.reach[1])[0]
        assert total == pytest.approx(solution.value, abs=solution.gap + 1e-9)
        assert game.joint.sum() == pytest.approx(1)


def test_a_wrong_strategy_has_a_gap() -> None:
    _view, _game, tree, solution = solved(TWO_EACH)
    lazy = np.zeros(tree.sequences[1])
    lazy[: tree.types[1]] = 1.0
    for one in tree.sets[1]:
        lazy[one[1]] = lazy[one[0]]
    gain = best_value(tree, 0, lazy)[0] - solution.value
    assert gain > 0.001


def unseen(view: View) -> list[Card]:
    seen = {view.starter, *view.cards, *view.thrown, *(card for _, card in view.plays)}
    return [card for card in range(52) if card not in seen]


def test_pairs_of_hands_are_counted_like_cards() -> None:
    view, game, _tree, _solution = solved(FLUSHES)
    deck = sorted({*unseen(view), *view.cards})
    kinds = [{(kind.held, kind.points): at for at, kind in enumerate(side)} for side in game.kinds]
    hands = [
        {pair: kind_of(pair, view, role, kinds[role]) for pair in combinations(deck, 2)}
        for role in range(2)
    ]
    counted = np.zeros(game.joint.shape)
    for one, first in hands[0].items():
        for other, second in hands[1].items():
            if first is not None and second is not None and not set(one) & set(other):
                counted[first, second] += 1
    assert sum(kind.flush for side in game.kinds for kind in side) > 20
    assert game.joint == pytest.approx(counted / counted.sum())


def kind_of(
    pair: tuple[Card, ...], view: View, role: int, kinds: dict[tuple[tuple[int, ...], int], int]
) -> int | None:
    starter = view.starter or 0
    held = np.bincount([symbol_of(card, starter) for card in pair], minlength=14)
    points = count_hand((*pair, *view.played[role]), starter)
    return kinds.get((tuple(map(int, held)), points))


def hands_of(line: str) -> Iterator[tuple[tuple[Card, ...], str]]:
    """Yield each hidden hand of the other player, and the line with it."""
    view = view_of(line)
    words = line.split()
    other = 1 - (view.seat or 0)
    free = unseen(view)
    for hand in combinations(free, view.hand_sizes[other]):
        left = [card for card in free if card not in hand][:2]
        words[1 + other] = card_names(sorted((*view.played[other], *hand)))
        thrown = (*view.thrown, *left) if other else (*left, *view.thrown)
        words[3] = card_names(thrown)
        yield hand, " ".join(words)


def state_of(line: str) -> State:
    scores, pone, dealer, crib, starter, plays = line.split()
    one, other = map(int, scores.split("-"))
    return played(pone, dealer, crib, starter, plays, (one, other))


def chance(state: State, view: View, hand: tuple[Card, ...]) -> float:
    """Return pone's chance to win once the play is over, over all cribs."""
    if state.results and state.results[0].scores[state.results[0].winner] >= 121:
        last = state.hands[-1] if state.hand is None else state.hand
        if last.shown == (None, None):
            return float(state.results[0].winner == 0)
    last = state.hand or state.hands[-1]
    before = [last.before[seat] + last.pegged[seat] for seat in range(2)]
    pone, dealer = (
        before[seat] + count_hand(last.kept(seat), last.starter or 0) for seat in range(2)
    )
    if pone >= 121 or dealer >= 121:
        return float(pone >= 121)
    free = [card for card in unseen(view) if card not in hand]
    won, number = 0.0, 0
    for two in combinations(free, 2):
        points = dealer + count_hand((*view.thrown, *two), last.starter or 0, is_crib=True)
        number += 1
        won += 0.0 if points >= 121 else win_probability((pone, points), 0)[0]
    return won / number


def play_on(state: State, cards: tuple[Card, ...]) -> State:
    for card in cards:
        state = rules.apply(state, Play(state.turn or 0, card)).state
    return state


def test_one_hidden_card_is_valued_like_all_its_cards_and_cribs() -> None:
    view, game, tree, solution = solved(ONE_AGAINST_TWO)
    found = choice_values(game, tree, solution)
    kinds = {(kind.held, kind.points): at for at, kind in enumerate(game.kinds[1])}
    for card in view.cards:
        values = []
        for hand, line in hands_of(ONE_AGAINST_TWO):
            if kind_of(hand, view, 1, kinds) is None:
                continue
            state = play_on(state_of(line), (card,))
            while state.hand and not state.results and state.turn is not None:
                state = play_on(state, (state.hand.held[state.turn][0],))
            values.append(chance(state, view, hand))
        # 42 cards are unseen; at 28 the dealer had no ace, two or three, of which 9 are unseen.
        assert len(values) == 33
        assert found[RANK[card]] == pytest.approx(sum(values) / len(values), abs=1e-9), card_name(
            card
        )


def reply_shares(
    game: Endgame, tree: Tree, solution: Solution, kind: int, symbol: int
) -> dict[int, float]:
    """Return how often the dealer's type replies to pone's first card with each symbol."""
    story = (14 + symbol) * 2
    for one in tree.sets[1]:
        if one[3] == kind and one[5] == story:
            reach = solution.reach[1]
            return {
                int(one[4]) >> (4 * at) & 15: reach[one[1] + at] / reach[one[0]]
                for at in range(one[2])
            }
    return {}


def test_two_hidden_cards_are_valued_like_all_hands_against_the_solved_replies() -> None:
    view, game, tree, solution = solved(TWO_EACH)
    found = choice_values(game, tree, solution)
    starter = view.starter or 0
    kinds = {(kind.held, kind.points): at for at, kind in enumerate(game.kinds[1])}
    for card in view.cards:
        total, number = 0.0, 0
        for hand, line in hands_of(TWO_EACH):
            kind = kind_of(hand, view, 1, kinds)
            if kind is None:
                continue
            number += 1
            shares = reply_shares(game, tree, solution, kind, symbol_of(card, starter))
            state = play_on(state_of(line), (card,))
            if state.results:
                total += chance(state, view, hand)
                continue
            options = {symbol_of(one, starter): one for one in rules.legal(state, 1).cards}
            branches: list[tuple[float, tuple[int, ...]]]
            if state.turn == 1 and len(options) > 1:
                branches = [(shares[symbol], (one,)) for symbol, one in options.items()]
            else:
                branches = [(1.0, ())]
            for share, first in branches:
                after = play_on(state, first)
                while after.hand and not after.results and after.turn is not None:
                    after = play_on(after, (after.hand.held[after.turn][0],))
                total += share * chance(after, view, hand)
        assert found[RANK[card]] == pytest.approx(total / number, abs=1e-6), card_name(card)
