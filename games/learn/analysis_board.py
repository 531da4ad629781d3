"""A position of the analysis board: read from an address, checked, and turned into a view.

A position is one seat's decision with what that seat knows. Seats count clockwise from the one that
decides, which is 0. The cards that the others hold are not part of it: `state_of` deals them from
those that are left, and the values of the choices do not depend on them (`games.engine.view`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine import rules
from games.engine.cards import NAMES, PACK, PIPS, Card, CardError, parse_cards
from games.engine.moves import Deal, Discard, Move, Play, Starter
from games.engine.pegging import LIMIT
from games.engine.state import Ruleset, State, require
from games.engine.view import View, view_for
from games.learn.analysis_play import GO, Token, Walk, WalkError, name_of, seat_name, walk
from games.text.typed_cards import typed_words

KEPT = 4
"""Number of cards that a player keeps."""

MOST_TEXT = 200
"""Maximum number of characters of a field."""

SCORES = ("own", "other", "third")
"""The fields of the scores, clockwise from the seat that decides."""

Order = Callable[[Sequence[Card]], Sequence[Card]]
"""Puts the cards that are left in the order in which they are dealt."""


class PositionError(Exception):
    """An impossible position: the ``field`` at fault, and a ``message`` for the reader."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


class Unfinished(PositionError):
    """A position that is possible so far; the message says what to add."""


@dataclass(frozen=True, slots=True)
class Position:
    """One seat's decision and what it knows.

    Attributes:
        players, target: the rules that matter.
        dealer: the seat that deals; seat 0 decides.
        scores: points of each seat now, with those of this hand.
        cards: own cards: all of them before the throw, the four kept afterwards.
        starter: the card cut; None before the throw.
        plays: the cards played so far, by all seats in order, and each `GO` of another seat.
        thrown: own cards in the crib, if known.
        seen: other cards that are in no one's hand and not the starter, such as others' throws.
    """

    players: int
    target: int
    dealer: int
    scores: tuple[int, ...]
    cards: tuple[Card, ...]
    starter: Card | None = None
    plays: tuple[Token, ...] = ()
    thrown: tuple[Card, ...] = ()
    seen: tuple[Card, ...] = ()

    @property
    def throws(self) -> bool:
        """Whether the decision is a throw; otherwise a card has to be played."""
        return self.starter is None

    def address(self) -> dict[str, str]:
        """Return the query parameters; `read` is the inverse. Defaults are left out."""
        data = {"cards": names_of(self.cards), "dealer": str(self.dealer)}
        data |= {name: str(score) for name, score in zip(SCORES, self.scores, strict=False)}
        if self.players != 2:
            data["players"] = "3"
        if self.target != 121:
            data["target"] = str(self.target)
        if self.starter is not None:
            data["starter"] = NAMES[self.starter]
        for name, found in (("thrown", self.thrown), ("seen", self.seen)):
            if found:
                data[name] = names_of(found)
        if self.plays:
            data["plays"] = " ".join(GO if token == GO else NAMES[token] for token in self.plays)
        return data


def names_of(cards: Sequence[Card]) -> str:
    """Return cards as text: "5H TD"."""
    return " ".join(NAMES[card] for card in cards)


def read(data: Mapping[str, str]) -> Position:
    """Return the position of query parameters.

    A score below the points that its seat has pegged in this hand becomes those points.

    Raises:
        Unfinished: if something has to be added.
        PositionError: if it is impossible.
    """
    players = 3 if data.get("players") == "3" else 2
    target = 61 if data.get("target") == "61" else 121
    position = Position(
        players=players,
        target=target,
        dealer=_dealer(data.get("dealer", ""), players),
        scores=tuple(_score(data, name, target) for name in SCORES[:players]),
        cards=_sorted(data, "cards"),
        starter=_starter(data),
        plays=_plays(data),
        thrown=_sorted(data, "thrown"),
        seen=_sorted(data, "seen"),
    )
    if check(position) is None:
        return position
    scores = zip(position.scores, _pegged(position), strict=True)
    return replace(position, scores=tuple(max(both) for both in scores))


def check(position: Position) -> Walk | None:
    """Check a position; return its play so far, None before the throw.

    Raises:
        Unfinished, PositionError: as `read`.
    """
    _check_twice(position)
    if position.throws:
        _check_throw(position)
        return None
    return _check_play(position)


def view_of(position: Position) -> View:
    """Return what the deciding seat sees.

    Raises:
        PositionError: if no cards are left for the other hands.
    """
    return view_for(state_of(position), 0)


def state_of(position: Position) -> State:
    """Return a state with this position; hidden cards are the lowest possible ones."""
    state = rules.fold(_rules_of(position), moves_of(position, list))
    return replace(state, scores=position.scores)


def start_of(position: Position) -> Ruleset:
    """Return the rules of a match whose log may begin with `moves_of` and lead to this position."""
    scores = zip(position.scores, _pegged(position), strict=True)
    before = tuple(score - pegged for score, pegged in scores)
    return replace(_rules_of(position), scores=before)


def _rules_of(position: Position) -> Ruleset:
    return Ruleset(players=position.players, target=position.target, first_dealer=position.dealer)


def _pegged(position: Position) -> tuple[int, ...]:
    """Return the points that each seat has pegged in this hand."""
    return require(rules.fold(_rules_of(position), moves_of(position, list)).hand).pegged


def moves_of(position: Position, order: Order) -> tuple[Move, ...]:
    """Return the moves of a hand that lead to a position; hidden cards are dealt in ``order``.

    Raises:
        PositionError: as `check`, and if too few cards are left for the other hands.
    """
    players = position.players
    played = check(position)
    left = list(order(_unseen(position)))
    size = 6 if players == 2 else 5
    if played is None:
        hands = [position.cards, *(_take(left, size) for _seat in range(1, players))]
        return (Deal(tuple(hands), None if players == 2 else left.pop()),)
    kept = [position.cards, *_others_kept(played, left, players)]
    number = size - KEPT
    own = position.thrown or _take(left, number)
    thrown = [own, *(_take(left, number) for _seat in range(1, players))]
    hands = [(*hand, *away) for hand, away in zip(kept, thrown, strict=True)]
    return (
        Deal(tuple(hands), None if players == 2 else _take(left, 1)[0]),
        *(Discard(seat, away) for seat, away in enumerate(thrown)),
        Starter(require(position.starter)),
        *(Play(seat, card) for seat, card in played.plays),
    )


def _others_kept(played: Walk, left: list[Card], players: int) -> list[tuple[Card, ...]]:
    """Return the hands that the other seats kept; who said go gets cards that did not fit."""
    kept: dict[int, tuple[Card, ...]] = {}
    for seat in sorted(range(1, players), key=lambda seat: -played.room(seat)):
        own = tuple(card for who, card in played.plays if who == seat)
        fitting = [card for card in left if PIPS[card] > played.room(seat)]
        if len(fitting) < KEPT - len(own):
            text = _("Too few high cards are left for that go. Check “Also seen”.")
            raise PositionError("plays", text)
        held = fitting[: KEPT - len(own)]
        for card in held:
            left.remove(card)
        kept[seat] = (*own, *held)
    return [kept[seat] for seat in range(1, players)]


def _take(left: list[Card], number: int) -> tuple[Card, ...]:
    if len(left) < number:
        text = _("Too few cards are left for the others. Take some out of “Also seen”.")
        raise PositionError("seen", text)
    found = tuple(left[:number])
    del left[:number]
    return found


def _unseen(position: Position) -> list[Card]:
    seen = {*position.cards, *position.thrown, *position.seen, position.starter}
    seen |= {token for token in position.plays if token != GO}
    return [card for card in PACK if card not in seen]


def _check_twice(position: Position) -> None:
    """Refuse a card in two places; a card in hand that was played is in one place."""
    table = [token for token in position.plays if isinstance(token, int)]
    places: list[tuple[str, Sequence[Card]]] = [
        ("cards", position.cards),
        ("thrown", position.thrown),
        ("starter", () if position.starter is None else (position.starter,)),
        ("plays", [card for card in table if card not in position.cards]),
        ("seen", position.seen),
    ]
    met: set[Card] = set()
    for field, cards in places:
        for card in cards:
            if card in met:
                raise PositionError(field, _twice(card))
            met.add(card)
    for at, card in enumerate(table):
        if card in table[:at]:
            raise PositionError("plays", _twice(card))


def _twice(card: Card) -> str:
    return _("The %(card)s is there twice. Remove one.") % {"card": name_of(card)}


def _check_throw(position: Position) -> None:
    size = 6 if position.players == 2 else 5
    number = len(position.cards)
    if position.plays:
        raise Unfinished("starter", _("Add the starter: it's cut before the play."))
    if position.thrown:
        text = _("You've thrown already. Add the starter.")
        raise Unfinished("starter", text)
    if number > size:
        _too_many(position, size)
    if number < size:
        left = size - number
        text = ngettext("Pick %(n)d more card.", "Pick %(n)d more cards.", left) % {"n": left}
        raise Unfinished("cards", text)
    _enough(position)


def _too_many(position: Position, size: int) -> None:
    number = len(position.cards)
    if position.players == 2:
        text = _("With two players you're dealt %(size)d cards, not %(n)d.")
    else:
        text = _("With three players you're dealt %(size)d cards, not %(n)d.")
    raise PositionError("cards", text % {"size": size, "n": number})


def _check_play(position: Position) -> Walk:
    number = len(position.cards)
    if number > KEPT:
        over = number - KEPT
        text = _("After the cut you hold 4 cards, not %(n)d. Throw %(over)d more.")
        raise PositionError("cards", text % {"n": number, "over": over})
    if number < KEPT:
        text = _("Add all 4 cards you kept, even those you've played.")
        raise Unfinished("cards", text)
    away = 2 if position.players == 2 else 1
    if position.thrown and len(position.thrown) != away:
        text = ngettext(
            "Each player throws %(n)d card. Pick yours, or none.",
            "Each player throws %(n)d cards. Pick both of yours, or none.",
            away,
        )
        raise Unfinished("thrown", text % {"n": away})
    _enough(position)
    try:
        found = walk(
            players=position.players,
            dealer=position.dealer,
            own=position.cards,
            tokens=position.plays,
        )
    except WalkError as cause:
        raise PositionError("plays", str(cause)) from cause
    if found.turn is None:
        raise PositionError("plays", _("All the cards have been played."))
    if found.turn != 0:
        values = {"name": seat_name(found.turn, position.players), "count": found.count}
        text = _("%(name)s is next, at %(count)d. Add their card.")
        if LIMIT - found.count < 10:
            text = _("%(name)s is next, at %(count)d. Add a card or “go”.")
        raise Unfinished("plays", text % values)
    return found


def _enough(position: Position) -> None:
    size = (6 if position.players == 2 else 5) * position.players
    dealt = size + (2 if position.players == 3 else 1)
    if len(position.seen) > len(PACK) - dealt:
        text = _("You can have seen %(most)d other cards at most.")
        raise PositionError("seen", text % {"most": len(PACK) - dealt})


def _dealer(text: str, players: int) -> int:
    if text not in {"", *map(str, range(players))}:
        raise PositionError("dealer", _("Choose who deals."))
    return int(text or 0)


def _score(data: Mapping[str, str], name: str, target: int) -> int:
    text = data.get(name, "").strip()
    if not text:
        return 0
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) < target):
        said = _("In a game to %(target)d, scores are 0 to %(most)d.")
        raise PositionError(name, said % {"target": target, "most": target - 1})
    return int(text)


def _words(data: Mapping[str, str], name: str) -> list[str]:
    text = data.get(name, "")
    if len(text) > MOST_TEXT:
        raise PositionError(name, _("That's too long. Write cards like 5H 10D."))
    return typed_words(text)


def _cards(data: Mapping[str, str], name: str) -> tuple[Card, ...]:
    return tuple(card for word in _words(data, name) for card in _read_word(word, name))


def _sorted(data: Mapping[str, str], name: str) -> tuple[Card, ...]:
    """Return cards whose order does not matter, so that one position has one address."""
    return tuple(sorted(_cards(data, name)))


def _read_word(word: str, name: str) -> tuple[Card, ...]:
    try:
        return parse_cards(word)
    except CardError as cause:
        text = _("“%(word)s” isn't a card. Write rank (A 2–9 T J Q K) and suit (C D H S), like 5H.")
        raise PositionError(name, text % {"word": word[:20]}) from cause


def _starter(data: Mapping[str, str]) -> Card | None:
    found = _cards(data, "starter")
    if len(found) > 1:
        raise PositionError("starter", _("There's only one starter."))
    return found[0] if found else None


def _plays(data: Mapping[str, str]) -> tuple[Token, ...]:
    found: list[Token] = []
    for word in _words(data, "plays"):
        if word.lower() == GO:
            found.append(GO)
        else:
            found += _read_word(word, "plays")
    return tuple(found)
