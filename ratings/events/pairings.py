"""Pairings of rounds: creates the tables of the next round of an event."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime

from ratings.clubs.pairing import draw
from ratings.events import brackets, swiss
from ratings.events.brackets import Meeting
from ratings.events.formats import qualifiers
from ratings.events.results import bracket_tables, order, rules_of, totals
from ratings.events.scoring import Total
from ratings.models import Event, EventEntrant, EventRound, EventTable, StandardGame
from ratings.standard import catalogue

Format = Event.Format
Sitting = tuple[int | None, ...]
"""The entrants of a table, by place."""

_random = secrets.SystemRandom()


def present(event: Event) -> list[EventEntrant]:
    """Return the entrants who are paired, with their players, in the order of sign-up."""
    rows = event.entrants.filter(absent=False, player__is_active=True)
    return list(rows.select_related("player").order_by("number"))


def open_round(*, event: Event, number: int, bracket: bool, now: datetime) -> EventRound:
    """Create a round; in a duplicate with the cards that all its tables play."""
    game = None
    if rules_of(event).duplicate:
        game = catalogue.make(seats=event.seats, purpose=StandardGame.Purpose.EVENT)
    return EventRound.objects.create(
        event=event, number=number, bracket=bracket, standard_game=game, began_at=now
    )


def start_round(*, event: Event, number: int, now: datetime) -> None:
    """Create the next round with its tables; later steps seat them."""
    bracket = begins_bracket(event, number)
    tables = _bracket(event, number) if bracket else _tables(event, number)
    made = open_round(event=event, number=number, bracket=bracket, now=now)
    add_tables(made, tables)


def add_tables(made: EventRound, tables: Sequence[Sitting], *, first: int = 0) -> None:
    """Store the tables of a round."""
    rows = []
    for at, sitting in enumerate(tables, start=first):
        # An empty place comes last: results are lists by place.
        taken = [key for key in sitting if key is not None]
        places = [*taken, None, None, None][:3]
        rows.append(
            EventTable(
                round=made,
                number=at,
                first_id=places[0],
                second_id=places[1],
                third_id=places[2],
            )
        )
    EventTable.objects.bulk_create(rows)


def begins_bracket(event: Event, number: int) -> bool:
    """Whether a round belongs to the bracket."""
    rules = rules_of(event)
    return rules.bracket and (not rules.chosen_rounds or number > event.rounds)


def _bracket(event: Event, number: int) -> list[Meeting]:
    """Return the tables of a round of the bracket."""
    last = bracket_tables(event).filter(round__number=number - 1)
    winners = list(last.values_list("winner", flat=True))
    if winners:
        return brackets.next_round(winners)
    rows = present(event)
    if rules_of(event).chosen_rounds:
        ranked = order(event, rows, totals(event, rows))[: qualifiers(event.entrants.count())]
    else:
        ranked = sorted(rows, key=lambda row: (-row.seed, _random.random()))
    return brackets.first_round([row.pk for row in ranked])


def _tables(event: Event, number: int) -> list[Sitting]:
    if event.format == Format.ROBIN:
        return _robin(event, number)
    if event.format == Format.TEAMS:
        return _teams(event, number)
    rows = present(event)
    found = totals(event, rows)
    ranked = [row.pk for row in order(event, rows, found)]
    if number == 1:
        ranked = _spread(ranked)
    if event.seats == 3:
        return _threes(ranked, found)
    return _pairs(ranked, found)


def _spread(ranked: Sequence[int]) -> list[int]:
    """Return the players so that neighbours are half the field apart, as in a first round."""
    half = (len(ranked) + 1) // 2
    upper, lower = list(ranked[:half]), list(ranked[half:])
    _random.shuffle(lower)
    mixed: list[int] = []
    for at, player in enumerate(upper):
        mixed += [player, *lower[at : at + 1]]
    return mixed


def _pairs(ranked: Sequence[int], found: dict[int, Total]) -> list[Sitting]:
    """Return tables of two, and the one without an opponent last."""
    lead = {key: sum(total.dealt) for key, total in found.items()}
    last = {key: total.dealt[-1] if total.dealt else 0 for key, total in found.items()}
    playing, alone = list(ranked), None
    if len(playing) % 2:
        byes = {key: total.byes + _computers_met(total) for key, total in found.items()}
        alone = swiss.sits_out(playing, byes)
        playing.remove(alone)
    met = {key: set(total.met) for key, total in found.items()}
    pairs = swiss.pair(playing, met, lead)
    shuffled = [pair if _random.random() < 0.5 else pair[::-1] for pair in pairs]
    tables: list[Sitting] = list(swiss.seat(shuffled, lead, last))
    return tables if alone is None else [*tables, (alone, None)]


def _computers_met(total: Total) -> int:
    """Return how often a player had a computer that filled up the table as opponent."""
    return total.played - len(total.met) if total.played > len(total.met) else 0


def _threes(ranked: Sequence[int], found: dict[int, Total]) -> list[Sitting]:
    """Return tables of three; who dealt first least often deals first."""
    tables: list[Sitting] = []
    for group in swiss.group(ranked, {key: total.met for key, total in found.items()}):
        seated = sorted(group, key=lambda key: (sum(found[key].dealt), _random.random()))
        tables.append((*seated, *[None] * (3 - len(seated))))
    return tables


def _robin(event: Event, number: int) -> list[Sitting]:
    """Return the tables of a round in which everyone meets everyone once."""
    keys = list(event.entrants.order_by("number").values_list("pk", flat=True))
    sitting: list[int | None] = [*keys, *[None] * (len(keys) % 2)]
    pairs = draw(number=len(sitting), games=len(sitting) - 1)[number - 1]
    tables = [(sitting[one], sitting[other]) for one, other in pairs]
    # A bye has its player in front.
    return [pair if pair[0] is not None else pair[::-1] for pair in tables]


def _teams(event: Event, number: int) -> list[Sitting]:
    """Return two tables with the same cards and the seats exchanged between the teams."""
    rows = list(event.entrants.order_by("number"))
    one = [row.pk for row in rows if row.team == 0]
    other = [row.pk for row in rows if row.team == 1]
    turn = (number - 1) % 2
    opposite = [other[turn], other[1 - turn]]
    if (number - 1) // 2 % 2:
        return [(opposite[0], one[0]), (one[1], opposite[1])]
    return [(one[0], opposite[0]), (opposite[1], one[1])]
