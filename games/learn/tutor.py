"""The counting tutor: exercises by level, and the feedback on a learner's answers.

The learner finds the combinations of a hand one by one. `games.engine.scoring` decides what is
right; this module has the texts.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.engine.cards import JACK, PACK, PIPS, RANK, SUIT, Card
from games.engine.scoring import Part, score_hand
from games.text.count_phrases import card_words, part_words, points_words

Kind = Literal["fifteen", "pair", "run", "flush", "nobs"]

KINDS: dict[Kind, Any] = {
    "fifteen": _("Fifteen"),
    "pair": _("Pair"),
    "run": _("Run"),
    "flush": _("Flush"),
    "nobs": _("His nobs"),
}
"""The combinations that a learner can name; "pair" includes three and four of a kind."""

FIVE = 5
"""Number of cards to count: the four of the hand and the starter."""
TWO_PAIRS, THREE_ALIKE = 4, 6
"""Points for these combinations."""
LEAST_OF_WHOLE = 4
"""Minimum points of a hand at the level of whole hands."""
EMPTY_EVERY = 6
"""At that level, one hand in this many may be worth less."""


@dataclass(frozen=True, slots=True)
class Level:
    """A level: its number from 1, title, explanation, and kinds of combinations."""

    number: int
    title: Any
    text: Any
    kinds: tuple[Kind, ...]


LEVELS = (
    Level(
        1,
        _("Pairs"),
        _("Two of a rank are a pair, 2 points. Three make 6, four 12."),
        ("pair",),
    ),
    Level(
        2,
        _("Fifteens"),
        _("Cards that make fifteen score 2 points. Picture cards count ten, aces one."),
        ("fifteen", "pair"),
    ),
    Level(
        3,
        _("Runs"),
        _("Three or more ranks in a row are a run, 1 point a card. A pair in it makes two runs."),
        ("fifteen", "pair", "run"),
    ),
    Level(
        4,
        _("Flush and his nobs"),
        _(
            "Four of one suit are a flush: 4 points, 5 with the starter. A jack of the starter's "
            "suit is his nobs: 1 point."
        ),
        tuple(KINDS),
    ),
    Level(
        5,
        _("Whole hands"),
        _("Everything at once, as at the table."),
        tuple(KINDS),
    ),
    Level(
        6,
        _("The crib"),
        _("The crib counts like a hand, but a flush needs all five cards."),
        tuple(KINDS),
    ),
)


@dataclass(frozen=True)
class Exercise:
    """A hand to count, with its cards in order of rank."""

    level: Level
    number: int
    hand: tuple[Card, ...]
    starter: Card

    @property
    def is_crib(self) -> bool:
        """Whether it counts as a crib."""
        return self.level.number == LEVELS[-1].number

    @property
    def five(self) -> tuple[Card, ...]:
        """The cards of the hand, then the starter."""
        return (*self.hand, self.starter)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The combinations, in the order in which players call them."""
        return score_hand(self.hand, self.starter, self.is_crib).parts

    @property
    def total(self) -> int:
        """The points of the hand."""
        return sum(part.points for part in self.parts)


@dataclass(frozen=True, slots=True)
class Answer:
    """Feedback to the learner, and the index of the part found, if any."""

    text: str
    part: int | None = None

    @property
    def right(self) -> bool:
        """Whether a part was found."""
        return self.part is not None


@lru_cache(maxsize=256)
def exercise(level: int, number: int) -> Exercise:
    """Return an exercise of a level by its number, from 1; it is the same for everyone.

    Raises:
        LookupError: if there is no such level.
    """
    if not 1 <= level <= len(LEVELS) or number < 1:
        raise LookupError(f"no hand {number} of level {level}; levels are 1 to {len(LEVELS)}")
    rng = random.Random(f"counting {level}/{number}")
    while True:
        *hand, starter = _five(level, number, rng)
        made = Exercise(LEVELS[level - 1], number, tuple(sorted(hand)), starter)
        if _is_suitable(made):
            return made


def _five(level: int, number: int, rng: random.Random) -> list[Card]:
    """Draw four cards and a starter, often of one suit at levels about flushes."""
    wanted = {4: (0, 4)[number % 2], 6: (4, 5, 0)[number % 3]}.get(level, 0)
    if not wanted:
        return rng.sample(PACK, 5)
    suit = rng.randrange(4)
    same = rng.sample([card for card in PACK if SUIT[card] == suit], wanted)
    others = [card for card in PACK if SUIT[card] != suit]
    return same if wanted == FIVE else [*same, rng.choice(others)]


def _is_suitable(made: Exercise) -> bool:
    """Whether a hand practises what its level teaches, and nothing from later levels."""
    kinds = [kind_of(part) for part in made.parts]
    if not set(kinds) <= set(made.level.kinds):
        return False
    third = made.number % 3 == 0
    match made.level.number:
        case 1:
            least = THREE_ALIKE if made.number % 2 == 0 else TWO_PAIRS
            return made.total >= least if third else "pair" in kinds
        case 2:
            return "fifteen" in kinds
        case 3:
            return kinds.count("run") > 1 if third else "run" in kinds
        case 4:
            return ("flush" if made.number % 2 else "nobs") in kinds
        case 5:
            return made.total >= LEAST_OF_WHOLE or made.number % EMPTY_EVERY == 0
        case _:
            return made.number % 3 != 2 or made.total >= LEAST_OF_WHOLE


def kind_of(part: Part) -> Kind:
    """Return the learner's name for a part."""
    if "pair" in part.kind:
        return "pair"
    return next(kind for kind in KINDS if kind == part.kind)


def judge(asked: Exercise, kind: Kind, picked: Collection[Card], found: Collection[int]) -> Answer:
    """Judge whether the picked cards are the kind of combination that the learner says.

    Args:
        asked: the exercise.
        kind: the learner's claim.
        picked: cards of the hand or the starter.
        found: parts found so far, as indices of `Exercise.parts`.
    """
    if not picked:
        return Answer(gettext("Pick the cards first, then say what they make."))
    exact = [at for at, part in enumerate(asked.parts) if set(part.cards) == set(picked)]
    at = next((at for at in exact if kind_of(asked.parts[at]) == kind), None)
    if at is not None and at in found:
        return Answer(gettext("You've found that one already."))
    if at is not None:
        part = asked.parts[at]
        values = {"what": part_words(part), "points": points_words(part.points)}
        return Answer(gettext("Yes, %(what)s: %(points)s.") % values, at)
    why = _WHY[kind](asked, tuple(picked))
    if not exact:
        return Answer(why)
    other = gettext("But they do make %(what)s.") % {"what": part_words(asked.parts[exact[0]])}
    return Answer(f"{why} {other}")


def _no_fifteen(_asked: Exercise, picked: tuple[Card, ...]) -> str:
    number = sum(PIPS[card] for card in picked)
    return gettext("These make %(n)d, not fifteen.") % {"n": number}


def _no_pair(_asked: Exercise, picked: tuple[Card, ...]) -> str:
    ranks = {RANK[card] for card in picked}
    if len(picked) == 1:
        return gettext("One card isn't a pair.")
    if len(ranks) == 1:
        return gettext("There's one more card of that rank. Pick it too.")
    return gettext("These cards differ in rank. Pick one pair at a time.")


def _no_run(_asked: Exercise, picked: tuple[Card, ...]) -> str:
    ranks = sorted(RANK[card] for card in picked)
    if len(ranks) < 3:
        return gettext("A run needs at least three cards.")
    if len(set(ranks)) < len(ranks):
        return gettext("A run has each rank once. Pick one run at a time.")
    if ranks[-1] - ranks[0] >= len(ranks):
        return gettext("There's a gap. The ranks of a run follow each other; the ace is low.")
    return gettext("The run is longer. Pick all of it.")


def _no_flush(asked: Exercise, picked: tuple[Card, ...]) -> str:
    if len({SUIT[card] for card in asked.hand}) > 1:
        return gettext("A flush needs all four cards of your hand.")
    if SUIT[asked.starter] == SUIT[asked.hand[0]]:
        return gettext("The starter matches too. Pick all five.")
    if asked.is_crib:
        return gettext("In the crib, a flush needs all five cards.")
    return gettext("The flush is just your four cards.")


def _no_nobs(asked: Exercise, picked: tuple[Card, ...]) -> str:
    if picked == (asked.starter,) and RANK[asked.starter] == JACK:
        return gettext("The dealer has scored his heels already.")
    return gettext("His nobs is one card: the jack of the starter's suit.")


_WHY: dict[Kind, Callable[[Exercise, tuple[Card, ...]], str]] = {
    "fifteen": _no_fifteen,
    "pair": _no_pair,
    "run": _no_run,
    "flush": _no_flush,
    "nobs": _no_nobs,
}


def remaining_parts(asked: Exercise, found: Collection[int]) -> list[int]:
    """Return the indices of the parts not yet found."""
    return [at for at in range(len(asked.parts)) if at not in found]


def hint(asked: Exercise, found: Collection[int], step: int) -> Answer:
    """Return a hint: first how many parts are left, then their kinds, then one of them.

    Args:
        asked: the exercise.
        found: indices of the parts found so far.
        step: 1, 2 or 3. Only step 3 reveals a part.
    """
    missing = remaining_parts(asked, found)
    if not missing:
        return Answer(gettext("You've found everything."))
    if step == 1:
        return Answer(remaining_sentence(len(missing)))
    if step == 2:
        number = Counter(kind_of(asked.parts[at]) for at in missing)
        return Answer(" ".join(_MORE[kind](number[kind]) for kind in KINDS if kind in number))
    part = asked.parts[missing[0]]
    cards = ", ".join(card_words(card) for card in part.cards)
    values = {"what": part_words(part), "cards": cards}
    return Answer(gettext("One more is %(what)s: %(cards)s.") % values, missing[0])


def remaining_sentence(number: int) -> str:
    """Return a sentence with the number of combinations left."""
    text = ngettext(
        "One combination to go.",
        "%(n)d combinations to go.",
        number,
    )
    return text % {"n": number}


_MORE: dict[Kind, Callable[[int], str]] = {
    "fifteen": lambda n: (
        ngettext("There's one more fifteen.", "There are %(n)d more fifteens.", n) % {"n": n}
    ),
    "pair": lambda n: (
        ngettext("There's one more pair.", "There are %(n)d more pairs.", n) % {"n": n}
    ),
    "run": lambda n: ngettext("There's one more run.", "There are %(n)d more runs.", n) % {"n": n},
    "flush": lambda _n: gettext("There's a flush."),
    "nobs": lambda _n: gettext("There's his nobs."),
}
