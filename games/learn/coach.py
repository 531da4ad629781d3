"""The coached first game: its packs, and the coach's texts by step.

The browser knows no rules: it shows a text at the step that its key names. A key is
``[hand.]event[.kind][.own|.other]`` for a public event (`games.engine.events`, named as in
`games.wire.serializers`). It has the number of the hand if the text is about one hand, the kind of
points, reason or item, the cards of the learner's discard (in alphabetical order), and whether the
event is the learner's own. The table pauses while such a
text is shown, and each is shown once. A text with a key ``hand.ask.action[.lead]`` is shown while
the learner has to take that action.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.engine.cards import NAMES, PACK, parse_cards
from games.engine.state import Ruleset

LEVEL = "poppy"
"""The computer level of the learner's opponent."""

RULES = Ruleset(target=61, first_dealer=0)
"""Once round the board; the learner sits in seat 0 and deals first."""


@dataclass(frozen=True, slots=True)
class LessonHand:
    """A hand of the lesson: both players' cards, the starter, and the recommended discard."""

    learner: str
    other: str
    starter: str
    advised: str


HANDS = (
    LessonHand("4H 5H 6S JC 8C KS", "7C 8D 2H QS 3C KD", "QD", "8C KS"),
    LessonHand("7H 7D 8S 9C KD 2C", "4S JH TC 5D AH 6H", "QC", "KD 2C"),
    LessonHand("2D 5D 9D JD 8S KC", "3H 6C 7S TS QH AC", "JS", "8S KC"),
)
"""The coached hands; later hands are random and have few texts."""


@cache
def packs() -> tuple[str, ...]:
    """Return a pack for each hand, in the format of `games.models.Decks`."""
    return tuple(_pack(hand, dealer=at % 2) for at, hand in enumerate(HANDS))


def _pack(hand: LessonHand, *, dealer: int) -> str:
    pone, deals = (hand.other, hand.learner) if dealer == 0 else (hand.learner, hand.other)
    pairs = zip(parse_cards(pone), parse_cards(deals), strict=True)
    known = [*(card for pair in pairs for card in pair), *parse_cards(hand.starter)]
    return " ".join(NAMES[card] for card in [*known, *(c for c in PACK if c not in known)])


_SCRIPT: dict[str, Any] = {
    "1.ask.discard": _(
        "Keep four of your six cards. The others go into the crib, an extra hand for the dealer: "
        "you. Keep the four, five, six and jack: pick the eight and the king."
    ),
    "1.discarded.own": _(
        "I'd have thrown other cards, but that's fine. Watch what your four "
        "make with the card that's turned up."
    ),
    "1.starter": _(
        "One card is turned up: the starter, the fifth card of both hands and the crib."
    ),
    "1.played.other": _(
        "Now the play. Pone, who isn't dealing, leads. Cards add up: ace "
        "one, picture cards ten. The count can't pass 31."
    ),
    "1.ask.play": _(
        "Tap a bright card to see the count, and again to play it. 15, 31, pairs and runs score."
    ),
    "played.fifteen": _("Exactly fifteen: 2 points."),
    "played.thirty_one": _("Exactly 31: 2 points. The count starts again at zero."),
    "played.pair": _("A pair: 2 points. A third card of that rank would make 6."),
    "played.pair_royal": _("Three of one rank in a row, a pair royal: 6 points."),
    "played.run": _("Three or more neighbours are a run, in any order: 1 point a card."),
    "go.own": _(
        "You can't play without passing 31, so the table says go for you. %(name)s plays on."
    ),
    "go.other": _("%(name)s can't play without passing 31 and says go. Play on while a card fits."),
    "count_ended.go": _(
        "No more cards fit. The last card scores 1 point, and the count starts again."
    ),
    "count_ended.last_card": _("The last card scores 1 point. Now the show: you both count."),
    "1.counted.hand.other": _(
        "Pone counts first, here %(name)s: 2 points for a fifteen, 2 for a "
        "pair, 1 for each card of a run. A card can count more than once."
    ),
    "1.counted.hand.own": _(
        "Then you count, as dealer, with the running total: “fifteen two, fifteen four”."
    ),
    "1.counted.crib.own": _("Last comes your crib: both throws and the starter."),
    "2.dealt": _(
        "Your back peg jumps ahead of the front one. The first to 61 wins. Now %(name)s deals "
        "and has the crib."
    ),
    "2.ask.discard": _("This crib isn't yours. Throw what's hard to use: the king and the two."),
    "2.discarded.own": _(
        "I'd have kept the sevens, eight and nine: two runs and a pair. See "
        "how your choice turns out."
    ),
    "2.ask.play.lead": _(
        "You're pone, so you lead. A card below five is safest: no answer "
        "makes fifteen. If you have none, lead what you like."
    ),
    "2.ask.play": _("Mind what you leave: on 5 or 21, any ten-card scores."),
    "2.counted.hand.own": _("You count first. Near the end that can win the game."),
    "2.counted.crib.other": _("This is %(name)s's crib: the less it scores, the better for you."),
    "3.dealt": _("One more hand. You deal, so the crib is yours again."),
    "3.ask.discard": _(
        "Four of one suit are a flush: 4 points, 5 with the starter. Keep the diamonds."
    ),
    "3.discarded.own": _("I'd have kept the four diamonds: a flush."),
    "heels.own": _("The starter is a jack: his heels, 2 points for you, the dealer."),
    "3.ask.play": _("You know how to play now. If in doubt, press Hint."),
    "3.counted.hand.own": _(
        "In the crib, a flush needs all five cards. A jack of the starter's "
        "suit in hand scores 1 point: his nobs."
    ),
    "4.dealt": _("That's all. Play on! The first to 61 wins."),
    "game_won.own": _("You won your first game! Full games go to 121."),
    "game_won.other": _("%(name)s won, but you know how to play now. Full games go to 121."),
}

_AS_ADVISED: tuple[Any, ...] = (
    _("Just what I'd throw: you keep four, five and six, already a run."),
    _("Good throw: you keep two runs and a pair."),
    _("Good throw: you keep a flush."),
)
"""The coach's comment on the recommended discard of each hand."""


def script(name: str) -> dict[str, str]:
    """Return the coach's texts by key; ``name`` is the opponent's."""
    thrown = {
        f"{number}.discarded.{' '.join(sorted(hand.advised.split()))}.own": text
        for number, (hand, text) in enumerate(zip(HANDS, _AS_ADVISED, strict=True), start=1)
    }
    return {key: str(text) % {"name": name} for key, text in {**_SCRIPT, **thrown}.items()}
