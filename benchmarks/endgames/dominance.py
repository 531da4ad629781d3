"""Choices that are best whatever is hidden, without a solution and without a prior.

A card is *dominant* if, against every hand that the other player may hold, the worst that can
follow it is at least as good as the best that can follow any other card. No belief and no later
play can make another card better.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import winning
from games.analysis.endgames.model import Endgame
from games.analysis.kernels import endgames as kernels
from games.analysis.kernels.play import LIMIT, next_leader, next_turn, pips_of, play_points

Array = NDArray[Any]


def bounds(game: Endgame) -> Iterator[tuple[float, dict[int, tuple[float, float]]]]:
    """Yield each possible hand's chance (all being equally likely) and the bounds of each choice.

    Bounds are the deciding player's chance to win if both players do their worst and their best for
    that player from then on.
    """
    me = game.me
    row = game.joint[game.own] if me == 0 else game.joint[:, game.own]
    for at in np.flatnonzero(row > 0.0):
        pair = (game.own, int(at)) if me == 0 else (int(at), game.own)
        kinds = [game.kinds[role][pair[role]] for role in range(2)]
        cards = [list(kind.held) for kind in kinds]
        rest = game.hidden - np.array(cards).sum(axis=0)
        crib = np.zeros(30)
        kernels.crib_spread(rest, game.entries, game.shares, crib)
        shown = np.array([kind.points for kind in kinds])
        found = {
            symbol: _follow(game, cards, shown, crib, tuple(map(int, game.line)), symbol)
            for symbol in game.legal
        }
        if me == 1:
            found = {symbol: (1.0 - high, 1.0 - low) for symbol, (low, high) in found.items()}
        yield float(row[at] / row.sum()), found


def _follow(
    game: Endgame,
    cards: list[list[int]],
    shown: Array,
    crib: Array,
    line: tuple[int, ...],
    symbol: int,
) -> tuple[float, float]:
    """Return pone's least and greatest chance to win after a card, all cards being open."""
    start, n, count, turn = line
    rank = kernels.rank_of(symbol)
    points = play_points(game.past, start, n, rank, count)
    total = count + pips_of(rank)
    cards[turn][symbol] -= 1
    game.past[n] = rank
    hands = np.array([held[:13] for held in cards])
    for role in range(2):
        hands[role, kernels.JACK] += cards[role][kernels.NOBS]
    following = next_turn(hands, turn, total)
    if following < 0 and total != LIMIT:
        points += 1
    begin, after = start, total
    if following < 0:
        following, begin, after = next_leader(hands, turn), n + 1, 0
    game.scores[turn] += points
    if game.scores[turn] >= kernels.TARGET:
        found = (float(turn == 0),) * 2
    elif following < 0:
        found = (kernels.end_chance(game.scores, shown, crib, winning.dealer_chances()),) * 2
    else:
        options = [
            one
            for one in range(kernels.SYMBOLS)
            if cards[following][one] and after + pips_of(kernels.rank_of(one)) <= LIMIT
        ]
        both = [
            _follow(game, cards, shown, crib, (begin, n + 1, after, following), one)
            for one in options
        ]
        found = min(low for low, _ in both), max(high for _, high in both)
    game.scores[turn] -= points
    cards[turn][symbol] += 1
    return found


def dominant(game: Endgame) -> tuple[int, float] | None:
    """Return the dominant choice (a symbol), and by how much it is better on average at least.

    None if there is no dominant choice.
    """
    hands = list(bounds(game))
    for choice in game.legal:
        margins = [
            (
                share,
                found[choice][0] - max(high for one, (_, high) in found.items() if one != choice),
            )
            for share, found in hands
        ]
        if all(margin >= -1e-9 for _, margin in margins):
            return choice, sum(share * margin for share, margin in margins)
    return None
