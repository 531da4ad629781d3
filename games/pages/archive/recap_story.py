"""The story of a game in one sentence, and what its cards brought, for one of its players."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.archive.recap import GameRecap

COMEBACK = 15
"""Points behind from which a win is told as a comeback."""

_WON = {
    "hand": gettext_lazy("A hand of %(points)d points put you ahead for good (hand %(hand)d)."),
    "crib": gettext_lazy("A crib of %(points)d points put you ahead for good (hand %(hand)d)."),
    "pegging": gettext_lazy("You pegged %(points)d in hand %(hand)d and stayed ahead."),
    "": gettext_lazy("You took the lead for good in hand %(hand)d."),
}
_LOST_LEAD = {
    "hand": gettext_lazy("You led until hand %(hand)d; a hand of %(points)d points turned it."),
    "crib": gettext_lazy("You led until hand %(hand)d; a crib of %(points)d points turned it."),
    "pegging": gettext_lazy("You led until hand %(hand)d; %(points)d pegged points turned it."),
    "": gettext_lazy("You led until hand %(hand)d."),
}


def story(recap: GameRecap, *, winner: str) -> str:
    """Return the story; "" for a game that was given up. ``winner`` is the winner's name."""
    if not recap.played_out:
        return ""
    turn = recap.turn
    values: dict[str, str | int] = {"name": winner, "n": recap.deficit}
    if turn is None:
        if recap.won:
            return _("You led from first hand to last.")
        return _("%(name)s led from first hand to last.") % values
    values |= {"hand": turn.hand, "points": turn.points}
    if recap.won and recap.deficit >= COMEBACK:
        return _("You came back from %(n)d points behind and led from hand %(hand)d.") % values
    if recap.won:
        return str(_WON[turn.item]) % values
    if turn.lead > 0:
        return str(_LOST_LEAD[turn.item]) % values
    if turn.lead < 0:  # with three players, the third led
        return _("%(name)s took the lead for good in hand %(hand)d.") % values
    return _("You were level before hand %(hand)d; then %(name)s pulled ahead.") % values


def card_luck(recap: GameRecap) -> str:
    """Return how good the cards were, and what they brought; "" if they aren't measured."""
    if recap.luck is None or recap.made is None:
        return ""
    return f"{_dealt(round(recap.luck))} {_brought(recap.made)}"


def _dealt(beyond: int) -> str:
    """Return how good the cards were, from the points that they were worth above the average."""
    if beyond == 0:
        return _("Your cards were average.")
    if beyond > 0:
        text = ngettext(
            "Your cards were %(n)d point better than average.",
            "Your cards were %(n)d points better than average.",
            beyond,
        )
    else:
        text = ngettext(
            "Your cards were %(n)d point worse than average.",
            "Your cards were %(n)d points worse than average.",
            -beyond,
        )
    return text % {"n": abs(beyond)}


def _brought(beyond: int) -> str:
    """Return what the cards brought, from the points that were made above their worth."""
    if beyond == 0:
        return _("With your play and the starters, they brought what such cards usually do.")
    if beyond > 0:
        text = ngettext(
            "With your play and the starters, they brought %(n)d point more "
            "than such cards usually do.",
            "With your play and the starters, they brought %(n)d points more "
            "than such cards usually do.",
            beyond,
        )
    else:
        text = ngettext(
            "With your play and the starters, they brought %(n)d point less "
            "than such cards usually do.",
            "With your play and the starters, they brought %(n)d points less "
            "than such cards usually do.",
            -beyond,
        )
    return text % {"n": abs(beyond)}
