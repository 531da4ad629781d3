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
    LessonHand("4H 5H 6S JC 9D KS", "7C 8D 2H QS 3C KD", "QD", "9D KS"),
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
        "You each get six cards and keep four. The other two go face down into the crib, an "
        "extra hand for the dealer. The D shows that you deal, so this crib is yours. Pick "
        "the nine and the king, which fit nothing here, and press the button."
    ),
    "1.discarded.own": _(
        "You threw other cards than I would have. That's fine: watch what your four make with "
        "the card that's turned up."
    ),
    "1.starter": _(
        "%(name)s has thrown two cards as well. Now one card is turned up: the starter. It "
        "counts as a fifth card in both hands and in the crib."
    ),
    "1.played.other": _(
        "Now the play. Pone, who isn't dealing, leads. Each card adds its value to the count:"
        " jack, queen and king are ten, the ace is one. The count can't go past 31."
    ),
    "1.ask.play": _(
        "Play one of the bright cards: tap it to see the count, and again to play it. "
        "Reaching 15 or 31 scores at once, and so does a pair or a run of three."
    ),
    "played.fifteen": _(
        "The count is exactly fifteen: 2 points for the last card. The pegs move with every score."
    ),
    "played.thirty_one": _("The count is exactly 31: 2 points. Now it starts again at zero."),
    "played.pair": _("The same rank as the card before: a pair, 2 points. A third would make 6."),
    "played.pair_royal": _("Three cards of one rank in a row, a pair royal: 6 points."),
    "played.run": _(
        "Three or more neighbouring ranks in a row make a run, in any order: 1 point a card."
    ),
    "go.own": _(
        "None of your cards fits under 31, so the table says go for you. %(name)s plays on "
        "while a card fits."
    ),
    "go.other": _(
        "%(name)s has no card that fits under 31 and says go. You play on while one of yours fits."
    ),
    "count_ended.go": _(
        "No more cards fit. The last card played scores 1 point, and the count starts again "
        "at zero."
    ),
    "count_ended.last_card": _(
        "All cards are played, and the last one scores 1 point. Now you both pick up your "
        "cards and count your hands: the show."
    ),
    "1.counted.hand.other": _(
        "Pone counts first, here %(name)s: four cards and the starter. Every fifteen is 2 "
        "points, every pair 2, a run 1 a card. Any card can count more than once."
    ),
    "1.counted.hand.own": _(
        "Then the dealer's hand, yours. The table counts as players do, with the running "
        "total: “fifteen two, fifteen four”, and so on."
    ),
    "1.counted.crib.own": _(
        "Last comes the crib, for the dealer: your two cards, the two from %(name)s, and the "
        "starter again."
    ),
    "2.dealt": _(
        "Look at the board: each time you score, your back peg jumps ahead of the front one. "
        "The first to 61 wins. The deal alternates: now %(name)s deals and has the crib."
    ),
    "2.ask.discard": _(
        "This crib isn't yours, so throw cards that are hard to use: no five, no pair, no "
        "neighbours. Keep both sevens, the eight and the nine, and throw the king and the "
        "two."
    ),
    "2.discarded.own": _(
        "I'd have thrown the king and the two: the sevens, the eight and the nine make two runs "
        "and a pair. See how yours comes out."
    ),
    "2.ask.play.lead": _(
        "You're pone, so you lead. A card below five is safest, because the next card can't "
        "make fifteen. You have none, so lead what you like."
    ),
    "2.ask.play": _(
        "Look for fifteen, 31, a pair or a run. Mind what you leave, too: on 5 or 21, any "
        "ten-card scores."
    ),
    "2.counted.hand.own": _(
        "This time you count first. That matters near the end: the first to get there wins, "
        "and counting stops."
    ),
    "2.counted.crib.other": _(
        "This is %(name)s's crib. It has your throw in it, so you wanted a poor one."
    ),
    "3.dealt": _("One more hand together. You deal, so the crib is yours again."),
    "3.ask.discard": _(
        "Four diamonds: a whole hand in one suit is a flush, 4 points, or 5 with the starter."
        " Keep them. The eight and the king go into your own crib."
    ),
    "3.discarded.own": _(
        "I'd have kept the four diamonds: they're a flush. You may have seen something else, so "
        "let's count yours."
    ),
    "heels.own": _(
        "The starter is a jack: his heels, 2 points for the dealer at once. That's you!"
    ),
    "3.ask.play": _("You know how to play now. If you're not sure, press Hint."),
    "3.counted.hand.own": _(
        "In a hand, four cards of a suit make a flush; the crib needs all five. A jack in "
        "hand of the starter's suit scores 1 point: his nobs."
    ),
    "4.dealt": _(
        "That's all there is to it. Play on! The first to 61 wins, even halfway through a "
        "count. From here I'll only speak up when something new happens."
    ),
    "game_won.own": _(
        "You reached 61 first and won your first game! A full game goes to 121, twice round "
        "the board."
    ),
    "game_won.other": _(
        "%(name)s reached 61 first, but now you know how to play. A full game goes to 121, "
        "twice round the board."
    ),
}

_AS_ADVISED: tuple[Any, ...] = (
    _("Just what I'd throw: the four, five and six you keep are a run already."),
    _("Good throw. Your sevens, eight and nine make two runs and a pair."),
    _("Good throw. You keep the four diamonds, a flush."),
)
"""What the coach says to the recommended discard of each hand."""


def script(name: str) -> dict[str, str]:
    """Return the coach's texts by key; ``name`` is the opponent's."""
    thrown = {
        f"{number}.discarded.{' '.join(sorted(hand.advised.split()))}.own": text
        for number, (hand, text) in enumerate(zip(HANDS, _AS_ADVISED, strict=True), start=1)
    }
    return {key: str(text) % {"name": name} for key, text in {**_SCRIPT, **thrown}.items()}
