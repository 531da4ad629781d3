"""The play of a position card by card: whose turn it is, the count, and who said go.

It follows the rules without the hidden cards, so each go of another seat has to be told. The
deciding seat, 0, says go by itself when no card of its own fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from django.utils.translation import gettext as _

from games.engine.cards import NAMES, PIPS, Card
from games.engine.pegging import LIMIT, playable

GO: Final = "go"
"""Said by a seat of which no card fits."""

Token = Card | Literal["go"]
"""A card played, or a go of another seat."""

KEPT = 4
HIGHEST = 10
"""The highest value of a card: at 21 and below, any card fits."""

_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


class WalkError(Exception):
    """A card or go that is impossible where it stands; the message is for the reader."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened: a seat's card, or its go (``card`` None), and the count then."""

    seat: int
    card: Card | None
    count: int


@dataclass(slots=True)
class Walk:
    """The play so far.

    Attributes:
        players, own: number of seats, and the cards that seat 0 kept.
        turn: the seat that plays next; None once all cards are played.
        count: the running total.
        plays: the cards played, as (seat, card).
        lines: cards and goes in order.
        passed: each go of another seat, as (seat, cards it had played, points left to 31).
    """

    players: int
    own: tuple[Card, ...]
    turn: int | None
    count: int = 0
    plays: list[tuple[int, Card]] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    passed: list[tuple[int, int, int]] = field(default_factory=list)
    last: int = 0
    gone: set[int] = field(default_factory=set)

    def number(self, seat: int) -> int:
        """Return how many cards a seat has played."""
        return sum(who == seat for who, _card in self.plays)

    @property
    def held(self) -> tuple[Card, ...]:
        """The cards that seat 0 still holds."""
        played = {card for _seat, card in self.plays}
        return tuple(card for card in self.own if card not in played)

    def room(self, seat: int) -> int:
        """Return the points below or at which a seat holds no card, because it said go; 0: any."""
        return max((room for who, _at, room in self.passed if who == seat), default=0)

    def step(self, token: Token) -> None:
        """Take the next card or go.

        Raises:
            WalkError: if it is impossible here.
        """
        if token == GO:
            self._go()
        else:
            self._card(int(token))

    def _card(self, card: Card) -> None:
        shown = {"card": name_of(card), "count": self.count}
        if self.turn is None:
            raise WalkError(_("All cards were played before the %(card)s.") % shown)
        name = {"name": seat_name(self.turn, self.players)}
        if card in self.own and self.turn != 0:
            text = _("The %(card)s is yours, but %(name)s is next, at %(count)d.")
            raise WalkError(text % {**shown, "name": seat_inside(self.turn, self.players)})
        if card not in self.own and self.turn == 0:
            text = _("You're next, at %(count)d, but you don't hold the %(card)s.")
            raise WalkError(text % shown)
        total = self.count + PIPS[card]
        if total > LIMIT:
            text = _("The %(card)s on %(count)d makes %(total)d, over 31.")
            raise WalkError(text % {**shown, "total": total})
        for seat, _at, room in self.passed:
            if seat == self.turn and PIPS[card] <= room:
                text = _("%(name)s said go at %(before)d, so they can't have the %(card)s.")
                raise WalkError(text % {**shown, **name, "before": LIMIT - room})
        self.last, self.count = self.turn, total
        self.plays.append((self.turn, card))
        self.lines.append(Line(self.turn, card, total))
        self._advance()

    def _go(self) -> None:
        if self.turn is None:
            raise WalkError(_("All the cards have been played."))
        if self.turn == 0:
            fitting = playable(self.held, self.count)
            text = _("You can't say go at %(count)d: the %(card)s fits.")
            raise WalkError(text % {"count": self.count, "card": name_of(fitting[0])})
        room = LIMIT - self.count
        if room >= HIGHEST:
            text = _("No one says go at %(count)d: every card fits.")
            raise WalkError(text % {"count": self.count})
        self.passed.append((self.turn, self.number(self.turn), room))
        self._pass(self.turn)
        self._advance()

    def _pass(self, seat: int) -> None:
        self.gone.add(seat)
        self.lines.append(Line(seat, None, self.count))

    def _advance(self) -> None:
        if self.count < LIMIT:
            for step in range(1, self.players + 1):
                seat = (self.last + step) % self.players
                if self.number(seat) == KEPT or seat in self.gone:
                    continue
                if seat == 0 and not playable(self.held, self.count):
                    self._pass(0)
                    continue
                self.turn = seat
                return
        self.count = 0
        self.gone = set()
        order = [(self.last + step) % self.players for step in range(1, self.players + 1)]
        self.turn = next((seat for seat in order if self.number(seat) < KEPT), None)


def walk(*, players: int, dealer: int, own: Sequence[Card], tokens: Sequence[Token]) -> Walk:
    """Return the play after ``tokens``.

    Raises:
        WalkError: at the first card or go that is impossible.
    """
    found = Walk(players, tuple(own), (dealer + 1) % players)
    for token in tokens:
        found.step(token)
    return found


def tokens_of(
    *, players: int, dealer: int, own: Sequence[Card], plays: Sequence[tuple[int, Card]]
) -> tuple[Token, ...]:
    """Return the cards played in order with the goes between them, up to seat 0's turn."""
    found = Walk(players, tuple(own), (dealer + 1) % players)
    tokens: list[Token] = []

    def take(token: Token) -> None:
        found.step(token)
        tokens.append(token)

    for seat, card in plays:
        # A seat whose next card did not fit said go, and led the next count.
        while found.turn != seat or found.count + PIPS[card] > LIMIT:
            take(GO)
        take(card)
    while found.turn not in {0, None}:
        take(GO)
    return tuple(tokens)


def name_of(token: Token) -> str:
    """Return a card as readers write it: "5♥", "10♦"; a go as "go"."""
    if isinstance(token, str):
        return token
    name = NAMES[token]
    return name[0].replace("T", "10") + _SIGNS[name[1]]


def seat_name(seat: int, players: int) -> str:
    """Return a seat's name at the start of a sentence."""
    if seat == 0:
        return _("You")
    if players == 2:
        return _("Your opponent")
    return _("The next player") if seat == 1 else _("The third player")


def seat_inside(seat: int, players: int) -> str:
    """Return another seat's name within a sentence."""
    if players == 2:
        return _("your opponent")
    return _("the next player") if seat == 1 else _("the third player")
