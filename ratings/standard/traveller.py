"""The traveller: the sheet that compares the field of a standard game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, prefetch_related_objects

from games.api import Seat, seat_of, shows_name, visible_to_standard_game_players
from ratings.models import Attempt
from ratings.standard.access import Reader, hands_turned_up
from ratings.standard.field import (
    HandComparison,
    Verdict,
    compare_hands,
    field_of,
    margin_of,
    margins_of,
)
from ratings.standard.field import verdict as compare_with_field
from ratings.standard.throw_values import JudgedHand, ThrowValue, judge

MAX_LINES = 60
"""Maximum number of attempts on one sheet."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A player at a table, by their attempt; ``hidden`` if the reader may not see the name."""

    attempt: Attempt
    hidden: bool


@dataclass(frozen=True, slots=True)
class Line:
    """An attempt at the reader's seat.

    Attributes:
        attempt: the row, with its player fetched.
        hidden: whether the reader sees "a guest" instead of the player's name.
        opponents: the others at that table, by seat.
        margin: the margin that counts, points.
        verdict: its comparison with the field; None for practice.
        own: whether it is the reader's.
        match: public id of its match if the reader may replay hands of it, else "".
    """

    attempt: Attempt
    hidden: bool
    opponents: tuple[Seated, ...]
    margin: float
    verdict: Verdict | None
    own: bool
    match: str


@dataclass(frozen=True, slots=True)
class HandResult:
    """The result of one attempt in one hand."""

    line: Line
    hand: dict[str, Any]


@dataclass(frozen=True, slots=True)
class DiscardGroup:
    """All attempts with the same discard in one hand; ``net`` is their mean net points.

    ``value`` is its worth by the analysis; None if the hand could not be judged.
    """

    cards: str
    net: float
    value: ThrowValue | None
    made: tuple[HandResult, ...]


@dataclass(frozen=True, slots=True)
class SheetHand:
    """A hand of the sheet: the reader's comparison, its judgement, and everyone's discards."""

    compared: HandComparison
    judged: JudgedHand | None
    chosen: tuple[DiscardGroup, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A traveller as its reader may see it."""

    lines: tuple[Line, ...]
    hands: tuple[SheetHand, ...]
    number: int
    """Number of attempts in the field; a large field has more than there are lines."""


def traveller(*, reader: Reader) -> Sheet:
    """Return all attempts at the reader's seat, best first, and the comparison of each hand."""
    own = reader.attempt
    field = field_of(game=reader.game, seat=own.seat)
    others = [attempt for attempt in field if attempt.player_id != own.player_id]
    mine = list(
        Attempt.objects.filter(
            standard_game=reader.game,
            player=own.player_id,
            computer=False,
            seat=own.seat,
            play__finished_at__isnull=False,
        )
        .select_related("player", "play__match")
        .order_by("pk")
    )
    shown = [*mine, *others[: MAX_LINES - len(mine)]]
    margins = margins_of(game=reader.game, seat=own.seat)
    lines = _lines(shown, margins, reader)
    compared = compare_hands(own, [*others], upto=reader.hands)
    judged = judge(compared, seats=reader.game.seats)
    hands = [
        SheetHand(
            hand,
            judged.get(hand.number),
            _discard_groups(lines, hand.number - 1, judged.get(hand.number)),
        )
        for hand in compared
    ]
    number = len(margins.keys() | {attempt.pk for attempt in mine})
    return Sheet(tuple(lines), tuple(hands), number)


def field_lines(*, reader: Reader, kinds: Sequence[str]) -> list[Line]:
    """Return people's attempts at the reader's seat in plays of these kinds, best first."""
    field = [
        attempt
        for attempt in field_of(game=reader.game, seat=reader.attempt.seat)
        if attempt.play.kind in kinds
    ]
    people = [attempt for attempt in field if not attempt.computer][:MAX_LINES]
    return _lines(people, {one.pk: margin_of(one) for one in field}, reader)


def _lines(shown: Sequence[Attempt], margins: Mapping[int, float], reader: Reader) -> list[Line]:
    tables: dict[int, list[Attempt]] = {}
    rows = Attempt.objects.filter(play__in=[attempt.play_id for attempt in shown])
    for row in rows.select_related("player").order_by("seat"):
        tables.setdefault(row.play_id, []).append(row)
    own, replays = reader.attempt, _replays(shown, reader)
    lines = []
    for attempt in shown:
        margin, table = margin_of(attempt), tables[attempt.play_id]
        counts = attempt.first or attempt.computer
        lines.append(
            Line(
                attempt=attempt,
                hidden=_is_hidden(attempt, attempt, table, own),
                opponents=tuple(
                    Seated(other, _is_hidden(other, attempt, table, own))
                    for other in table
                    if other.seat != attempt.seat
                ),
                margin=margin,
                verdict=compare_with_field(attempt, margins) if counts else None,
                own=attempt.player_id == own.player_id,
                match=replays.get(attempt.play_id, ""),
            )
        )
    return sorted(lines, key=lambda line: (-line.margin, line.attempt.pk))


def _is_hidden(who: Attempt, shown: Attempt, table: Sequence[Attempt], own: Attempt) -> bool:
    """Return whether a player at the table of a shown attempt hides their name from the reader."""
    at_table = any(one.player_id == own.player_id for one in table)
    match = shown.play.match
    return not (at_table or match is None or who.computer or shows_name(match, who.player))


def _replays(shown: Sequence[Attempt], reader: Reader) -> dict[int, str]:
    """Return play -> public id of its match, if the reader may replay at least one hand of it.

    The reader has finished the game and knows the cards of the hands that they reached; while the
    game is open, `games` shows them no later hand of other plays.
    """
    if not reader.hands or (reader.game.is_open and not hands_turned_up(reader.attempt)):
        return {}
    found = {attempt.play_id: attempt.play.match for attempt in shown if attempt.play.match}
    seats = Prefetch("seats", Seat.objects.select_related("player"))
    prefetch_related_objects(list(found.values()), seats)
    return {
        play: match.public_id
        for play, match in found.items()
        if seat_of(match, reader.attempt.player) is not None
        or visible_to_standard_game_players(match)
    }


def _discard_groups(
    lines: Sequence[Line], number: int, judged: JudgedHand | None
) -> tuple[DiscardGroup, ...]:
    """Group the attempts by their discard from one hand, most frequent first."""
    groups: dict[str, list[HandResult]] = {}
    for line in lines:
        if number < len(line.attempt.hands):
            hand = line.attempt.hands[number]
            groups.setdefault(hand["thrown"], []).append(HandResult(line, hand))
    values = {throw.cards: throw for throw in judged.throws} if judged is not None else {}
    chosen = [
        DiscardGroup(
            cards,
            sum(one.hand["net"] for one in made) / len(made),
            values.get(cards),
            tuple(made),
        )
        for cards, made in groups.items()
    ]
    return tuple(sorted(chosen, key=lambda one: (-len(one.made), -one.net)))
