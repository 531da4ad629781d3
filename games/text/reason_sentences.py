"""Reasons of mistakes, and the habits behind them, in words."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.analysis.reasons import Habit, Kind, Reason
from games.engine.cards import NAMES, SUITS, Card

# fmt: off
SEVERAL: tuple[Promise, ...] = (
    pgettext_lazy("several cards", "aces"), pgettext_lazy("several cards", "twos"),
    pgettext_lazy("several cards", "threes"), pgettext_lazy("several cards", "fours"),
    pgettext_lazy("several cards", "fives"), pgettext_lazy("several cards", "sixes"),
    pgettext_lazy("several cards", "sevens"), pgettext_lazy("several cards", "eights"),
    pgettext_lazy("several cards", "nines"), pgettext_lazy("several cards", "tens"),
    pgettext_lazy("several cards", "jacks"), pgettext_lazy("several cards", "queens"),
    pgettext_lazy("several cards", "kings"), pgettext_lazy("several cards", "ten-cards"),
)
"""Several cards of a rank, from aces to kings, and those worth ten."""
# fmt: on

SENTENCES: dict[Kind, Promise] = {
    "breaks_pair": _("This breaks up the pair of %(ranks)s."),
    "breaks_royal": _("This breaks up the pair royal of %(ranks)s."),
    "throws_pair": _("This throws away the pair of %(ranks)s."),
    "breaks_run": _("This breaks up the run %(cards)s."),
    "loses_run_draw": _("This splits %(cards)s, which a starter could make a run."),
    "loses_fifteen": _("This loses a fifteen: %(cards)s."),
    "throws_five": _("This throws a five, the best card to keep."),
    "breaks_flush": _("This breaks up the flush."),
    "throws_jack": _("This throws a jack that could score his nobs."),
    "fewer_starters": _("This hand gains less from the starter."),
    "gives_five": _("This gives the dealer a five."),
    "gives_pair": _("This puts a pair in the dealer's crib."),
    "gives_fifteen": _("This puts a fifteen in the dealer's crib."),
    "gives_neighbours": _("This gives the dealer neighbours for a run: %(cards)s."),
    "gives_crib": _("This gives the dealer the better crib cards."),
    "crib_five": _("The five does more in your crib."),
    "crib_pair": _("The pair does more in your crib."),
    "crib_fifteen": _("The fifteen %(cards)s does more in your crib."),
    "crib_neighbours": _("Neighbours like %(cards)s do more in your crib."),
    "crib_more": _("The best throw makes a better crib for you."),
    "keep_low": _("Keep low cards for the play: %(cards)s."),
    "pegs_worse": _("You kept cards that score less in the play."),
    "misses_fifteen": _("This misses a fifteen."),
    "misses_thirty_one": _("This misses 31."),
    "misses_pair": _("This misses a pair."),
    "misses_royal": _("This misses a pair royal."),
    "misses_run": _("This misses a run."),
    "misses_go": _("This is less likely to win you the last card."),
    "opens_fifteen": _("This lets %(ranks)s make fifteen."),
    "opens_thirty_one": _("This lets %(ranks)s make 31."),
    "opens_pair": _("This is easier to pair."),
    "opens_royal": _("This lets them make a pair royal for 6."),
    "opens_run": _("This lets them make a run."),
    "leads_five": _("Leading a five lets any ten-card make fifteen."),
    "lead_from_pair": _("Lead from the pair of %(ranks)s: if they pair it, you score 6."),
    "lead_trap": _("Lead %(cards)s: many answers let you make fifteen."),
    "plans_pair": _("The best card sets up a pair or better."),
    "plans_fifteen": _("The best card sets up a fifteen or 31."),
    "plans_run": _("The best card sets up a run."),
    "low_too_early": _("Keep the low card for last."),
    "count_first": _("You count first and need %(n)d: keep the hand most likely to score it."),
    "pegs_decide": _("They need %(n)d and count first: keep cards for the play."),
    "score_now": _("Too cautious: they need %(n)d and count first, so score now."),
    "give_nothing": _("Too bold: they need only %(n)d, so give nothing away."),
    "too_cautious": _("Too cautious at this score: risk it."),
    "too_bold": _("Too bold at this score: play it safe."),
    "play_on": _("The best card does more later in the play."),
}
"""Kind of reason -> a sentence about the choice; %(cards)s, %(ranks)s and %(n)d are its own."""

CLOSE = _("Close: good judges differ here.")
"""The verdict on a decision whose loss is within the uncertainty of the analysis."""
CLOSE_LOSS = _("Close: good judges differ here, so the loss is likely, not certain.")
"""The same, if its expected loss counts nevertheless."""

HABITS: dict[Habit, Promise] = {
    "pairs": _("breaking up pairs"),
    "runs": _("breaking up runs"),
    "fifteens": _("breaking up fifteens"),
    "flushes": _("breaking up flushes"),
    "starters": _("keeping hands that few starters help"),
    "their_crib": _("helping the dealer's crib"),
    "own_crib": _("throwing too little into your own crib"),
    "peg_cards": _("keeping cards that don't peg"),
    "missed": _("missing points in the play"),
    "replies": _("leaving easy replies"),
    "leads": _("risky leads"),
    "plans": _("playing without the next card in mind"),
    "timing": _("playing cards in the wrong order"),
    "score": _("not playing to the score"),
}
"""Habit -> its name, for the middle of a sentence."""

_SIGNS = dict(zip(SUITS, "♣♦♥♠", strict=True))


def sentence(reason: Reason | None) -> str:
    """Return a reason as a sentence; "" without one."""
    if reason is None:
        return ""
    return str(SENTENCES[reason.kind]) % {
        "cards": " ".join(map(_plain, reason.cards)),
        "ranks": "" if reason.rank is None else SEVERAL[reason.rank],
        "n": reason.number,
    }


def _plain(card: Card) -> str:
    """Return a card as text: "10♥"."""
    name = NAMES[card]
    return f"{'10' if name[0] == 'T' else name[0]}{_SIGNS[name[1]]}"
