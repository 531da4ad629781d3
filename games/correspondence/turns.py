"""Turns in correspondence matches: who must act and until when, computed from the log.

A player has a number of days for each decision, counted from the log entry that requested it and
extended by outages of the service and by the player's own days off. Nothing happens automatically
at the deadline: the opponents get the same options as for an absent player.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from django.db.models import Prefetch, QuerySet

from games.cluster import outages
from games.cluster.outages import Period
from games.correspondence import vacations
from games.engine import rules
from games.engine.faults import EngineError
from games.engine.moves import parse_move
from games.engine.state import Ruleset
from games.log import store
from games.models import Match, Player, Seat
from games.models.prepared import Prepared
from games.ops import true_time

logger = logging.getLogger(__name__)

DAYS = (1, 2, 3, 5, 7, 14)
"""The choices of days for a decision."""

FOLDS_KEPT = 4096
"""Number of cached results of `_awaited`."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The decision that a correspondence match is waiting for.

    Attributes:
        version: length of its log.
        asked: length of the log when the decision was requested, which identifies the turn; another
            seat's discard does not change it.
        seats: the seats of people who must act.
        dues: the deadline of each of these seats.
        away: for each of these seats, the end of its player's days off; None if they are there.
    """

    version: int
    asked: int
    seats: tuple[int, ...]
    dues: tuple[datetime, ...]
    away: tuple[datetime | None, ...]

    @property
    def due(self) -> datetime:
        """The first deadline."""
        return min(self.dues)

    def due_of(self, seat: int) -> datetime:
        """Return the deadline of one of the seats."""
        return self.dues[self.seats.index(seat)]

    def away_of(self, seat: int) -> datetime | None:
        """Return the end of the days off of one of the seats; None if its player is there."""
        return self.away[self.seats.index(seat)]

    def late(self, seat: int) -> bool:
        """Return whether ``seat`` has missed its deadline."""
        return seat in self.seats and true_time.now() >= self.due_of(seat)


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """A match in which a player must act.

    Attributes:
        match: the row.
        others: the other seats, clockwise from the player's.
        due: the deadline.
    """

    match: Match
    others: tuple[Seat, ...]
    due: datetime

    @property
    def over(self) -> bool:
        """Whether the deadline has passed; the player may still act until the opponents do."""
        return true_time.now() >= self.due


def turn(match: Match) -> Turn | None:
    """Return the turn of a correspondence match; None for others, or if no person must act."""
    return turns([match]).get(match.pk)


def turns(matches: Sequence[Match]) -> dict[int, Turn]:
    """Return the turns of those ``matches`` that are waiting for people, by primary key.

    The number of queries is constant, plus some for each match that has changed since this process
    last loaded it.
    """
    running = [each for each in matches if each.days and each.status == Match.Status.PLAYING]
    keys = [match.pk for match in running]
    if not keys:
        return {}
    versions, asked = store.lengths(keys), store.decision_requests(keys)
    begun = {match.pk: asked.get(match.pk, (0, _start(match))) for match in running}
    first = min(at for _, at in begun.values())
    people: dict[int, dict[int, int]] = {key: {} for key in keys}
    rows = Seat.objects.filter(match_id__in=keys, computer=False, stand_in__isnull=True)
    for key, seat, player in rows.values_list("match_id", "seat", "player_id"):
        if player is not None:
            people[key][seat] = player
    off = vacations.periods(
        {own for seats in people.values() for own in seats.values()}, since=first
    )
    stops = _Stops(outages.outages_since(first), off)
    found = {}
    for match in running:
        version = versions.get(match.pk, 0)
        awaited = _awaited(match.public_id, match.pk, version)
        who = people[match.pk]
        seats = tuple(seat for seat in sorted(who) if seat in awaited)
        since, at = begun[match.pk]
        if seats:
            length = timedelta(days=match.days or 0)
            found[match.pk] = Turn(
                version,
                since,
                seats,
                tuple(stops.due(at, length, who[seat]) for seat in seats),
                tuple(vacations.away_until(off.get(who[seat], ())) for seat in seats),
            )
    return found


@dataclass(frozen=True, slots=True)
class _Stops:
    """Periods that stop players' clocks: outages, and each player's own days off."""

    silent: Sequence[Period]
    off: Mapping[int, Sequence[Period]]

    def due(self, begun: datetime, length: timedelta, player: int) -> datetime:
        """Return the deadline of a player who was asked at ``begun``."""
        stops = union([*self.silent, *self.off.get(player, ())])
        return outages.extend_deadline(begun, length, stops)


def union(periods: Iterable[Period]) -> list[Period]:
    """Return periods in order, with overlapping ones joined, so that no time counts twice."""
    found: list[Period] = []
    for began, ended in sorted(periods):
        if found and began <= found[-1][1]:
            found[-1] = (found[-1][0], max(ended, found[-1][1]))
        else:
            found.append((began, ended))
    return found


def deadline_of(match: Match, player: Player) -> datetime:
    """Return a player's present deadline; before the first deal, that of the first decision."""
    found = turn(match)
    seats = match.seats.filter(player=player, computer=False).values_list("seat", flat=True)
    dues = [found.due_of(seat) for seat in seats if found is not None and seat in found.seats]
    return min(dues, default=_start(match) + timedelta(days=match.days or 0))


def _start(match: Match) -> datetime:
    return match.started_at or match.created_at


def own_turns(*, player: Player) -> list[OwnTurn]:
    """Return the matches in which ``player`` must act, the earliest deadline first."""
    seats = Seat.objects.select_related("player").order_by("seat")
    rows = list(
        _seats_of(player.pk)
        .select_related("match")
        .prefetch_related(Prefetch("match__seats", seats))
    )
    awaited = turns([row.match for row in rows])
    found = []
    for row in rows:
        known = awaited.get(row.match_id)
        if known is not None and row.seat in known.seats:
            places = list(row.match.seats.all())
            others = tuple(places[(row.seat + n) % len(places)] for n in range(1, len(places)))
            found.append(OwnTurn(row.match, others, known.due_of(row.seat)))
    return sorted(found, key=lambda own: own.due)


def number_of_turns(*, player: Player) -> int:
    """Return the number of matches in which ``player`` must act; usually two queries."""
    # Asked on every page, so it reads three columns and no whole rows.
    rows = list(_PLACES.rows([player.pk]))
    lengths = store.lengths([match for _, match, _ in rows]) if rows else {}
    return sum(
        seat in _awaited(public_id, match, lengths.get(match, 0)) for seat, match, public_id in rows
    )


def _seats_of(*players: int) -> QuerySet[Seat]:
    return Seat.objects.filter(
        player__in=players,
        computer=False,
        ended_at__isnull=True,
        stand_in__isnull=True,
        match__status=Match.Status.PLAYING,
        match__days__isnull=False,
    )


_PLACES = Prepared(
    lambda players: _seats_of(*players).values_list("seat", "match_id", "match__public_id")
)


@lru_cache(FOLDS_KEPT)
def _awaited(public_id: str, match: int, version: int) -> tuple[int, ...]:
    """Return the seats that must act at a version of a match (cached: versions are immutable).

    A match whose log cannot be read waits for nobody; that is logged once.
    """
    row = Match.objects.only("ruleset").get(pk=match)
    entries = store.load([(match, 0)])[match][:version]
    try:
        moves = (parse_move(entry.text) for entry in entries)
        return tuple(rules.waiting(rules.fold(Ruleset.from_dict(row.ruleset), moves)))
    except EngineError:  # it quotes the move, and a server's log shows no cards
        logger.warning("match %s: its log cannot be read", public_id)
        return ()
