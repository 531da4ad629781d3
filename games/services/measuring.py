"""Measuring a match that is over: what its deals were worth, into rows and tallies.

Done once for each match, in a thread beside the event loop, after its last move is stored. What a
process that died has left is done with the next match, or by ``manage.py measure_matches``.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from games import tallies
from games.analysis import dealt
from games.engine.cards import parse_cards
from games.models import HandSeat, Match, Player, Seat

LEFT_OVER = timedelta(minutes=2)
"""A match that has been over for so long and is not measured was forgotten."""
AT_ONCE = 3
"""Forgotten matches that are done along with another."""

_WORTH = ("worth", "worth_hand", "worth_crib", "worth_pegging")


def measure(*, match: int) -> bool:
    """Measure a finished match by its primary key, once; return whether this did it."""
    done = _measure(match)
    for other in unmeasured()[:AT_ONCE]:
        _measure(other)
    return done


def unmeasured(*, over_for: timedelta = LEFT_OVER) -> list[int]:
    """Return the primary keys of matches over for so long and not measured, at most a thousand."""
    rows = Match.objects.filter(
        status=Match.Status.FINISHED, measured=False, finished_at__lte=timezone.now() - over_for
    )
    return list(rows.order_by("pk").values_list("pk", flat=True)[:1000])


def _measure(match: int) -> bool:
    # All the arithmetic first: the database is held for the writing alone.
    seats = tallies.own_play(Seat.objects.filter(match=match, match__measured=False))
    parts = tallies.parts_of(seats)
    for part in parts:
        _value(part)
    sums = tallies.sums_of(parts)
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
        tallies.add(sums)
        _results(match, parts)
    return True


def _results(match: int, parts: list[HandSeat]) -> None:
    """Write each person's highest hand, and carry the streaks on."""
    best: dict[int, int] = {}
    for part in parts:
        best[part.seat_id] = max(best.get(part.seat_id, 0), tallies.held(part) or 0)
    for seat, points in best.items():
        Seat.objects.filter(pk=seat).update(best_hand=points)
    rows = Seat.objects.filter(match=match, kind__in=tallies.COUNTED, computer=False).exclude(
        player__kind=Player.Kind.COMPUTER
    )
    for seat_row in rows.order_by("player_id"):
        if seat_row.player_id is not None and seat_row.ended_at is not None:
            tallies.add_result(player=seat_row.player_id, won=seat_row.won, at=seat_row.ended_at)


def _value(part: HandSeat) -> None:
    """Write to a deal what its cards were worth."""
    cards = parse_cards(part.dealt)
    seats = len(part.hand.seats.all())
    role = (part.seat.seat - part.hand.dealer - 1) % seats
    found = dealt.worth(cards, seats=seats, role=role)
    part.worth, part.worth_hand, part.worth_crib = found.total, found.hand, found.crib
    part.worth_pegging = found.pegging + (dealt.heels(cards) if part.is_dealer else 0.0)
