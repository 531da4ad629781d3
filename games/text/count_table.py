"""The words of counts and of cards: numbers, ranks, suits, and a phrase for each combination.

This table is the one source for the server, the command line and the browser: `make counts` writes
static/js/text/count_table.js from it. `games.text.count_phrases` puts the words together.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

# fmt: off
NUMBERS: tuple[Promise, ...] = (
    _("nothing"), _("one"), _("two"), _("three"), _("four"), _("five"), _("six"), _("seven"),
    _("eight"), _("nine"), _("ten"), _("eleven"), _("twelve"), _("thirteen"), _("fourteen"),
    _("fifteen"), _("sixteen"), _("seventeen"), _("eighteen"), _("nineteen"), _("twenty"),
    _("twenty-one"), _("twenty-two"), _("twenty-three"), _("twenty-four"), _("twenty-five"),
    _("twenty-six"), _("twenty-seven"), _("twenty-eight"), _("twenty-nine"), _("thirty"),
    _("thirty-one"),
)
"""The numbers from 0 to 31: all points of a hand, and all counts of the play."""

RANKS: tuple[Promise, ...] = (
    # Many languages write the card "two" differently from the number "two".
    pgettext_lazy("rank", "ace"), pgettext_lazy("rank", "two"), pgettext_lazy("rank", "three"),
    pgettext_lazy("rank", "four"), pgettext_lazy("rank", "five"), pgettext_lazy("rank", "six"),
    pgettext_lazy("rank", "seven"), pgettext_lazy("rank", "eight"), pgettext_lazy("rank", "nine"),
    pgettext_lazy("rank", "ten"), pgettext_lazy("rank", "jack"), pgettext_lazy("rank", "queen"),
    pgettext_lazy("rank", "king"),
)
"""The ranks, from ace to king."""

SUITS: tuple[Promise, ...] = (
    # The plural of club is another word in most languages.
    pgettext_lazy("suit", "clubs"), pgettext_lazy("suit", "diamonds"),
    pgettext_lazy("suit", "hearts"), pgettext_lazy("suit", "spades"),
)
"""The suits, in the order of the engine's cards."""
# fmt: on

CARD: Promise = _("%(rank)s of %(suit)s")
"""The name of a card."""


NAMES: dict[str, Promise] = {
    "fifteen": pgettext_lazy("combination", "fifteen"),
    "thirty_one": pgettext_lazy("combination", "thirty-one"),
    "pair": pgettext_lazy("combination", "a pair"),
    "pair_royal": pgettext_lazy("combination", "a pair royal"),
    "double_pair_royal": pgettext_lazy("combination", "a double pair royal"),
    "run": pgettext_lazy("combination", "a run of %(size)s"),
    "double_run": pgettext_lazy("combination", "a double run of %(size)s"),
    "triple_run": pgettext_lazy("combination", "a triple run of %(size)s"),
    "double_double_run": pgettext_lazy("combination", "a double double run of %(size)s"),
    "flush": pgettext_lazy("combination", "a flush of %(size)s"),
    "nobs": pgettext_lazy("combination", "his nobs"),
}
"""Kind of combination -> its name. %(size)s is the number of cards, of a run or of a flush.

The kinds are those of `games.engine.scoring`, and runs that share pairs (`SEVERAL_RUNS`).
"""

SEVERAL_RUNS: dict[int, str] = {2: "double_run", 3: "triple_run", 4: "double_double_run"}
"""Number of runs in a hand -> the kind that calls them together with their pairs."""


@dataclass(frozen=True, slots=True)
class Call:
    """The words that call a combination in the show; %(total)s stands for the points so far.

    Attributes:
        said: the usual words.
        last: the words at the end of a count of several combinations.
    """

    said: Promise
    last: Promise


CALLS: dict[str, Call] = {
    "fifteen": Call(_("fifteen %(total)s"), _("fifteen %(total)s")),
    "pair": Call(_("a pair is %(total)s"), _("and a pair is %(total)s")),
    "pair_royal": Call(_("a pair royal is %(total)s"), _("and a pair royal is %(total)s")),
    "double_pair_royal": Call(
        _("a double pair royal is %(total)s"),
        _("and a double pair royal is %(total)s"),
    ),
    "run": Call(_("a run of %(size)s is %(total)s"), _("and a run of %(size)s is %(total)s")),
    "double_run": Call(
        _("double run of %(size)s is %(total)s"),
        _("and a double run of %(size)s is %(total)s"),
    ),
    "triple_run": Call(
        _("triple run of %(size)s is %(total)s"),
        _("and a triple run of %(size)s is %(total)s"),
    ),
    "double_double_run": Call(
        _("double double run of %(size)s is %(total)s"),
        _("and a double double run of %(size)s is %(total)s"),
    ),
    "flush": Call(
        _("a flush of %(size)s is %(total)s"),
        _("and a flush of %(size)s is %(total)s"),
    ),
    "nobs": Call(_("his nobs is %(total)s"), _("and his nobs is %(total)s")),
}
"""Kind of combination -> how it is called in the show."""
