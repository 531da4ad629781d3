"""Texts to send to friends about a result: no cards, and no scores that would help them."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import ngettext

from ratings.pages import sentences
from ratings.standard.field import HandComparison, Standing, Verdict

SQUARES: dict[Standing, str] = {
    "better": "\N{LARGE GREEN SQUARE}",
    "same": "\N{WHITE LARGE SQUARE}",
    "worse": "\N{LARGE ORANGE SQUARE}",
}


def share_text(
    title: str,
    verdict: Verdict,
    hands: Iterable[HandComparison],
    *,
    address: str,
    streak: int = 0,
) -> str:
    """Return a few lines: the title, the place, a square for each hand, and the address.

    A square shows whether the hand went better than the field, equally well, or worse. ``streak``
    is a number of days; up to 1 it is left out.
    """
    lines = [title]
    if verdict.others:
        lines.append(sentences.place(verdict))
    lines.append("".join(SQUARES[hand.standing] for hand in hands))
    if streak > 1:
        lines.append(ngettext("%(n)d day in a row", "%(n)d days in a row", streak) % {"n": streak})
    lines.append(address)
    return "\n".join(lines)
