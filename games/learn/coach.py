"""The coached first game: its packs, and the coach's texts by step.

The browser knows no rules: it shows a text at the step that its key names. A key is
``[hand.]event[.kind][.own|.other]`` for a public event (`games.engine.events`, named as in
`games.wire.serializers`). It has the number of the hand if the text is about one hand, the kind of
points, reason or item, and whether the event is the learner's own. The table pauses while such a
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
        "Six cards each. You keep four; two go face down to the crib, an extra hand that the "
        "dealer counts at the end. You deal, the D says so, and the crib is yours. Pick the nine "
        "and the king, which fit nothing here, and press the button."
    ),
    "1.starter": _(
        "%(name)s has thrown two, too. Then one card is turned up, the starter. Nobody plays it: "
        "it will count as a fifth card with each hand and with the crib."
    ),
    "1.played.other": _(
        "Now the play. The player who does not deal is called pone and leads. Each card adds its "
        "value to the count; jack, queen and king are ten, the ace is one. The count may not "
        "pass 31."
    ),
    "1.ask.play": _(
        "Play one of the bright cards: tap it to see the count, tap it again to play it. A card "
        "that makes the count 15 or 31, a pair or a run of three scores at once."
    ),
    "played.fifteen": _(
        "The count is exactly fifteen: 2 points for whoever played the card. The pegs on the "
        "board move as soon as something is scored."
    ),
    "played.thirty_one": _("The count is exactly 31: 2 points. Then it starts again at nothing."),
    "played.pair": _("The same rank as the card before it: a pair, 2 points. A third would be 6."),
    "played.pair_royal": _("Three of a rank in a row, a pair royal: 6 points."),
    "played.run": _(
        "Three or more neighbouring ranks one after another, in any order, are a run: a point "
        "for each card of it."
    ),
    "go.own": _(
        "None of your cards fits below 31, so you say go; the table says it for you. %(name)s "
        "goes on for as long as a card fits."
    ),
    "go.other": _(
        "%(name)s has no card that fits below 31 and says go. You play on for as long as one of "
        "yours fits."
    ),
    "count_ended.go": _(
        "No card fits any more. Whoever played the last one gets 1 point, and the count starts "
        "again at nothing."
    ),
    "count_ended.last_card": _(
        "All cards are played. The last one is worth 1 point. Now everybody takes the cards back, "
        "and the hands are counted: that is the show."
    ),
    "1.counted.hand.other": _(
        "Pone counts first, here %(name)s. Four cards and the starter: every fifteen is 2 points, "
        "every pair 2, a run a point for each card. A card may be used again and again."
    ),
    "1.counted.hand.own": _(
        "Then the dealer's hand, yours. The table counts as players do, each combination with the "
        "total so far: “fifteen two, fifteen four”, and so on."
    ),
    "1.counted.crib.own": _(
        "Last the crib, for the dealer: the two cards that you threw, the two from %(name)s, and "
        "the starter again."
    ),
    "2.dealt": _(
        "Look at the board: you have two pegs, and the one behind jumps ahead of the other by what "
        "you score. The first at 61 wins. The deal passes on with each hand: now %(name)s deals, "
        "and has the crib."
    ),
    "2.ask.discard": _(
        "This crib is not yours, so throw what is hard to use: no five, no pair, no neighbours. "
        "Keep both sevens, the eight and the nine; the king and the two go."
    ),
    "2.ask.play.lead": _(
        "You are pone and lead. A card below five is the safest: nobody can make fifteen with the "
        "next one. You have none, so lead what you like."
    ),
    "2.ask.play": _(
        "Look for fifteen, 31, a pair or a run. What you leave matters, too: from a count of 5 or "
        "21 any ten scores."
    ),
    "2.counted.hand.own": _(
        "This time you count first. That matters at the end of a game: whoever gets there first "
        "has won, and nothing is counted after it."
    ),
    "2.counted.crib.other": _(
        "The crib of %(name)s. Your throw is in it, which is why it should be a poor one."
    ),
    "3.dealt": _("One more hand with me. You deal, and the crib is yours again."),
    "3.ask.discard": _(
        "Four diamonds: all four cards of a hand in one suit are a flush, 4 points, and 5 with the "
        "starter. Keep them; the eight and the king go to your own crib."
    ),
    "heels.own": _(
        "The starter is a jack: 2 points for the dealer at once, for his heels. That is you!"
    ),
    "3.ask.play": _("You know the play. If you are in doubt, the button Hint tells what is good."),
    "3.counted.hand.own": _(
        "In the hand four cards of a suit are a flush; in the crib it takes all five. And a jack "
        "in the hand, of the starter's suit, is 1 point more: his nobs."
    ),
    "4.dealt": _(
        "That is all there is to it. Now play on! The first at 61 wins, even in the middle of a "
        "count. From here I speak only when something new happens."
    ),
    "game_won.own": _(
        "You are the first at 61, and have won your first game. A usual game goes to 121, twice "
        "round the board."
    ),
    "game_won.other": _(
        "%(name)s got to 61 first, and you know how it goes now. A usual game goes to 121, twice "
        "round the board."
    ),
}


def script(name: str) -> dict[str, str]:
    """Return the coach's texts by key; ``name`` is the opponent's."""
    return {key: str(text) % {"name": name} for key, text in _SCRIPT.items()}
