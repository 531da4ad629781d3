"""Reasons of discards: what the hand, the crib or the play loses against the best discard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from games.analysis.positions import hidden_from
from games.analysis.reasons import Choice, Kind, Reason
from games.engine.cards import JACK, PIPS, RANK, SUIT, Card
from games.engine.scoring import PartKind, score_hand

if TYPE_CHECKING:
    from games.engine.view import View

FIVE = 4
LOW = 3
"""The highest rank, a four, of a card with which the other can't make fifteen."""

Cards = Sequence[Card]


def reason(view: View, best: Choice, own: Choice) -> Reason:
    """Return the part of the points that the choice loses most, and what in the cards it is."""
    dealer = view.seat == view.dealer
    sign = 1.0 if dealer else -1.0
    lost = {
        "hand": (best.hand or 0.0) - (own.hand or 0.0),
        "crib": sign * ((best.crib or 0.0) - (own.crib or 0.0)),
        "pegging": (best.pegging or 0.0) - (own.pegging or 0.0),
    }
    part = max(lost, key=lambda name: lost[name])
    if part == "hand":
        return _hand_reason(view, best.cards, own.cards)
    if part == "crib":
        return _crib_reason(best.cards, own.cards) if dealer else _gift(best.cards, own.cards)
    return _pegging_reason(view, best.cards, own.cards)


# --- the hand ----------------------------------------------------------------------------------


def _hand_reason(view: View, best: Cards, own: Cards) -> Reason:
    """Name the combination whose average over all starters falls most."""
    kept, ours = _kept(view, best), _kept(view, own)
    if FIVE in _ranks(own) and FIVE not in _ranks(best):
        return Reason("throws_five")
    hidden = hidden_from(view)
    found = _averages(kept, hidden)
    found.subtract(_averages(ours, hidden))
    kind = max(found, key=lambda name: found[name])
    named = _NAMED[kind](kept, ours, own)
    return named or Reason("fewer_starters")


def _averages(kept: Cards, hidden: Cards) -> Counter[str]:
    """Return the points of each kind of combination, summed over the starters."""
    found: Counter[str] = Counter({"fifteen": 0})
    for starter in hidden:
        for part in score_hand(kept, starter).parts:
            found[_FAMILY.get(part.kind, part.kind)] += part.points
    return found


_FAMILY: dict[PartKind, str] = {"pair_royal": "pair", "double_pair_royal": "pair"}


def _pair(kept: Cards, ours: Cards, thrown: Cards) -> Reason | None:
    before, after = Counter(_ranks(kept)), Counter(_ranks(ours))
    ranks = [rank for rank in before if before[rank] > 1 and after[rank] < before[rank]]
    if not ranks:
        return None
    rank = max(ranks, key=lambda one: (before[one], one))
    kind: Kind = "throws_pair" if _ranks(thrown).count(rank) > 1 else "breaks_pair"
    if before[rank] > 2:
        kind = "breaks_royal"
    return Reason(kind, rank=rank)


def _run(kept: Cards, ours: Cards, _thrown: Cards) -> Reason | None:
    cards = longest_run(kept)
    if len(cards) >= 3 and not set(_ranks(cards)) <= set(_ranks(ours)):
        return Reason("breaks_run", tuple(cards))
    if len(cards) >= 3 and _runs(kept) > _runs(ours):
        again = next(card for card in kept if card not in ours)
        return Reason("breaks_run", tuple(sorted({*cards, again})))
    near = _neighbours(kept)
    return Reason("loses_run_draw", near) if near and near != _neighbours(ours) else None


def _fifteen(kept: Cards, ours: Cards, _thrown: Cards) -> Reason | None:
    lost = [some for some in fifteens(kept) if not set(some) <= set(ours)]
    gained = [some for some in fifteens(ours) if not set(some) <= set(kept)]
    if len(lost) <= len(gained):
        return None
    return Reason("loses_fifteen", min(lost, key=len))


def _flush(kept: Cards, ours: Cards, _thrown: Cards) -> Reason | None:
    same = len({SUIT[card] for card in kept}) == 1 < len({SUIT[card] for card in ours})
    return Reason("breaks_flush") if same else None


def _nobs(_kept: Cards, _ours: Cards, thrown: Cards) -> Reason | None:
    return Reason("throws_jack") if JACK in _ranks(thrown) else None


_NAMED = {"pair": _pair, "run": _run, "fifteen": _fifteen, "flush": _flush, "nobs": _nobs}


def fifteens(cards: Cards) -> list[tuple[Card, ...]]:
    """Return the sets of cards that add up to fifteen."""
    return [
        some
        for size in range(2, len(cards) + 1)
        for some in combinations(sorted(cards), size)
        if sum(PIPS[card] for card in some) == 15
    ]


def longest_run(cards: Cards) -> tuple[Card, ...]:
    """Return the longest run of three or more cards, one card of each rank; () if there is none."""
    one = {RANK[card]: card for card in sorted(cards, reverse=True)}
    for size in range(len(cards), 2, -1):
        for low in range(13):
            if all(low + step in one for step in range(size)):
                return tuple(one[low + step] for step in range(size))
    return ()


def _runs(cards: Cards) -> int:
    """Return the number of runs of the longest length."""
    size = len(longest_run(cards))
    if size < 3:
        return 0
    return sum(
        len(set(ranks)) == size and max(ranks) - min(ranks) == size - 1
        for ranks in map(_ranks, combinations(cards, size))
    )


def _neighbours(cards: Cards) -> tuple[Card, ...]:
    """Return the two cards, of neighbouring ranks or with a gap of one, nearest to a run."""
    pairs = [
        (RANK[second] - RANK[first], (first, second))
        for first, second in combinations(sorted(cards), 2)
        if 1 <= RANK[second] - RANK[first] <= 2
    ]
    return min(pairs)[1] if pairs else ()


# --- the crib ----------------------------------------------------------------------------------


def _gift(best: Cards, own: Cards) -> Reason:
    """Name what a pone's discard gives the dealer."""
    kind = _crib_feature(own, besides=best)
    kinds: dict[str, Kind] = {
        "five": "gives_five",
        "pair": "gives_pair",
        "fifteen": "gives_fifteen",
        "neighbours": "gives_neighbours",
    }
    return _named(kinds.get(kind, "gives_crib"), own)


def _crib_reason(best: Cards, own: Cards) -> Reason:
    """Name what the dealer's own crib misses."""
    kind = _crib_feature(best, besides=own)
    kinds: dict[str, Kind] = {
        "five": "crib_five",
        "pair": "crib_pair",
        "fifteen": "crib_fifteen",
        "neighbours": "crib_neighbours",
    }
    return _named(kinds.get(kind, "crib_more"), best)


def _named(kind: Kind, cards: Cards) -> Reason:
    return Reason(kind, tuple(sorted(cards)))


def _crib_feature(cards: Cards, *, besides: Cards) -> str:
    """Return what makes two cards good in a crib and is missing in ``besides``; "" for nothing."""
    theirs = _features(besides)
    return next((one for one in _features(cards) if one not in theirs), "")


def _features(cards: Cards) -> list[str]:
    """Return what makes cards good in a crib, most valuable first."""
    ranks = _ranks(cards)
    apart = max(ranks) - min(ranks)
    found = {
        "pair": len(ranks) > 1 and apart == 0,
        "five": FIVE in ranks,
        "fifteen": sum(PIPS[card] for card in cards) == 15,
        "neighbours": apart == 1,
    }
    return [name for name, has in found.items() if has]


# --- the play ----------------------------------------------------------------------------------


def _pegging_reason(view: View, best: Cards, own: Cards) -> Reason:
    low = sum(RANK[card] <= LOW for card in _kept(view, best))
    if low > sum(RANK[card] <= LOW for card in _kept(view, own)):
        lost = tuple(sorted(card for card in own if RANK[card] <= LOW))
        return Reason("keep_low", lost)
    return Reason("pegs_worse")


def _kept(view: View, thrown: Cards) -> tuple[Card, ...]:
    return tuple(sorted(card for card in view.cards if card not in thrown))


def _ranks(cards: Cards) -> list[int]:
    return [RANK[card] for card in cards]
