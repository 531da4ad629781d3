"""Names of kinds and themes of rated puzzles, and changes of ratings in words."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import PuzzleAttempt
from games.pages.learn.review_words import whole

KINDS: Mapping[str, Promise] = {
    "throw": pgettext_lazy("puzzles", "Throws"),
    "lead": pgettext_lazy("puzzles", "Leads"),
    "answer": pgettext_lazy("puzzles", "Answers"),
    "endgame": pgettext_lazy("puzzles", "Endgames"),
    "count": _("Count against the clock"),
}

THEMES: Mapping[str, Promise] = {
    "pairs": _("Breaking pairs"),
    "fives": _("Fives"),
    "runs": _("Breaking runs"),
    "fifteens": _("Keeping fifteens"),
    "starter": _("Starter, jack or flush"),
    "their_crib": _("Their crib"),
    "own_crib": _("Your own crib"),
    "play_cards": _("Cards that peg"),
    "missed": _("Points in the play"),
    "fifteen_traps": _("Fifteen traps"),
    "pair_traps": _("Pair traps"),
    "run_traps": _("Run traps"),
    "low_cards": _("Low cards last"),
    "score": _("Playing to the score"),
    "last_ten": _("The last ten holes"),
    "counting": _("Counting"),
}


def name_of(only: str) -> Promise | str:
    """Return the name of a kind or a theme; "" for neither."""
    return KINDS.get(only) or THEMES.get(only) or ""


def change(row: PuzzleAttempt) -> str:
    """Return what an attempt did to the player's rating: "+12", "−8", or "0"."""
    points = round(row.change or 0)
    return f"+{points}" if points > 0 else whole(points)
