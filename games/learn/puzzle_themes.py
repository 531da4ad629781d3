"""Kinds and themes of rated puzzles: what is asked, and the idea that decides it."""

from __future__ import annotations

from typing import Literal

from games.analysis import reasons
from games.analysis.reasons import Kind as Why

Kind = Literal["throw", "lead", "answer", "endgame", "count"]
Theme = Literal[
    "pairs",
    "fives",
    "runs",
    "fifteens",
    "starter",
    "their_crib",
    "own_crib",
    "play_cards",
    "missed",
    "fifteen_traps",
    "pair_traps",
    "run_traps",
    "low_cards",
    "score",
    "last_ten",
    "counting",
]

KINDS: tuple[Kind, ...] = ("throw", "lead", "answer", "endgame", "count")

LAST = 10
"""The last holes: a player needs at most this many points to win."""

REASONS: dict[Theme, tuple[Why, ...]] = {
    "pairs": reasons.KINDS["pairs"],
    "fives": ("throws_five", "gives_five", "crib_five", "leads_five"),
    "runs": reasons.KINDS["runs"],
    "fifteens": ("loses_fifteen",),
    "starter": ("fewer_starters", "breaks_flush", "throws_jack"),
    "their_crib": ("gives_pair", "gives_fifteen", "gives_neighbours"),
    "own_crib": ("crib_pair", "crib_fifteen", "crib_neighbours"),
    "play_cards": ("keep_low",),
    "missed": reasons.KINDS["missed"],
    "fifteen_traps": ("opens_fifteen", "opens_thirty_one", "lead_trap", "plans_fifteen"),
    "pair_traps": ("opens_pair", "opens_royal", "lead_from_pair", "plans_pair"),
    "run_traps": ("opens_run", "plans_run"),
    "low_cards": ("low_too_early",),
    "score": reasons.KINDS["score"],
    "last_ten": (),
    "counting": (),
}
"""The reasons of each theme; those that name no idea have none. Two themes are no reasons."""

THEMES: tuple[Theme, ...] = tuple(REASONS)


def theme_of(why: str, *, needs: int) -> Theme | None:
    """Return the theme of a decision by the reason of its mistake; None if it has none.

    ``needs`` are the fewest points that a player needs to win.
    """
    if needs <= LAST:
        return "last_ten"
    return next((theme for theme, kinds in REASONS.items() if why in kinds), None)
