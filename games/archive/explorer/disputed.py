"""The most disputed hand of each week: the throw about which people disagreed most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Count, QuerySet
from django.utils import timezone

from games.archive.explorer import spots
from games.archive.explorer.answers import PEOPLE
from games.jobs.backend import BATCH, job
from games.models import Choice, DisputedHand, Seat

LEAST = 6
"""The number of people who must have had a hand, for it to be compared."""
WEEK = timedelta(days=7)


@job(queue=BATCH)
def choose_disputed() -> None:
    """Choose the most disputed hand of the last whole week, unless it was chosen."""
    today = timezone.now().astimezone(UTC).date()
    choose(monday=today - timedelta(days=today.weekday()) - WEEK)


def choose(*, monday: date) -> DisputedHand | None:
    """Return the hand of a week, chosen and stored if need be; None without one.

    Counted are the throws in matches that became public in that week, UTC.
    """
    known = DisputedHand.objects.filter(week=monday).first()
    if known is not None:
        return known
    begin = datetime.combine(monday, time.min, tzinfo=UTC)
    rows = Choice.objects.filter(
        match__since__gte=begin,
        match__since__lt=begin + WEEK,
        spot__lt=spots.LEADS,
        group__in=PEOPLE,
    )
    thrown: defaultdict[int, list[int]] = defaultdict(list)
    for spot, times in (
        rows.values("spot", "choice").annotate(n=Count("*")).values_list("spot", "n").iterator()
    ):
        thrown[spot].append(times)
    found = sorted(
        (-split(times), -sum(times), spot)
        for spot, times in thrown.items()
        if sum(times) >= LEAST and len(times) > 1
    )
    for minus_share, _throws, spot in found:
        people = _people(rows.filter(spot=spot))
        if people >= LEAST:
            return DisputedHand.objects.get_or_create(
                week=monday, defaults={"spot": spot, "people": people, "split": -minus_share}
            )[0]
    return None


def _people(rows: QuerySet[Choice]) -> int:
    """Return how many different people made these choices."""
    made = set(rows.values_list("match_id", "seat"))
    seats = Seat.objects.filter(match__in={match for match, _ in made})
    held = seats.values_list("match_id", "seat", "player_id")
    return len({player for match, seat, player in held if (match, seat) in made})


def split(times: Iterable[int]) -> float:
    """Return the chance that two people chose differently, from the numbers of each choice.

    The chance that both chose the same is the sum of n_i (n_i - 1) / (n (n - 1)); unlike the sum of
    squared shares it is no lower for a hand that few people had.
    """
    numbers = list(times)
    total = sum(numbers)
    if total < 2:
        return 0.0
    return 1 - sum(n * (n - 1) for n in numbers) / (total * (total - 1))
