"""Selectors: who is absent from a club night, or busy elsewhere, and which seats players left."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.api import Player, Seat
from ratings.models import ClubNight, Entrant, NightTable, Play
from ratings.standard.seated import taken_seats

SIDES = ("first", "second", "third")
"""The fields of a table, by seat."""


def absent_entrants(night: ClubNight) -> set[int]:
    """Return the primary keys of entrants who are not seated.

    They are marked as absent or banned, or have left a table of the night or run out of time there
    without coming back.
    """
    lost: dict[int, int] = {}
    for player, number in forfeited_seats(night).values_list(
        "player_id", "match__standard_play__night_table__game__number"
    ):
        lost[player or 0] = max(number, lost.get(player or 0, 0))
    return {
        row.pk
        for row in night.entrants.select_related("player")
        if row.absent or not row.player.is_active or lost.get(row.player_id, 0) >= row.from_game
    }


def forfeited_seats(night: ClubNight) -> QuerySet[Seat]:
    """Return the seats at a night's tables that people have left for good."""
    return Seat.objects.filter(
        match__standard_play__night_table__game__night=night,
        computer=False,
        left_at__isnull=False,
    )


def busy_entrants(night: ClubNight) -> set[int]:
    """Return the primary keys of entrants who sit at a ranked table, or at another event's."""
    players = _seats_elsewhere(night).values("player")
    return set(night.entrants.filter(player__in=players).values_list("pk", flat=True))


def bound_entrants(night: ClubNight) -> set[int]:
    """Return those of the busy entrants whom another night or a tournament has seated."""
    seats = _seats_elsewhere(night).exclude(match__standard_play__kind=Play.Kind.RANKED)
    rows = night.entrants.filter(player__in=seats.values("player"))
    return set(rows.values_list("pk", flat=True))


def table_elsewhere(*, night: ClubNight, player: Player | None) -> str:
    """Return the public id of the match for which a player's table of a night waits, or ""."""
    seats = _seats_elsewhere(night).filter(player=player).order_by("match")
    return seats.values_list("match__public_id", flat=True).first() or ""


def _seats_elsewhere(night: ClubNight) -> QuerySet[Seat]:
    return taken_seats().exclude(match__standard_play__night_table__game__night=night)


def nights_elsewhere(*, night: ClubNight, players: Iterable[Player]) -> dict[int, ClubNight]:
    """Return the other running night that each of these players (primary keys) takes part in.

    Not one whose last game has begun, if they have played it.
    """
    rows = Entrant.objects.filter(player__in=players, night__state=ClubNight.State.RUNNING)
    found = list(rows.exclude(night=night).select_related("night"))
    away = {row.night_id: absent_entrants(row.night) for row in found}
    return {
        row.player_id: row.night
        for row in found
        if row.pk not in away[row.night_id] and (row.night.takes_entrants or _has_table(row))
    }


def awaited_since(players: QuerySet[Any, Any]) -> dict[int, datetime]:
    """Return since when a table of a night waits for players, by primary key.

    Args:
        players: the primary keys; others at the same tables are returned, too.
    """
    rows = _waiting_tables(
        Q(*((f"{side}__player__in", players) for side in SIDES), _connector=Q.OR)
    )
    tables = list(rows.select_related("game__night", *SIDES).order_by("-game__began_at"))
    away = {table.game.night: absent_entrants(table.game.night) for table in tables}
    return {
        row.player_id: table.game.began_at
        for table in tables
        for row in (table.first, table.second, table.third)
        if row is not None and row.pk not in away[table.game.night] and table.game.began_at
    }


def has_waiting_table(player: OuterRef) -> Exists:
    """Return a condition: whether a table of a night waits with a player, there or absent."""
    own = Q(*((f"{side}__player", player) for side in SIDES), _connector=Q.OR)
    return Exists(_waiting_tables(own))


def _waiting_tables(own: Q) -> QuerySet[NightTable]:
    rows = NightTable.objects.filter(own, play=None, idle=False, game__began_at__isnull=False)
    return rows.filter(game__night__state=ClubNight.State.RUNNING)


def _has_table(row: Entrant) -> bool:
    """Whether an entrant plays at a table of a game that has begun, or waits there."""
    own = Q(first=row) | Q(second=row) | Q(third=row)
    tables = NightTable.objects.filter(own, game__night=row.night_id, idle=False)
    begun = tables.filter(game__number__lte=row.night.current)
    return begun.filter(play__finished_at__isnull=True).exists()
