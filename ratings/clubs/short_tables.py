"""Tables of a club night whose players are partly away, when their game is due to start."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import groupby

from ratings.clubs.absences import SIDES
from ratings.clubs.regrouping import Sitting, regroup
from ratings.models import Attempt, ClubNight, Entrant, NightTable


def bring_together(night: ClubNight, tables: Sequence[NightTable], away: Collection[int]) -> None:
    """Exchange the players of these tables so that those who are there play each other.

    Otherwise each of them would get a computer for the opponent who is away. Only tables with
    empty seats change, and only if fewer of them are enough. Every entrant keeps one table in
    each game: absent players share the tables left over.

    Args:
        night: its row is locked.
        tables: tables that are about to start, in the order of their games.
        away: primary keys of the entrants who are away.
    """
    for _, of_game in groupby(tables, key=lambda table: table.game_id):
        short = [table for table in of_game if 0 < len(_present(table, away)) < night.seats]
        there = [row for table in short for row in _present(table, away)]
        if math.ceil(len(there) / night.seats) < len(short):
            _exchange(night, short, there, away)


def entrants_of(table: NightTable) -> list[Entrant | None]:
    """Return the entrants of a table by seat; also a third one in a night with two seats."""
    return [table.first, table.second, table.third]


def _present(table: NightTable, away: Collection[int]) -> list[Entrant]:
    return [row for row in entrants_of(table) if row is not None and row.pk not in away]


def _exchange(
    night: ClubNight, short: Sequence[NightTable], there: list[Entrant], away: Collection[int]
) -> None:
    by_key = {row.player_id: row for row in there}
    groups = regroup(players=list(by_key), seats=night.seats, others=_other_tables(night, short))
    absent = [row for table in short for row in entrants_of(table) if row and row.pk in away]
    spare = iter(absent)
    empty = [[None] * night.seats for _ in range(len(short) - len(groups))]
    for table, group in zip(short, [*empty, *groups], strict=True):
        for side, player in zip(SIDES, group, strict=False):
            setattr(table, side, next(spare, None) if player is None else by_key[player])
    NightTable.objects.bulk_update(short, SIDES)


def _other_tables(night: ClubNight, short: Sequence[NightTable]) -> list[Sitting]:
    """Return the other tables of a night, with players' primary keys: as played, else as drawn."""
    people = dict(night.entrants.values_list("pk", "player_id"))
    rows = NightTable.objects.filter(game__night=night, idle=False)
    rows = rows.exclude(pk__in=[table.pk for table in short])
    sitting: dict[int, list[int | None]] = {}
    for row in Attempt.objects.filter(play__night_table__in=rows).order_by("play", "seat"):
        sitting.setdefault(row.play_id, []).append(None if row.computer else row.player_id)
    drawn = [
        [people.get(key or 0) for key in (row.first_id, row.second_id, row.third_id)[: night.seats]]
        for row in rows.filter(play=None)
    ]
    return [*sitting.values(), *drawn]
