"""Results of finished club nights, stored for leagues and records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ratings.clubs.night_standings import Line, sheet
from ratings.models import Attempt, ClubNight, NightResult
from ratings.standard.access import hands_reached


def store(*, night: ClubNight) -> None:
    """Store the results of a night that is over; idempotent.

    The games must be over at all tables, so that the standings are the same for every reader.
    """
    lines = [line for line in sheet(night=night, viewer=None).lines if line.total.played]
    hands = _best_hands(night)
    NightResult.objects.bulk_create(
        [_result(line, hands.get(line.entrant.player_id, 0)) for line in lines],
        ignore_conflicts=True,
    )


def _result(line: Line, best_hand: int) -> NightResult:
    total = line.total
    played = [result for result in line.results if result is not None]
    return NightResult(
        entrant=line.entrant,
        place=line.place,
        points=total.points,
        played=total.played,
        won=total.won,
        skunks=total.skunks,
        spread=total.spread,
        form="".join("W" if result.score.won else "L" for result in played),
        best_hand=best_hand,
    )


def _best_hands(night: ClubNight) -> dict[int, int]:
    """Return the most points that each player (primary key) counted in one hand.

    Hands that a substitute played do not count for the player who left.
    """
    rows = Attempt.objects.filter(
        play__night_table__game__night=night, computer=False, play__finished_at__isnull=False
    )
    best: dict[int, int] = {}
    for row in rows:
        counted = [int(hand.get("counted") or 0) for hand in row.hands[: hands_reached(row)]]
        best[row.player_id] = max([best.get(row.player_id, 0), *counted])
    return best


def export_of(player: int) -> Iterator[dict[str, Any]]:
    """Return a player's results of club nights for the data export."""
    rows = NightResult.objects.filter(entrant__player_id=player)
    for row in rows.select_related("entrant__night__club").order_by("pk"):
        yield {
            "club": row.entrant.night.club.name,
            "night": row.entrant.night.title,
            "starts_at": row.entrant.night.starts_at,
            "place": row.place,
            "game_points": row.points,
            "games": row.played,
            "won": row.won,
            "spread": row.spread,
        }
