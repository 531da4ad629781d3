"""The description of each page for search engines and previews, by its name in the URL patterns."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SITE = _("Cribbage for two or three, against friends or the computer.")

DESCRIPTIONS: Final[dict[str, Promise]] = {
    "games:landing": _("Play cribbage against the computer or friends. No account needed."),
    "games:lobby": _("Open cribbage tables. Sit down, or start your own."),
    "games:learn": _("Learn cribbage in five minutes, with a coach at a real table."),
    "games:help": _("Answers for new players, from learning cribbage to deleting an account."),
    "games:rules": _("How to play cribbage, with pictures."),
    "games:counting": _("Learn to count a cribbage hand, step by step."),
    "games:counter": _("Count any cribbage hand: every fifteen, pair and run."),
    "games:discards": _("Which cards to throw to the crib: every throw compared."),
    "games:explorer": _("What people really throw, lead and answer with any hand."),
    "games:puzzle": _("One cribbage hand a day, the same for everyone. What do you throw?"),
    "games:puzzles": _("Cribbage puzzles with one best answer."),
    "games:insights": _("What your throws, leads and answers cost you, and when."),
    "games:records": _("Best hands, longest streaks, and matches to watch."),
    "games:open_data": _("Every public cribbage game in one file a month."),
    "ratings:daily": _("One cribbage game a day, the same cards for everyone."),
    "ratings:ranked": _("Ranked cribbage without the luck of the deal."),
    "ratings:how": _("How ranked cribbage works, in five pictures."),
    "ratings:leaderboard": _("Who plays the same cribbage cards best."),
    "ratings:seasons": _("Ranked cribbage, month by month and year by year."),
    "ratings:clubs": _("Cribbage clubs and club nights with your own group."),
    "ratings:events": _("Cribbage tournaments: Swiss, knockout, round robin."),
    "ratings:challenge_new": _("Send a friend the same cards, and compare hand by hand."),
}
"""Pages that are not listed have the site's."""


def description_of(page: str) -> str:
    """Return the description of a page."""
    return str(DESCRIPTIONS.get(page, SITE))
