"""Matches by correspondence: who is to move, since when and until when; all of it by the log.

A player has so many days for each decision, counted from the entry of the log that asked for it
and lengthened by what the service was out. Nothing happens by itself when they are over: the
others are offered what they are offered for somebody who is absent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from games import outages, store
from games.engine import rules
from games.engine.moves import parse_move
from games.engine.state import Ruleset
from games.models import Match, Player, Seat

DAYS = (1, 2, 3, 5, 7, 14)
"""How many days a decision may have."""

FOLDS_KEPT = 4096


@dataclass(frozen=True, slots=True)
class Turn:
    """What a match by correspondence waits for.

    Attributes:
        version: how long its log is.
        asked: how long it was when this was asked for; another's discard asks nobody anew.
        seats: whose decision it is, computers left out.
        due: when their time is up.
    """

    version: int
    asked: int
    seats: tuple[int, ...]
    due: datetime

    def late(self, seat: int) -> bool:
        """Whether ``seat`` has let its time pass."""
        return seat in self.seats and timezone.now() >= self.due


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """A match in which a player must act.

    Attributes:
        match: the row.
        others: the other seats, clockwise from his.
        due: until when.
    """

    match: Match
    others: tuple[Seat, ...]
    due: datetime

    @property
    def over(self) -> bool:
        """Whether the time is up; he may act all the same until the others did something."""
        return timezone.now() >= self.due


def turn(match: Match) -> Turn | None:
    """Return what ``match`` waits for; None where it waits for no person, or is none of these."""
    return turns([match]).get(match.pk)


def turns(matches: Sequence[Match]) -> dict[int, Turn]:
    """Return what each of ``matches`` waits for, by primary key; those that wait for nobody not.

    The number of queries is constant but for matches that have gone on since this process last
    looked at them.
    """
    running = [each for each in matches if each.days and each.status == Match.Status.PLAYING]
    keys = [match.pk for match in running]
    if not keys:
        return {}
    versions, asked = store.lengths(keys), store.asked(keys)
    begun = {match.pk: asked.get(match.pk, (0, _start(match))) for match in running}
    silent = outages.since(min(at for _, at in begun.values()))
    people: dict[int, set[int]] = {key: set() for key in keys}
    rows = Seat.objects.filter(match_id__in=keys, computer=False, stand_in__isnull=True)
    for key, seat in rows.values_list("match_id", "seat"):
        people[key].add(seat)
    found = {}
    for match in running:
        version = versions.get(match.pk, 0)
        awaited = _awaited(match.public_id, match.pk, version)
        seats = tuple(sorted(people[match.pk].intersection(awaited)))
        since, at = begun[match.pk]
        due = outages.lengthened(at, timedelta(days=match.days or 0), silent)
        if seats:
            found[match.pk] = Turn(version, since, seats, due)
    return found


def _start(match: Match) -> datetime:
    return match.started_at or match.created_at


def own_turns(*, player: Player) -> list[OwnTurn]:
    """Return the matches in which ``player`` must act, the one with the least time left first."""
    seats = Seat.objects.select_related("player").order_by("seat")
    rows = list(_seats_of(player).prefetch_related(Prefetch("match__seats", seats)))
    awaited = turns([row.match for row in rows])
    found = []
    for row in rows:
        known = awaited.get(row.match_id)
        if known is not None and row.seat in known.seats:
            places = list(row.match.seats.all())
            others = tuple(places[(row.seat + n) % len(places)] for n in range(1, len(places)))
            found.append(OwnTurn(row.match, others, known.due))
    return sorted(found, key=lambda own: own.due)


def number_of_turns(*, player: Player) -> int:
    """Return in how many matches ``player`` must act; two queries where none of them is new."""
    rows = list(_seats_of(player))
    lengths = store.lengths([row.match_id for row in rows]) if rows else {}
    return sum(
        row.seat in _awaited(row.match.public_id, row.match_id, lengths.get(row.match_id, 0))
        for row in rows
    )


def _seats_of(player: Player) -> QuerySet[Seat]:
    return Seat.objects.filter(
        player=player,
        computer=False,
        ended_at__isnull=True,
        stand_in__isnull=True,
        match__status=Match.Status.PLAYING,
        match__days__isnull=False,
    ).select_related("match")


@lru_cache(FOLDS_KEPT)
def _awaited(_public_id: str, match: int, version: int) -> tuple[int, ...]:
    """Return the seats that are to act at a version of a match, which never changes."""
    row = Match.objects.only("ruleset").get(pk=match)
    entries = store.load([(match, 0)])[match][:version]
    moves = (parse_move(entry.text) for entry in entries)
    return tuple(rules.waiting(rules.fold(Ruleset.from_dict(row.ruleset), moves)))
