"""What other apps want to know: they register here, and games calls them without knowing them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

logger = logging.getLogger(__name__)

Finished = Callable[[int], None]
Merging = Callable[[int, int], None]
Left = Callable[[int, int, bool, bool], None]
Pardoned = Callable[[int], None]
Erasing = Callable[[int], None]
Reached = Callable[[int, int | None], int | None]
Exporting = Callable[[int], Mapping[str, Iterable[Mapping[str, Any]]]]
Rated = Callable[[int], list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class FieldThrow:
    """What some of the field threw from a hand: the cards by name, how many, and what came of it.

    `net` is the mean of own points less the other's over the hand. `led` are the cards that they
    led with, each with how many did; empty for a dealer.
    """

    cards: str
    number: int
    net: float
    own: bool
    led: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FieldHand:
    """One hand of a standard game beside everybody else who held these cards.

    ``others`` played it besides; `own` and `mean` are net points, theirs None where nobody did.
    """

    number: int
    dealt: str
    others: int
    own: float
    mean: float | None
    throws: tuple[FieldThrow, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A standard game's field as a player may see it: hands in order, and where there is more."""

    hands: tuple[FieldHand, ...]
    address: str


Beside = Callable[[int, int], Field | None]


@dataclass(frozen=True, slots=True)
class StandardGames:
    """What lists of matches ask whoever keeps standard games; matches and players by primary key.

    Attributes:
        numbers: of these matches those that belong to a standard game, with its number.
        played: the matches in which a player has played the game of a number.
        finished: of these matches those whose game a player has played to its end.
        secret: those of these matches whose cards may not be shown to everybody.
    """

    numbers: Callable[[Collection[int]], Mapping[int, int]]
    played: Callable[[int, int], Collection[int]]
    finished: Callable[[Collection[int], int], Collection[int]]
    secret: Callable[[Collection[int]], Collection[int]]


_finished: list[Finished] = []
_merging: list[Merging] = []
_left: list[Left] = []
_pardoned: list[Pardoned] = []
_erasing: list[Erasing] = []
_reached: list[Reached] = []
_exporting: list[Exporting] = []
_rated: list[Rated] = []
_beside: list[Beside] = []
_standard: list[StandardGames] = []


def on_finished(hook: Finished) -> None:
    """Have ``hook(match)`` called, in a thread, after the last move of a match is stored.

    It gets the primary key. It may be called twice, and where a process dies never.
    """
    if hook not in _finished:
        _finished.append(hook)


def on_merging(hook: Merging) -> None:
    """Have ``hook(guest, account)`` called in the transaction that gives the one to the other.

    Both are primary keys.
    """
    if hook not in _merging:
        _merging.append(hook)


def on_erasing(hook: Erasing) -> None:
    """Have ``hook(player)`` called in the transaction that deletes an account, before it does.

    It gets the primary key. Rows that go with a player go without it (`games.services.erasure`).
    """
    if hook not in _erasing:
        _erasing.append(hook)


def on_left(hook: Left) -> None:
    """Have ``hook(match, player, timed_out, excused)`` called when a ranked match is left for good.

    It is called in the transaction that gives the seat away, once for a seat, with primary keys.
    ``excused``: the service itself was out while the decision was awaited.
    """
    if hook not in _left:
        _left.append(hook)


def left(match: int, player: int, *, timed_out: bool, excused: bool) -> None:
    """Tell that a ranked match was left for good."""
    for hook in tuple(_left):
        hook(match, player, timed_out, excused)


def on_pardoned(hook: Pardoned) -> None:
    """Have ``hook(player)`` called when a moderator forgives a player the games that he left."""
    if hook not in _pardoned:
        _pardoned.append(hook)


def pardoned(player: int) -> None:
    """Tell that a player is forgiven the ranked games that he left, in the transaction of it."""
    for hook in tuple(_pardoned):
        hook(player)


def on_reached(hook: Reached) -> None:
    """Have ``hook(match, player)`` say how many hands of a finished match a player may see.

    It gets the primary keys (None for a visitor), and answers None where it has nothing against
    all of them. It is asked about those alone who did not sit there to the end.
    """
    if hook not in _reached:
        _reached.append(hook)


def hands_reached(match: int, player: int | None) -> int | None:
    """Return the least that a hook allows to be seen, in hands; None where none objects."""
    answers = [hook(match, player) for hook in tuple(_reached)]
    limits = [answer for answer in answers if answer is not None]
    return min(limits, default=None)


def on_exporting(hook: Exporting) -> None:
    """Have ``hook(player)`` asked what else a player takes along: rows as JSON, by file name.

    It gets the primary key, and gives what the player himself may read, and no more.
    """
    if hook not in _exporting:
        _exporting.append(hook)


def on_rated(hook: Rated) -> None:
    """Have ``hook(player)`` asked for a player's ratings, which anybody may read, as JSON."""
    if hook not in _rated:
        _rated.append(hook)


def on_standard_games(keeper: StandardGames) -> None:
    """Have ``keeper`` asked which matches belong to standard games."""
    if keeper not in _standard:
        _standard.append(keeper)


def on_field(hook: Beside) -> None:
    """Have ``hook(match, player)`` asked what others did with the cards of a match.

    It gets the primary keys, and answers None where there is nothing that the player may see.
    """
    if hook not in _beside:
        _beside.append(hook)


def asked() -> bool:
    """Whether anybody asked to be told when a match is over."""
    return bool(_finished)


def finished(match: int) -> None:
    """Tell that a match is over; what a hook raises is logged."""
    for hook in tuple(_finished):
        try:
            hook(match)
        except Exception:
            logger.exception("match %s is over, and %r failed", match, hook)


def merging(guest: int, account: int) -> None:
    """Tell that a guest's rows go over to an account."""
    for hook in tuple(_merging):
        hook(guest, account)


def erasing(player: int) -> None:
    """Tell that an account is being deleted."""
    for hook in tuple(_erasing):
        hook(player)


def exporting(player: int) -> dict[str, Iterable[Mapping[str, Any]]]:
    """Return what other apps have stored about a player, by file name."""
    return {name: rows for hook in tuple(_exporting) for name, rows in hook(player).items()}


def ratings(player: int) -> list[dict[str, Any]]:
    """Return a player's ratings, one for each number of seats; empty where nobody rates."""
    return [rating for hook in tuple(_rated) for rating in hook(player)]


def standard_numbers(matches: Collection[int]) -> dict[int, int]:
    """Return, for those of the matches that belong to a standard game, its number."""
    return {pk: number for each in _standard for pk, number in each.numbers(matches).items()}


def matches_on(number: int, player: int) -> set[int]:
    """Return the matches in which a player has played the standard game of a number."""
    return {pk for each in _standard for pk in each.played(number, player)}


def same_cards(matches: Collection[int], player: int) -> set[int]:
    """Return those of the matches whose standard game a player has himself played to its end."""
    return {pk for each in _standard for pk in each.finished(matches, player)}


def secret_matches(matches: Collection[int]) -> set[int]:
    """Return those of the matches whose cards may not be shown to everybody."""
    return {pk for each in _standard for pk in each.secret(matches)}


def field(match: int, player: int) -> Field | None:
    """Return what others did with the cards of a match, as a player may see it; None for nothing.

    What a hook raises is logged: a page has more to show than this.
    """
    for hook in tuple(_beside):
        try:
            found = hook(match, player)
        except Exception:
            logger.exception("the field of match %s could not be told by %r", match, hook)
        else:
            if found is not None:
                return found
    return None
