"""Measuring finished matches: the value of their deals, and the players' statistics.

Each match is measured once, by the job that follows its end. Others, such as imported ones, are
measured every hour, or by ``manage.py measure_matches``.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction

from games.analysis import deal_values
from games.engine.cards import parse_cards
from games.jobs.backend import BATCH, job
from games.log import player_stats, reply_times
from games.models import HandSeat, Match, Player, Seat
from games.ops import true_time

LEFT_OVER = timedelta(minutes=2)
"""Time after which an unmeasured finished match counts as left over."""

_WORTH = ("worth", "worth_hand", "worth_crib", "worth_pegging")


def measure(*, match: int) -> bool:
    """Measure a finished match, by primary key, once; return whether this call did it."""
    # Compute everything first, to keep the transaction short.
    seats = player_stats.seats_played_through(
        Seat.objects.filter(match=match, match__measured=False)
    )
    parts = player_stats.hands_of_seats(seats)
    for part in parts:
        _set_value(part)
    with transaction.atomic():
        row = (
            Match.objects.select_for_update()
            .filter(pk=match, status=Match.Status.FINISHED, measured=False)
            .first()
        )
        if row is None:
            return False
        row.measured = True
        row.save(update_fields=["measured"])
        HandSeat.objects.bulk_update(parts, _WORTH)
        _read_players(match, parts)
        player_stats.add(player_stats.sums_of(parts))
        _store_results(match, parts)
        reply_times.add(row)
    return True


@job(queue=BATCH)
def measure_missed() -> None:
    """Measure the finished matches that are left over."""
    for match in unmeasured():
        measure(match=match)


def unmeasured(*, over_for: timedelta = LEFT_OVER) -> list[int]:
    """Return the primary keys of up to 1,000 unmeasured matches, ``over_for`` after their end."""
    rows = Match.objects.filter(
        status=Match.Status.FINISHED, measured=False, finished_at__lte=true_time.now() - over_for
    )
    return list(rows.order_by("pk").values_list("pk", flat=True)[:1000])


def _read_players(match: int, parts: list[HandSeat]) -> None:
    """Set the players of the hands anew, since a guest may have logged in while they were valued.

    With the match locked no seat moves to another account.
    """
    players = dict(Seat.objects.filter(match=match).values_list("pk", "player_id"))
    for part in parts:
        part.seat.player_id = players[part.seat_id]


def _store_results(match: int, parts: list[HandSeat]) -> None:
    """Store each person's highest hand and update the streaks."""
    best: dict[int, int] = {}
    for part in parts:
        best[part.seat_id] = max(best.get(part.seat_id, 0), player_stats.hand_points(part) or 0)
    for seat, points in best.items():
        Seat.objects.filter(pk=seat).update(best_hand=points)
    rows = Seat.objects.filter(match=match, kind__in=player_stats.COUNTED, computer=False).exclude(
        player__kind=Player.Kind.COMPUTER
    )
    for seat_row in rows.order_by("player_id"):
        if seat_row.player_id is not None and seat_row.ended_at is not None:
            player_stats.add_result(
                player=seat_row.player_id, won=seat_row.won, at=seat_row.ended_at
            )


def _set_value(part: HandSeat) -> None:
    """Set the value of the cards on the row of a hand."""
    cards = parse_cards(part.dealt)
    seats = len(part.hand.seats.all())
    role = (part.seat.seat - part.hand.dealer - 1) % seats
    found = deal_values.deal_value(cards, seats=seats, role=role)
    part.worth, part.worth_hand, part.worth_crib = found.total, found.hand, found.crib
    part.worth_pegging = found.pegging + (deal_values.heels(cards) if part.is_dealer else 0.0)
