"""The state of a match, as immutable values.

A `State` is the fold of the log. It holds every card that was dealt, so it never leaves the server;
a seat gets a `games.engine.view.View` of it. `State` and `Hand` have no slots: a match has few of
them, and copies with changes (`games.engine.fast_replace`) are ten times faster without slots.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from functools import cache
from typing import Any, Literal, TypeVar

from games.engine.cards import Card
from games.engine.events import Event, Item
from games.engine.faults import EngineError, quoted

Counting = Literal["auto", "manual"]

MAX_GAMES = 9
"""The highest number of games in a match."""


T = TypeVar("T")


class RulesetError(EngineError, ValueError):
    """An invalid ruleset; the parameters have the field and what is allowed."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules in force for a match.

    Attributes:
        players: 2 or 3.
        target: points that win a game, 121 or 61.
        counting: "auto" if the server counts, "manual" if players claim their own points.
        muggins: whether opponents may take points that a claim missed; needs manual counting.
        games: number of games, 1 to 9; all are played, and match points decide.
        skunks: whether skunks earn extra match points.
        double_skunk: total match points of a double skunk: 2, 3 or 4.
        first_dealer: the seat that deals first; None if players cut for it.
        scores: each seat's points when the first game begins; None for 0. A match that continues a
            position of the analysis board has them.
    """

    players: int = 2
    target: int = 121
    counting: Counting = "auto"
    muggins: bool = False
    games: int = 1
    skunks: bool = True
    double_skunk: int = 3
    first_dealer: int | None = None
    scores: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        for name, allowed in _ALLOWED.items():
            value = getattr(self, name)
            if type(value) is not type(allowed[0]) or value not in allowed:
                listed = ", ".join(map(str, allowed))
                raise RulesetError("bad_rule", field=name, found=quoted(value), allowed=listed)
        if self.muggins and self.counting != "manual":
            raise RulesetError("bad_rule.muggins")
        dealer = self.first_dealer
        if dealer is not None and (type(dealer) is not int or not 0 <= dealer < self.players):
            raise RulesetError("bad_rule.dealer", found=quoted(dealer), last=self.players - 1)
        if self.scores is not None:
            self._check_scores(self.scores)

    def _check_scores(self, scores: tuple[int, ...]) -> None:
        right = len(scores) == self.players and all(
            type(score) is int and 0 <= score < self.target for score in scores
        )
        if not right:
            allowed = f"{self.players} x 0-{self.target - 1}"
            raise RulesetError("bad_rule", field="scores", found=quoted(scores), allowed=allowed)

    @property
    def dealt(self) -> int:
        """The number of cards dealt to each seat."""
        return 6 if self.players == 2 else 5

    @property
    def thrown(self) -> int:
        """The number of cards that each seat discards."""
        return 2 if self.players == 2 else 1

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values, for JSON; the scores only if there are any."""
        data = asdict(self)
        if self.scores is None:
            del data["scores"]
        else:
            data["scores"] = list(self.scores)
        return data

    def public_dict(self) -> dict[str, Any]:
        """Return the fields that clients get: all but the first scores, which a view has."""
        return {name: value for name, value in self.to_dict().items() if name != "scores"}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Ruleset:
        """Return the ruleset with these fields; missing ones have their defaults.

        Raises:
            RulesetError: for an unknown field or a value that is not allowed.
        """
        known = [item.name for item in fields(cls)]
        unknown = sorted(str(name) for name in set(data) - set(known))
        if unknown:
            raise RulesetError("bad_rule.unknown", names=", ".join(unknown), known=", ".join(known))
        if isinstance(data.get("scores"), list):
            data = {**data, "scores": tuple(data["scores"])}
        elif data.get("scores") is not None and not isinstance(data["scores"], tuple):
            allowed = "a list"
            raise RulesetError(
                "bad_rule", field="scores", found=quoted(data["scores"]), allowed=allowed
            )
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
    """The phase of a match, named after the move that is due."""

    CUT = "cut"
    DEAL = "deal"
    DISCARD = "discard"
    STARTER = "starter"
    PLAY = "play"
    SHOW = "show"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Window:
    """Muggins: a claim that is open to the opponents.

    Attributes:
        seat: the seat that claimed.
        item: what was claimed.
        missed: points that the claim missed (may be 0).
        asked: seats that have not answered yet; at the show, the game waits for them.
    """

    seat: int
    item: Item
    missed: int
    asked: tuple[int, ...]


@dataclass(frozen=True)
class Hand:
    """One deal and everything that has followed from it so far.

    Attributes:
        game: the number of its game in the match, from 1.
        number: the number of the hand in the game, from 1.
        dealer: the seat that deals and owns the crib.
        before: the scores when it was dealt.
        dealt: each seat's cards in the order received.
        crib_card: the card dealt to the crib (three players only).
        discards: each seat's discard; empty until it is made.
        held: each seat's cards that have not been discarded or played.
        starter: the card cut; None before the cut.
        plays: the cards played, in order, as (seat, card).
        counted: how many items of the show have been counted.
        pegged: points of each seat in the play, including heels and points for go.
        shown: points of each seat for its hand; None until counted.
        crib_points: points of the crib; None until counted.
        mugged: points that each seat took by muggins.
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
        """The number of seats."""
        return len(self.dealt)

    @property
    def pone(self) -> int:
        """The seat left of the dealer."""
        return (self.dealer + 1) % self.players

    def kept(self, seat: int) -> tuple[Card, ...]:
        """Return the cards that ``seat`` kept, in the order dealt (all before its discard)."""
        gone = self.discards[seat]
        return tuple(card for card in self.dealt[seat] if card not in gone)

    @property
    def crib(self) -> tuple[Card, ...]:
        """The cards in the crib: the card dealt to it, then the discards in seat order."""
        cards = tuple(card for thrown in self.discards for card in thrown)
        return cards if self.crib_card is None else (self.crib_card, *cards)

    @property
    def show_order(self) -> tuple[tuple[int, Item], ...]:
        """The items of the show in order: pone's hand first, the dealer's hand and crib last."""
        return _show_order(self.players, self.dealer)

    def item_cards(self, seat: int, item: Item) -> tuple[Card, ...]:
        """Return the four cards of an item of the show, sorted, to hide how they were dealt."""
        return tuple(sorted(self.crib if item == "crib" else self.kept(seat)))


@cache  # a show asks several times, and there are five orders
def _show_order(players: int, dealer: int) -> tuple[tuple[int, Item], ...]:
    seats = [(dealer + 1 + turn) % players for turn in range(players)]
    hands: list[tuple[int, Item]] = [(seat, "hand") for seat in seats]
    return (*hands, (dealer, "crib"))


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
        sequence: number of moves made.
        phase: the current phase.
        game: number of the game in the match, from 1.
        dealer: the seat that deals (or will deal) the hand; None until it is known.
        cutters: the seats that cut for the deal, while the phase is CUT.
        cuts: the cuts for deal of this game.
        scores: points of each seat in this game.
        trailing: hole of each seat's back peg (its score before it last scored).
        hand: the hand in progress; None between hands.
        hands: the finished hands of this game (until its first deal, of the previous game).
        count: the running total of the play.
        pile_start: index into `Hand.plays` of the first card of the current count.
        gos: whether each seat has said go in this count.
        turn: the seat that plays next; None outside the play.
        window: muggins: the last claim while it is open.
        results: the finished games.
        winner: the winner of the match; None while it is in progress or if it was drawn.
        resigned: the seat that resigned, if any.
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


def require(value: T | None) -> T:
    """Return ``value``, which the phase of the match guarantees to be set.

    Raises:
        LookupError: if it is None.
    """
    if value is None:
        raise LookupError("a value that the phase of the match guarantees is None")
    return value
