"""Selectors of an event's results: the values of `ratings.events.scoring` from stored games."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from ratings.events import scoring
from ratings.events.formats import RULES, Rules
from ratings.events.scoring import Result, Total
from ratings.models import Event, EventCorrection, EventEntrant, EventGame, EventTable

Key = tuple[float, ...]


def rules_of(event: Event) -> Rules:
    """Return the rules of an event's format."""
    return RULES[event.format]


def players_needed(event: Event) -> int:
    """Return the number of players without which an event does not begin."""
    rules = rules_of(event)
    # Where no computer takes an empty place, the first table needs all of its players.
    return rules.least if rules.computer_fills else max(rules.least, event.seats)


def has_brackets(event: Event) -> bool:
    """Whether an event decides its title in a bracket."""
    return rules_of(event).bracket


def results(event: Event, *, bracket: bool = False) -> list[Result]:
    """Return the results of finished games, outside of the bracket or within it; one query.

    Those of a round of a duplicate belong to it only when the round has ended: before, they reveal
    something about cards that are still being played.
    """
    rows = EventGame.objects.filter(
        table__round__event=event, table__round__bracket=bracket, ended_at__isnull=False
    )
    if rules_of(event).duplicate:
        rows = rows.filter(table__round__ended_at__isnull=False)
    return [_result(event, *row) for row in rows.order_by("pk").values_list(*_COLUMNS)]


_COLUMNS = (
    *("table__round__number", "table__first", "table__second", "table__third"),
    *("deals", "scores", "margins", "gone", "winner"),
)


def _result(
    event: Event,
    number: int,
    first: int | None,
    second: int | None,
    third: int | None,
    deals: int,
    scores: list[int] | None,
    margins: list[float],
    gone: list[int],
    winner: int | None,
) -> Result:
    sitting = (first, second, third)[: event.seats]
    if not rules_of(event).computer_fills:
        sitting = tuple(each for each in sitting if each is not None)
    return Result(
        round=number,
        sitting=sitting,
        deals=deals,
        scores=tuple(scores) if scores is not None else None,
        margins=tuple(margins),
        gone=frozenset(gone),
        winner=winner,
    )


def totals(event: Event, entrants: Sequence[EventEntrant]) -> dict[int, Total]:
    """Return the totals outside of the bracket, by entrant."""
    keys = [entrant.pk for entrant in entrants]
    return scoring.totals(keys, results(event), duplicate=rules_of(event).duplicate)


def order(
    event: Event, entrants: Sequence[EventEntrant], found: dict[int, Total]
) -> list[EventEntrant]:
    """Return the entrants by their totals, then by their seed."""
    ties = rules_of(event).order
    return sorted(
        entrants, key=lambda row: (found[row.pk].key(ties), row.seed, -row.number), reverse=True
    )


def places(event: Event, entrants: Sequence[EventEntrant]) -> dict[int, int]:
    """Return the current place of each entrant, from 1; equal ones share a place.

    In a bracket it is how far they got. Of those who got equally far, the one who did better in
    the qualifying rounds, if any, is ahead. Absent players come last, unless they are in the
    bracket.
    """
    found = totals(event, entrants)
    absent = {row.pk for row in entrants if row.absent}
    if event.format == Event.Format.TEAMS:
        return scoring.places(_team_keys(entrants, found), set())
    ties = rules_of(event).order
    keys: dict[int, Key] = {row.pk: found[row.pk].key(ties) for row in entrants}
    if not has_brackets(event):
        return scoring.places(keys, absent)
    reached = levels(event)
    shared = event.format == Event.Format.KNOCKOUT
    ranks = {pk: (float(reached.get(pk, 0)), *(() if shared else key)) for pk, key in keys.items()}
    return scoring.places(ranks, absent - reached.keys())


def _team_keys(entrants: Sequence[EventEntrant], found: dict[int, Total]) -> dict[int, Key]:
    sums = {
        team: sum(found[row.pk].spread for row in entrants if row.team == team) for team in (0, 1)
    }
    return {row.pk: (sums[row.team or 0],) for row in entrants}


def team_sums(entrants: Sequence[EventEntrant], found: dict[int, Total]) -> tuple[float, float]:
    """Return the summed margins of the two teams, points."""
    keys = _team_keys(entrants, found)
    sums = [next((keys[row.pk][0] for row in entrants if row.team == team), 0.0) for team in (0, 1)]
    return sums[0], sums[1]


def levels(event: Event) -> dict[int, int]:
    """Return how far each entrant got in the bracket: the last round, and one more for winning."""
    rows = bracket_tables(event).values_list(
        "round__number", "first", "second", "winner", "round__ended_at"
    )
    reached: dict[int, int] = {}
    for number, first, second, winner, ended_at in rows:
        for entrant in (first, second):
            if entrant is not None:
                on = 1 if entrant == winner and ended_at is not None else 0
                reached[entrant] = max(reached.get(entrant, 0), number + on)
    return reached


def bracket_tables(event: Event) -> QuerySet[EventTable]:
    """Return the tables of the bracket in order."""
    return EventTable.objects.filter(round__event=event, round__bracket=True).order_by(
        "round__number", "number"
    )


def shown_corrections(event: Event) -> tuple[EventCorrection, ...]:
    """Return an event's corrections, newest first, without those of a round still hidden."""
    rows = EventCorrection.objects.filter(game__table__round__event=event)
    if rules_of(event).duplicate:
        rows = rows.filter(game__table__round__ended_at__isnull=False)
    rows = rows.select_related(
        "by",
        "game__table__round",
        "game__table__first__player",
        "game__table__second__player",
        "game__table__third__player",
    )
    return tuple(rows.order_by("-at", "-pk"))
