"""A reference scorer, written from the rules independently of the engine.

Cards are names such as ``5H``; every subset is examined.
"""

from collections.abc import Sequence
from itertools import combinations

ORDER = "A23456789TJQK"


def place(name: str) -> int:
    return ORDER.index(name[0])


def value(name: str) -> int:
    return min(place(name) + 1, 10)


def subsets(cards: Sequence[str]) -> list[tuple[str, ...]]:
    return [some for size in range(1, len(cards) + 1) for some in combinations(cards, size)]


def is_run(cards: Sequence[str]) -> bool:
    places = sorted(place(card) for card in cards)
    return len(cards) >= 3 and places == list(range(places[0], places[0] + len(cards)))


def count(hand: Sequence[str], starter: str, crib: bool = False) -> int:
    """Return the points of four cards and the starter (rule 4.2)."""
    five = [*hand, starter]
    points = sum(2 for some in subsets(five) if sum(map(value, some)) == 15)
    points += sum(2 for one, other in combinations(five, 2) if one[0] == other[0])
    runs = [len(some) for some in subsets(five) if is_run(some)]
    points += sum(length for length in runs if length == max(runs))
    if len({card[1] for card in five}) == 1:
        points += 5
    elif len({card[1] for card in hand}) == 1 and not crib:
        points += 4
    return points + sum(1 for card in hand if card == "J" + starter[1])


def play_points(pile: Sequence[str]) -> int:
    """Return the points of the last card of the pile (rule 3.5)."""
    points = 2 if sum(map(value, pile)) in {15, 31} else 0
    for length in (4, 3, 2):
        if len(pile) >= length and len({card[0] for card in pile[-length:]}) == 1:
            points += length * (length - 1)
            break
    for length in range(len(pile), 2, -1):
        if is_run(pile[-length:]):
            points += length
            break
    return points
