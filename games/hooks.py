"""Hooks for other apps: they register callbacks here, so that `games` need not import them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeVar

logger = logging.getLogger(__name__)

Finished = Callable[[int], None]
Linked = Callable[[int], Collection[int]]
Merging = Callable[[int, int], None]
Left = Callable[[int, int, bool, bool], None]
Hook = TypeVar("Hook")
Pardoned = Callable[[int], None]
Removed = Callable[[int, bool], None]
Erasing = Callable[[int], None]
Banned = Callable[[int], None]
Blocking = Callable[[], None]
Renamed = Callable[[int], None]
Reached = Callable[[int, int | None], int | None]
Exporting = Callable[[int], Mapping[str, Iterable[Mapping[str, Any]]]]
Rated = Callable[[int], list[dict[str, Any]]]
SameReader = Callable[[int | None, Mapping[str, str]], Collection[int]]
Place = Literal["table", "match", "recap", "player-head", "player", "case", "landing", "home"]
"""A place on a page of games where other apps may show a fragment."""
Fragment = Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True, slots=True)
class FieldThrow:
    """A discard that some players of the field made, and its average result.

    Attributes:
        cards: the names of the cards.
        number: the number of players who made it.
        net: the mean of their points minus the opponent's in the hand.
        own: whether the player made it.
        led: the cards led after it, each with the number of players; empty for a dealer.
    """

    cards: str
    number: int
    net: float
    own: bool
    led: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FieldHand:
    """One hand of a standard game compared with the field.

    ``others`` is the number of other players; `own` and `mean` are net points of the player and
    of the others (None without others).
    """

    number: int
    dealt: str
    others: int
    own: float
    mean: float | None
    throws: tuple[FieldThrow, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """The field of a standard game as a player may see it, with the address of its page."""

    hands: tuple[FieldHand, ...]
    address: str


FieldHook = Callable[[int, int], Field | None]


@dataclass(frozen=True, slots=True)
class StandardPlay:
    """A match's standard game: its number, and how the table came about ("daily game")."""

    number: int
    kind: str


@dataclass(frozen=True, slots=True)
class StandardGames:
    """Queries about standard games for lists of matches; matches and players by primary key.

    Attributes:
        plays: match -> its standard game, for those matches that belong to one.
        played: the matches in which a player has played a standard game, by its number.
        finished: the matches with a standard game that a player has finished.
        secret: the matches with cards that are not public.
        held_back: those of them with cards that even their players don't see yet.
        opened: the matches on standard games that have closed since a time.
    """

    plays: Callable[[Collection[int]], Mapping[int, StandardPlay]]
    played: Callable[[int, int], Collection[int]]
    finished: Callable[[Collection[int], int], Collection[int]]
    secret: Callable[[Collection[int]], Collection[int]]
    held_back: Callable[[Collection[int]], Collection[int]]
    opened: Callable[[datetime], Collection[int]]


_finished: list[Finished] = []
_linked: list[Linked] = []
_merging: list[Merging] = []
_left: list[Left] = []
_pardoned: list[Pardoned] = []
_removed: list[Removed] = []
_erasing: list[Erasing] = []
_banned: list[Banned] = []
_blocking: list[Blocking] = []
_renamed: list[Renamed] = []
_reached: list[Reached] = []
_exporting: list[Exporting] = []
_rated: list[Rated] = []
_same_reader: list[SameReader] = []
_field: list[FieldHook] = []
_standard: list[StandardGames] = []
_fragments: dict[Place, list[Fragment]] = {}


def _register(hooks: list[Hook], hook: Hook) -> None:
    if hook not in hooks:
        hooks.append(hook)


def on_finished(hook: Finished) -> None:
    """Register ``hook(match)``, called in a job after the last move of a match is stored.

    It gets the primary key. It is called again if it fails, or if the worker is killed.
    """
    _register(_finished, hook)


def on_linked(hook: Linked) -> None:
    """Register ``hook(player)``, which returns the accounts of the same person, by primary key."""
    _register(_linked, hook)


def linked(player: int) -> set[int]:
    """Return a player and the accounts that are taken for the same person's, by primary key."""
    return {player, *(key for hook in tuple(_linked) for key in hook(player))}


def on_merging(hook: Merging) -> None:
    """Register ``hook(guest, account)``, called in the transaction that merges a guest.

    Both are primary keys.
    """
    _register(_merging, hook)


def on_erasing(hook: Erasing) -> None:
    """Register ``hook(player)``, called in the transaction that deletes an account, before it.

    It gets the primary key. CASCADE relations need no hook (`games.safety.erasure`).
    """
    _register(_erasing, hook)


def on_banned(hook: Banned) -> None:
    """Register ``hook(player)``, called after an account is closed, in the same transaction."""
    _register(_banned, hook)


def banned(player: int) -> None:
    """Call the hooks for a player (primary key) whose account was closed."""
    for hook in tuple(_banned):
        hook(player)


def on_blocking(hook: Blocking) -> None:
    """Register ``hook()``, called in the transaction in which one player blocks another.

    It waits for players who are being seated, so that the next ones are seated with the block.
    """
    _register(_blocking, hook)


def on_renamed(hook: Renamed) -> None:
    """Register ``hook(player)``, called when the name of an account has changed."""
    _register(_renamed, hook)


def on_left(hook: Left) -> None:
    """Register ``hook(match, player, timed_out, excused)``, called after a ranked forfeit.

    It is called in the same transaction, once for a seat, with primary keys. ``excused`` is True if
    there was an outage of the service since the decision was requested.
    """
    _register(_left, hook)


def left(match: int, player: int, *, timed_out: bool, excused: bool) -> None:
    """Call the hooks for a forfeited ranked match."""
    for hook in tuple(_left):
        hook(match, player, timed_out, excused)


def on_pardoned(hook: Pardoned) -> None:
    """Register ``hook(player)``, called when a moderator forgives a player's forfeits."""
    _register(_pardoned, hook)


def pardoned(player: int) -> None:
    """Call the hooks for forgiven forfeits, in the same transaction."""
    for hook in tuple(_pardoned):
        hook(player)


def on_results_removed(hook: Removed) -> None:
    """Register ``hook(player, removed)``: a moderator removed a player's results, or restored them.

    It gets the primary key, and is called in the transaction that logs the action.
    """
    _register(_removed, hook)


def results_removed(player: int, *, removed: bool = True) -> None:
    """Call the hooks for removed or restored results."""
    for hook in tuple(_removed):
        hook(player, removed)


def on_reached(hook: Reached) -> None:
    """Register ``hook(match, player)``, which limits the hands of a match that a player may see.

    It gets the primary keys (None for a visitor) and returns None for no limit.
    """
    _register(_reached, hook)


def hands_reached(match: int, player: int | None) -> int | None:
    """Return the lowest limit of the hooks, in hands; None without a limit."""
    answers = [hook(match, player) for hook in tuple(_reached)]
    limits = [answer for answer in answers if answer is not None]
    return min(limits, default=None)


def on_exporting(hook: Exporting) -> None:
    """Register ``hook(player)``, which returns further data for exports: JSON rows by file name.

    It gets the primary key, and must return only data that the player may read.
    """
    _register(_exporting, hook)


def on_rated(hook: Rated) -> None:
    """Register ``hook(player)``, which returns a player's public ratings as JSON."""
    _register(_rated, hook)


def on_same_reader(hook: SameReader) -> None:
    """Register ``hook(player, cookies)``, which returns the accounts of whoever reads a page.

    It gets the primary key (None for a visitor) and the cookies, and returns primary keys.
    """
    _register(_same_reader, hook)


def same_reader(player: int | None, cookies: Mapping[str, str]) -> set[int]:
    """Return the accounts that other apps take for the reader's."""
    return {key for hook in tuple(_same_reader) for key in hook(player, cookies)}


def on_standard_games(keeper: StandardGames) -> None:
    """Register the queries about standard games."""
    if keeper not in _standard:
        _standard.append(keeper)


def on_field(hook: FieldHook) -> None:
    """Register ``hook(match, player)``, which returns the field of a match.

    It gets the primary keys, and returns None if the player may see nothing of it.
    """
    _register(_field, hook)


def on_fragment(place: Place, render: Fragment) -> None:
    """Register ``render(page)``, which gets a page's template context and returns safe HTML.

    The context has `match` at "table", "match" and "recap"; at the latter two `detail` is its
    `MatchDetail`. It has the player as `shown` at "player", "player-head", the place for style
    sheets, and "case", a moderators' page, where `reader` is the moderator. A fragment at "recap"
    that is not complete yet contains ``data-pending``.
    """
    registered = _fragments.setdefault(place, [])
    if render not in registered:
        registered.append(render)


def fragments(place: Place, page: Mapping[str, Any]) -> list[str]:
    """Return the HTML that other apps show at a place of a page, in the order registered."""
    return [render(page) for render in _fragments.get(place, ())]


def finished(match: int) -> None:
    """Call the hooks for a finished match.

    Raises:
        ExceptionGroup: what they raised, after all of them have been called.
    """
    errors = []
    for hook in tuple(_finished):
        try:
            hook(match)
        except Exception as error:
            logger.exception("hook %r failed for finished match %s", hook, match)
            errors.append(error)
    if errors:
        raise ExceptionGroup(f"{len(errors)} hooks failed for a finished match", errors)


def merging(guest: int, account: int) -> None:
    """Call the hooks for merging a guest into an account."""
    for hook in tuple(_merging):
        hook(guest, account)


def erasing(player: int) -> None:
    """Call the hooks for the deletion of an account."""
    for hook in tuple(_erasing):
        hook(player)


def blocking() -> None:
    """Call the hooks for a block that is being stored."""
    for hook in tuple(_blocking):
        hook()


def renamed(player: int) -> None:
    """Call the hooks for an account whose name has changed."""
    for hook in tuple(_renamed):
        hook(player)


def exporting(player: int) -> dict[str, Iterable[Mapping[str, Any]]]:
    """Return the data of other apps about a player, by file name."""
    return {name: rows for hook in tuple(_exporting) for name, rows in hook(player).items()}


def ratings(player: int) -> list[dict[str, Any]]:
    """Return a player's ratings, one for each number of seats, if any app provides them."""
    return [rating for hook in tuple(_rated) for rating in hook(player)]


def standard_plays(matches: Collection[int]) -> dict[int, StandardPlay]:
    """Return match -> its standard game, for those matches that belong to one."""
    return {pk: play for each in _standard for pk, play in each.plays(matches).items()}


def matches_on(number: int, player: int) -> set[int]:
    """Return the matches in which a player has played a standard game, by its number."""
    return {pk for each in _standard for pk in each.played(number, player)}


def same_cards(matches: Collection[int], player: int) -> set[int]:
    """Return those of the matches with a standard game that the player has finished."""
    return {pk for each in _standard for pk in each.finished(matches, player)}


def secret_matches(matches: Collection[int]) -> set[int]:
    """Return those of the matches with cards that are not public."""
    return {pk for each in _standard for pk in each.secret(matches)}


def held_back(matches: Collection[int]) -> set[int]:
    """Return those of the matches with cards that even their players don't see yet."""
    return {pk for each in _standard for pk in each.held_back(matches)}


def opened_since(moment: datetime) -> set[int]:
    """Return the matches on standard games that have closed since a time."""
    return {pk for each in _standard for pk in each.opened(moment)}


def field(match: int, player: int) -> Field | None:
    """Return the field of a match as a player may see it, or None.

    Exceptions of hooks are logged, so that the rest of the page is still shown.
    """
    for hook in tuple(_field):
        try:
            found = hook(match, player)
        except Exception:
            logger.exception("hook %r failed for the field of match %s", hook, match)
        else:
            if found is not None:
                return found
    return None
