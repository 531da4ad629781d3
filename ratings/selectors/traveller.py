"""The traveller: the sheet that goes with a standard game and compares its field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, prefetch_related_objects

from games.api import Seat, seat_of, shown_to_players_of_it
from ratings.comparison import matchpoints
from ratings.models import Attempt
from ratings.selectors.access import Reader
from ratings.selectors.field import HandCompared, field_of, hands_compared, margin_of

SHOWN = 60
"""Attempts on one sheet."""


@dataclass(frozen=True, slots=True)
class Line:
    """One attempt in the reader's seat.

    Attributes:
        attempt: the row, its player fetched.
        opponents: the others at that table, by seat.
        margin: the margin that counts, points.
        points: matchpoints, None for practice.
        own: whether it is the reader's.
        match: public id of its match where the reader may replay hands of it, else "".
    """

    attempt: Attempt
    opponents: tuple[Attempt, ...]
    margin: float
    points: float | None
    own: bool
    match: str


@dataclass(frozen=True, slots=True)
class Made:
    """What one attempt made of one hand."""

    line: Line
    hand: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Everybody who threw the same from one hand; ``net`` is their mean, points."""

    cards: str
    net: float
    made: tuple[Made, ...]


@dataclass(frozen=True, slots=True)
class SheetHand:
    """One hand of the sheet: the reader's own comparison, and who threw what."""

    compared: HandCompared
    chosen: tuple[Chosen, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A traveller as its reader may see it."""

    lines: tuple[Line, ...]
    hands: tuple[SheetHand, ...]
    number: int
    """Attempts in the field; more than the lines where it is long."""


def traveller(*, reader: Reader) -> Sheet:
    """Return every attempt in the reader's seat, the best first, and hand by hand."""
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
    shown = [*mine, *others[: SHOWN - len(mine)]]
    lines = _lines(shown, [margin_of(attempt) for attempt in field], reader)
    compared = hands_compared(own, [*others], upto=reader.hands)
    hands = [SheetHand(hand, _chosen(lines, hand.number - 1)) for hand in compared]
    return Sheet(tuple(lines), tuple(hands), len({*field, *mine}))


def beside(*, reader: Reader, kinds: Sequence[str]) -> list[Line]:
    """Return the attempts of people of these kinds of play in the reader's seat, the best first."""
    field = [
        attempt
        for attempt in field_of(game=reader.game, seat=reader.attempt.seat)
        if attempt.play.kind in kinds
    ]
    people = [attempt for attempt in field if not attempt.computer][:SHOWN]
    return _lines(people, [margin_of(attempt) for attempt in field], reader)


def _lines(shown: Sequence[Attempt], margins: list[float], reader: Reader) -> list[Line]:
    tables: dict[int, list[Attempt]] = {}
    rows = Attempt.objects.filter(play__in=[attempt.play_id for attempt in shown])
    for row in rows.select_related("player").order_by("seat"):
        tables.setdefault(row.play_id, []).append(row)
    own, replays = reader.attempt, _replays(shown, reader)
    lines = []
    for attempt in shown:
        margin = margin_of(attempt)
        others = list(margins)
        counts = attempt.first or attempt.computer
        if margin in others:
            others.remove(margin)
        lines.append(
            Line(
                attempt=attempt,
                opponents=tuple(
                    other for other in tables[attempt.play_id] if other.seat != attempt.seat
                ),
                margin=margin,
                points=matchpoints(margin, others) if counts else None,
                own=attempt.player_id == own.player_id,
                match=replays.get(attempt.play_id, ""),
            )
        )
    return sorted(lines, key=lambda line: (-line.margin, line.attempt.pk))


def _replays(shown: Sequence[Attempt], reader: Reader) -> dict[int, str]:
    """Return by play the public ids of matches of which the reader may replay at least one hand.

    He has played the game, so that the cards are known to him as far as he got; of other plays of
    an open game he may replay no hand beyond that, which `games` sees to.
    """
    if not reader.hands:
        return {}
    found = {attempt.play_id: attempt.play.match for attempt in shown if attempt.play.match}
    seats = Prefetch("seats", Seat.objects.select_related("player"))
    prefetch_related_objects(list(found.values()), seats)
    return {
        play: match.public_id
        for play, match in found.items()
        if seat_of(match, reader.attempt.player) is not None or shown_to_players_of_it(match)
    }


def _chosen(lines: Sequence[Line], number: int) -> tuple[Chosen, ...]:
    """Return who threw what from one hand, the commonest throw first."""
    groups: dict[str, list[Made]] = {}
    for line in lines:
        if number < len(line.attempt.hands):
            hand = line.attempt.hands[number]
            groups.setdefault(hand["thrown"], []).append(Made(line, hand))
    chosen = [
        Chosen(cards, sum(one.hand["net"] for one in made) / len(made), tuple(made))
        for cards, made in groups.items()
    ]
    return tuple(sorted(chosen, key=lambda one: (-len(one.made), -one.net)))
