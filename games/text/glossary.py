"""The words of cribbage that pages use without more, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Word:
    """A word as a heading, and its meaning as one or two sentences."""

    term: Promise
    meaning: Promise


WORDS: Mapping[str, Word] = {
    "crib": Word(_("Crib"), _("The dealer's extra hand.")),
    "pone": Word(_("Pone"), _("The player to the dealer's left: leads and counts first.")),
    "starter": Word(_("Starter"), _("The card turned up after the cut. It counts in every hand.")),
    "heels": Word(_("His heels"), _("A jack as the starter: 2 for the dealer.")),
    "nobs": Word(_("His nobs"), _("Your jack of the starter's suit: 1.")),
    "go": Word(_("Go"), _("Every card you hold would pass 31. Also: the point for the last card.")),
    "pegging": Word(_("Pegging"), _("The play up to 31, and the points you score in it.")),
    "peg_out": Word(_("Peg out"), _("Reach the last hole and win.")),
    "skunk": Word(
        _("Skunk"),
        _("Losing by more than 30 points. In a game to 121, more than 60 is a double skunk."),
    ),
    "skunk_lines": Word(
        _("Skunk lines"),
        _("S and SS on the board. Lose before you pass S and it's a skunk, before SS a double."),
    ),
    "muggins": Word(_("Muggins"), _("Claiming points an opponent missed.")),
    "storm": Word(
        _("Storm"), _("As many puzzles as you can in three minutes. Your rating doesn't change.")
    ),
}
"""Name -> word, in the order of the rules."""

OF_THE_RULES = tuple(name for name in WORDS if name != "storm")
"""The terms that the rules of the game explain."""
