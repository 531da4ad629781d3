"""Spoken counts, as players say them: "fifteen two, fifteen four, and a pair is six"."""

from __future__ import annotations

from games.engine.scoring import Breakdown, Part

# fmt: off
_SMALL = (
    "nothing", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
    "sixteen", "seventeen", "eighteen", "nineteen",
)
# fmt: on

_NAMES = {
    "pair": "a pair",
    "pair_royal": "a pair royal",
    "double_pair_royal": "a double pair royal",
    "nobs": "his nobs",
    "thirty_one": "thirty-one",
}


def spoken(counted: Breakdown) -> str:
    """Return the count in words with its running total; a hand worth no points is "nothing".

    Each part of the breakdown is one phrase, in order.
    """
    if not counted.parts:
        return _SMALL[0]
    phrases: list[str] = []
    total = 0
    for part in counted.parts:
        total += part.points
        phrases.append(_phrase(part, total))
    if len(phrases) > 1 and counted.parts[-1].kind != "fifteen":
        phrases[-1] = f"and {phrases[-1]}"
    return ", ".join(phrases)


def number_in_words(number: int) -> str:
    """Return a number from 0 ("nothing") to 39 in words."""
    if number < 20:
        return _SMALL[number]
    tens = "twenty" if number < 30 else "thirty"
    return f"{tens}-{_SMALL[number % 10]}" if number % 10 else tens


def _phrase(part: Part, total: int) -> str:
    so_far = number_in_words(total)
    if part.kind == "fifteen":
        return f"fifteen {so_far}"
    if part.kind in {"run", "flush"}:
        return f"a {part.kind} of {_SMALL[len(part.cards)]} is {so_far}"
    return f"{_NAMES[part.kind]} is {so_far}"
