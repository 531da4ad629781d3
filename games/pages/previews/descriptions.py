"""The description of each page for search engines and previews, by its name in the URL patterns."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SITE = _("Cribbage for two or three, against friends or the computer.")

DESCRIPTIONS: Final[dict[str, Promise]] = {
    "games:landing": _(
        "Cribbage against the computer, a friend or two, with a real board and every point"
        " explained. No account needed."
    ),
    "games:lobby": _("Open cribbage tables. Sit down, or start your own."),
    "games:learn": _(
        "Learn cribbage in five minutes: three hands at a real table with a coach, and counting"
        " practice."
    ),
    "games:rules": _(
        "How to play cribbage, with pictures: the deal, the crib, the play, the show, skunks,"
        " three players and muggins."
    ),
    "games:counting": _(
        "Learn to count a cribbage hand, step by step: pairs, fifteens, runs, flushes, his nobs"
        " and the crib."
    ),
    "games:counter": _(
        "Count any cribbage hand. Pick four cards and the starter to see every fifteen, pair and"
        " run."
    ),
    "games:discards": _(
        "Which cards to throw to the crib: every throw compared, with its average points and"
        " chance to win."
    ),
    "games:puzzle": _("One cribbage hand a day, the same for everyone. What do you throw?"),
    "games:records": _("The best hands, the longest streaks, and matches to watch now."),
    "ratings:daily": _("One cribbage game a day, with the same cards for everyone."),
    "ratings:ranked": _(
        "Ranked cribbage without the luck of the deal: you're compared with everyone who held"
        " your cards."
    ),
    "ratings:how": _("How ranked cribbage compares players with the same cards, in five pictures."),
    "ratings:leaderboard": _("The cribbage leaderboard: who plays the same cards best."),
    "ratings:seasons": _("Ranked cribbage by the month and the year: standings and titles."),
    "ratings:clubs": _("Cribbage clubs: play with your own people, and meet for club nights."),
    "ratings:events": _("Cribbage tournaments: Swiss, knockout, round robin and more."),
    "ratings:challenge_new": _("Send a friend the same cards, and compare hand by hand."),
}
"""Pages that are not listed have the site's."""


def description_of(page: str) -> str:
    """Return the description of a page."""
    return str(DESCRIPTIONS.get(page, SITE))
