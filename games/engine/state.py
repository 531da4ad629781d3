"""The state of a match: frozen values, changed only by making new ones.

A `State` is what the log folds to. It holds every card that was dealt, so it never leaves the
server: what a seat may see of it is `games.engine.view.View`. `State` and `Hand` have no slots: a
copy with changes (`games.engine.evolve`) is ten times faster without, and a match has few of them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any, Literal, TypeVar

from games.engine.cards import Card
from games.engine.events import Event, Item

Counting = Literal["auto", "manual"]

MAX_GAMES = 9
"""The most games that a match may have."""


T = TypeVar("T")


class RulesetError(ValueError):
    """Rules that cannot be played; the message names the field and what is allowed."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules in force for a match.

    Attributes:
        players: 2 or 3.
        target: points that win a game, 121 or 61.
        counting: "auto", the server counts; "manual", players claim their own points.
        muggins: opponents may take what a claim leaves out; needs manual counting.
        games: how many games the match has, 1 to 9; all are played, match points decide.
        skunks: whether skunks earn extra match points.
        double_skunk: match points of a double skunk in all: 2, 3 or 4.
        first_dealer: the seat that deals first; None: it is cut for.
    """

    players: int = 2
    target: int = 121
    counting: Counting = "auto"
    muggins: bool = False
    games: int = 1
    skunks: bool = True
    double_skunk: int = 3
    first_dealer: int | None = None

    def __post_init__(self) -> None:
        for name, allowed in _ALLOWED.items():
            value = getattr(self, name)
            if type(value) is not type(allowed[0]) or value not in allowed:
                raise RulesetError(
                    f"{name} is {value!r}; allowed are {', '.join(map(str, allowed))}"
                )
        if self.muggins and self.counting != "manual":
            raise RulesetError("muggins needs manual counting")
        dealer = self.first_dealer
        if dealer is not None and (type(dealer) is not int or not 0 <= dealer < self.players):
            raise RulesetError(f"first_dealer is {dealer!r}; there are {self.players} seats from 0")

    @property
    def dealt(self) -> int:
        """How many cards each seat gets."""
        return 6 if self.players == 2 else 5

    @property
    def thrown(self) -> int:
        """How many cards each seat lays away."""
        return 2 if self.players == 2 else 1

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Ruleset:
        """Return the ruleset with these fields; those left out have their defaults.

        Raises:
            RulesetError: for an unknown field or a value that is not allowed.
        """
        unknown = set(data) - {item.name for item in fields(cls)}
        if unknown:
            raise RulesetError(f"unknown rules: {', '.join(sorted(map(str, unknown)))}")
        return cls(**data)


_ALLOWED: dict[str, tuple[Any, ...]] = {
    "players": (2, 3),
    "target": (121, 61),
    "counting": ("auto", "manual"),
    "muggins": (False, True),
    "games": tuple(range(1, MAX_GAMES + 1)),
    "skunks": (True, False),
    "double_skunk": (3, 2, 4),
}


class Phase(StrEnum):
    """What the match waits for."""

    CUT = "cut"
    DEAL = "deal"
    DISCARD = "discard"
    STARTER = "starter"
    PLAY = "play"
    SHOW = "show"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Window:
    """Muggins: a claim that opponents may still add to.

    Attributes:
        seat: who claimed.
        item: what was claimed.
        missed: points that the claim left out (may be 0).
        asked: seats that have not yet answered; at the show play waits for them.
    """

    seat: int
    item: Item
    missed: int
    asked: tuple[int, ...]


@dataclass(frozen=True)
class Hand:
    """One deal and what has followed from it so far.

    Attributes:
        game, number: which game of the match and which hand of the game, from 1.
        dealer: the seat that deals and owns the crib.
        before: the scores when it was dealt.
        dealt: each seat's cards in the order received.
        crib_card: three players: the card dealt to the crib.
        discards: each seat's cards laid away; empty until it has.
        held: each seat's cards not yet laid away or played.
        starter: the card cut, None before that.
        plays: the cards played, in order, as (seat, card).
        counted: how many items of the show have been counted.
        pegged: points of each seat in the play, heels and the points for go included.
        shown: points of each seat for its hand, None until counted.
        crib_points: points of the crib, None until counted.
        mugged: points of each seat by muggins.
        events: all events since the deal.
    """

    game: int
    number: int
    dealer: int
    before: tuple[int, ...]
    dealt: tuple[tuple[Card, ...], ...]
    crib_card: Card | None
    discards: tuple[tuple[Card, ...], ...]
    held: tuple[tuple[Card, ...], ...]
    pegged: tuple[int, ...]
    shown: tuple[int | None, ...]
    mugged: tuple[int, ...]
    starter: Card | None = None
    plays: tuple[tuple[int, Card], ...] = ()
    counted: int = 0
    crib_points: int | None = None
    events: tuple[Event, ...] = ()

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.dealt)

    @property
    def pone(self) -> int:
        """The seat left of the dealer."""
        return (self.dealer + 1) % self.players

    def kept(self, seat: int) -> tuple[Card, ...]:
        """Return the cards that ``seat`` kept, in the order dealt (all, until it has discarded)."""
        gone = self.discards[seat]
        return tuple(card for card in self.dealt[seat] if card not in gone)

    @property
    def crib(self) -> tuple[Card, ...]:
        """The cards in the crib: the card dealt to it, then the discards from seat 0 on."""
        cards = tuple(card for thrown in self.discards for card in thrown)
        return cards if self.crib_card is None else (self.crib_card, *cards)

    @property
    def show_order(self) -> tuple[tuple[int, Item], ...]:
        """What is counted, in order: pone's hand first, the dealer's hand and the crib last."""
        seats = [(self.pone + turn) % self.players for turn in range(self.players)]
        hands: list[tuple[int, Item]] = [(seat, "hand") for seat in seats]
        return (*hands, (self.dealer, "crib"))

    def item_cards(self, seat: int, item: Item) -> tuple[Card, ...]:
        """Return the four cards of an item of the show, sorted: their order tells nothing."""
        return tuple(sorted(self.crib if item == "crib" else self.kept(seat)))


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game: its winner, final scores, skunks per seat (0, 1, 2) and match points."""

    winner: int
    scores: tuple[int, ...]
    skunks: tuple[int, ...]
    points: int


@dataclass(frozen=True)
class State:
    """A match at one moment.

    Attributes:
        ruleset: the rules in force.
        sequence: how many moves led here.
        phase: what is awaited.
        game: which game of the match, from 1.
        dealer: who deals (or will deal) the hand; None until it is known.
        cutters: the seats that cut for the deal, while the phase is CUT.
        cuts: the cuts for deal of this game.
        scores: points of each seat in this game.
        trailing: per seat the hole of its back peg (its score before it last scored).
        hand: the hand in progress, None between hands.
        hands: the finished hands of this game; of the game before until the next deal.
        count: the running total of the play.
        pile_start: index into `Hand.plays` of the first card of the current count.
        gos: seats that have said go in this count.
        turn: who plays next, None outside the play.
        window: muggins: the last claim, while it can be added to.
        results: the finished games.
        winner: who won the match; None while it goes on or when it was drawn.
        resigned: the seat that gave up, if any.
    """

    ruleset: Ruleset
    phase: Phase
    cutters: tuple[int, ...]
    scores: tuple[int, ...]
    trailing: tuple[int, ...]
    gos: tuple[bool, ...]
    sequence: int = 0
    game: int = 1
    dealer: int | None = None
    cuts: tuple[tuple[Card | None, ...], ...] = ()
    hand: Hand | None = None
    hands: tuple[Hand, ...] = ()
    count: int = 0
    pile_start: int = 0
    turn: int | None = None
    window: Window | None = None
    results: tuple[GameResult, ...] = field(default=())
    winner: int | None = None
    resigned: int | None = None

    @property
    def match_points(self) -> tuple[int, ...]:
        """Match points of each seat so far."""
        points = [0] * self.ruleset.players
        for result in self.results:
            points[result.winner] += result.points
        return tuple(points)

    @property
    def pile(self) -> tuple[tuple[int, Card], ...]:
        """The cards of the current count, as (seat, card)."""
        return () if self.hand is None else self.hand.plays[self.pile_start :]


def known(value: T | None) -> T:
    """Return ``value``, of which the phase of the match has made sure that it is there.

    Raises:
        LookupError: if it is None all the same.
    """
    if value is None:
        raise LookupError("the phase of the match promises a value that is not there")
    return value
