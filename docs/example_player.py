"""A player for the arena: keeps pairs, fifteens and fives, takes points, else plays high."""

import json
import sys
from itertools import combinations


def value(card):
    """Return the points of a card in a count."""
    return min("A23456789TJQK".index(card[0]) + 1, 10)


def worth(cards):
    """Return the points of four cards, without runs; a five counts one more."""
    some = [part for size in (2, 3, 4) for part in combinations(cards, size)]
    pairs = sum(a[0] == b[0] for a, b in combinations(cards, 2))
    fifteens = sum(sum(map(value, part)) == 15 for part in some)
    return 2 * (pairs + fifteens) + sum(card[0] == "5" for card in cards)


def gain(card, view):
    """Return the points that a card pegs at once, without runs; high cards win ties."""
    last = view["pile"][-1][1] if view["pile"] else "--"
    count = view["count"] + value(card)
    return 2 * (count in (15, 31)) + 2 * (card[0] == last[0]) + value(card) / 100


for line in sys.stdin:
    question = json.loads(line)
    view, legal = question["view"], question["view"]["legal"]
    if question["t"] == "discard":
        kept = max(combinations(legal["cards"], 4), key=worth)
        answer = {"cards": [card for card in legal["cards"] if card not in kept]}
    else:
        answer = {"card": max(legal["cards"], key=lambda card: gain(card, view))}
    print(json.dumps(answer), flush=True)
