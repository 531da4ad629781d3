"""Translated phrases for cards and counts: "five of hearts", "fifteen two"."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.engine.cards import RANK, SUIT, Card
from games.engine.scoring import Breakdown, Part

# Many languages write the card "Two" differently from the number "two".
_RANKS = (
    pgettext_lazy("rank", "ace"),
    pgettext_lazy("rank", "two"),
    pgettext_lazy("rank", "three"),
    pgettext_lazy("rank", "four"),
    pgettext_lazy("rank", "five"),
    pgettext_lazy("rank", "six"),
    pgettext_lazy("rank", "seven"),
    pgettext_lazy("rank", "eight"),
    pgettext_lazy("rank", "nine"),
    pgettext_lazy("rank", "ten"),
    pgettext_lazy("rank", "jack"),
    pgettext_lazy("rank", "queen"),
    pgettext_lazy("rank", "king"),
)
_SUITS = (_("clubs"), _("diamonds"), _("hearts"), _("spades"))
_SMALL = (
    *(_("nothing"), _("one"), _("two"), _("three"), _("four"), _("five"), _("six"), _("seven")),
    *(_("eight"), _("nine"), _("ten"), _("eleven"), _("twelve"), _("thirteen"), _("fourteen")),
    *(_("fifteen"), _("sixteen"), _("seventeen"), _("eighteen"), _("nineteen"), _("twenty")),
    *(_("twenty-one"), _("twenty-two"), _("twenty-three"), _("twenty-four")),
    *(_("twenty-five"), _("twenty-six"), _("twenty-seven"), _("twenty-eight"), _("twenty-nine")),
)


def number_words(number: int) -> str:
    """Return a count from 0 to 29 in words."""
    return str(_SMALL[number])


def card_words(card: Card) -> str:
    """Return the spoken name of a card: "five of hearts"."""
    return gettext("%(rank)s of %(suit)s") % {
        "rank": _RANKS[RANK[card]],
        "suit": _SUITS[SUIT[card]],
    }


def part_words(part: Part) -> str:
    """Return the name of one combination, without its points."""
    return str(_PART_NAMES[part.kind](part))


def count_words(count: Breakdown) -> str:
    """Return the whole count as players say it, each part with the running total.

    For example "fifteen two, fifteen four, and a pair is six", or "nothing" without points.
    """
    if not count.parts:
        return gettext("nothing")
    phrases = _phrases(count.parts)
    spoken = []
    so_far = 0
    for at, (phrase, points) in enumerate(phrases):
        so_far += points
        is_last = at == len(phrases) - 1 > 0
        spoken.append(_cadence(phrase, is_last=is_last) % {"total": number_words(so_far)})
    return ", ".join(spoken)


def _cadence(phrase: str | None, *, is_last: bool) -> str:
    """Return the pattern for a part, with a placeholder for the total; None means a fifteen."""
    if phrase is None:
        return gettext("fifteen %(total)s")
    pattern = gettext("and {what} is %(total)s") if is_last else gettext("{what} is %(total)s")
    return pattern.format(what=phrase)


def _phrases(parts: Sequence[Part]) -> list[tuple[str | None, int]]:
    """Return the phrases with their points; runs with pairs (double runs ...) are one phrase.

    Fifteens, which are called without "is", are None.
    """
    fifteens: list[tuple[str | None, int]] = [
        (None, part.points) for part in parts if part.kind == "fifteen"
    ]
    runs = [part for part in parts if part.kind == "run"]
    pairs = [part for part in parts if "pair" in part.kind]
    rest = [(part_words(part), part.points) for part in parts if part.kind in ("flush", "nobs")]
    if len(runs) > 1:
        together = (_several_runs(runs), sum(part.points for part in (*runs, *pairs)))
        return [*fifteens, together, *rest]
    spoken = [(part_words(part), part.points) for part in (*pairs, *runs)]
    return [*fifteens, *spoken, *rest]


def _several_runs(runs: Sequence[Part]) -> str:
    """Return the name of two, three or four runs with their pairs, such as a double run."""
    size = len(runs[0].cards)
    names = {
        2: gettext("a double run of %(size)s"),
        3: gettext("a triple run of %(size)s"),
        4: gettext("a double double run of %(size)s"),
    }
    return names[len(runs)] % {"size": number_words(size)}


_PART_NAMES: dict[str, Callable[[Part], str]] = {
    "fifteen": lambda _part: gettext("fifteen"),
    "thirty_one": lambda _part: gettext("thirty-one"),
    "pair": lambda _part: gettext("a pair"),
    "pair_royal": lambda _part: gettext("a pair royal"),
    "double_pair_royal": lambda _part: gettext("a double pair royal"),
    "run": lambda part: gettext("a run of %(size)s") % {"size": number_words(len(part.cards))},
    "flush": lambda part: gettext("a flush of %(size)s") % {"size": number_words(len(part.cards))},
    "nobs": lambda _part: gettext("his nobs"),
}


def points_words(points: int) -> str:
    """Return a number of points as text: "1 point", "12 points"."""
    return ngettext("%(n)d point", "%(n)d points", points) % {"n": points}
