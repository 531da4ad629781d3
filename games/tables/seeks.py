"""Open seeks: correspondence games that wait in the lobby for anyone to accept them.

A seek is a listed match with days per decision and one free seat. Unlike an open table it waits
without its owner, for `KEPT`. Accepting it is joining the match (`games.tables.tables.join_match`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Case, Prefetch, QuerySet, Value, When

from games import hooks
from games.engine.state import Ruleset
from games.jobs.backend import BATCH, job
from games.models import Match, Player, Seat
from games.ops import true_time
from games.people import limits
from games.people.friends import blocked_either_way
from games.people.player_lock import locked_player
from games.people.resent import CLICKED_WITHIN, made_already
from games.tables.tables import create_match, leave_match
from games.wire.refusals import Refused

KEPT = timedelta(days=14)
"""Time after which a seek that nobody accepted expires."""

MOST_OPEN = 5
"""Maximum number of open seeks of an account; a guest has one."""

ACCEPTED_FOR = timedelta(hours=1)
"""Time for which the lobby tells the owner of a seek that it was accepted."""

SHOWN = 50
"""Maximum number of seeks in the lobby."""


@dataclass(frozen=True, slots=True)
class Seek:
    """An open seek, as a reader of the lobby sees it.

    Attributes:
        match: the row; it has the invitation, the days and whether hints are allowed.
        ruleset: its rules.
        owner: the name of the player who posted it.
        own: whether that is the reader.
        until: when it expires.
    """

    match: Match
    ruleset: Ruleset
    owner: str
    own: bool
    until: datetime


@dataclass(frozen=True, slots=True)
class AcceptedSeek:
    """A seek of the reader's that was accepted: its match, and the name of who accepted it."""

    match: Match
    by: str


def post_seek(
    *,
    player: Player,
    ruleset: Ruleset,
    days: int,
    hints: bool = False,
    watchable: bool = False,
) -> Match:
    """Post a seek for two players; return its match, the same one for two clicks.

    Raises:
        Refused: ``bad_days``; ``bad_ruleset`` for other than two seats; ``too_many_seeks``.
        games.people.limits.TooOften: for too many seeks in a day.
    """
    if ruleset.players != 2:
        raise Refused("bad_ruleset", f"{ruleset.players} seats")
    most = 1 if player.is_guest else MOST_OPEN
    with locked_player(player):  # two requests at once cannot both be the last one allowed
        own = _open().filter(created_by=player)
        known = made_already(
            own,
            at="created_at",
            within=CLICKED_WITHIN,
            ruleset=ruleset.to_dict(),
            days=days,
            hints=hints,
            watchable=watchable,
        )
        if known is not None:
            return known
        if own.count() >= most:
            raise Refused("too_many_seeks", f"at most {most}")
        limits.consume(limits.named("seeks"), str(player.pk))
        return create_match(
            creator=player,
            ruleset=ruleset,
            listed=True,
            days=days,
            hints=hints,
            watchable=watchable,
        )


def open_seeks(*, reader: Player | None) -> list[Seek]:
    """Return the open seeks that a reader may accept, newest first, and their own before them.

    Those of linked accounts and of blocked players are left out.
    """
    rows = _open().filter(created_by__is_active=True).select_related("created_by")
    if reader is None:
        return [_seek(row, own=False) for row in rows.order_by("-created_at")[:SHOWN]]
    others = apart_from(reader.pk) - {reader.pk}
    own_first = Case(When(created_by=reader, then=Value(0)), default=Value(1))
    # One query for all: the page asks again and again.
    found = rows.exclude(created_by__in=others).order_by(own_first, "-created_at")[:SHOWN]
    return [_seek(row, own=row.created_by_id == reader.pk) for row in found]


def accepted_seeks(*, owner: Player | None) -> list[AcceptedSeek]:
    """Return a player's seeks that were accepted just now, the last one first.

    They have left the list of open seeks, which the owner may be looking at.
    """
    if owner is None:
        return []
    seats = Seat.objects.exclude(player=owner).select_related("player")
    rows = Match.objects.filter(
        created_by=owner,
        status=Match.Status.PLAYING,
        listed=True,
        days__isnull=False,
        started_at__gt=true_time.now() - ACCEPTED_FOR,
    ).prefetch_related(Prefetch("seats", seats))
    return [
        AcceptedSeek(row, seat.player.name)
        for row in rows.order_by("-started_at")
        for seat in row.seats.all()
        if seat.player is not None
    ]


def apart_from(player: int) -> set[int]:
    """Return the players, by primary key, who may not accept a player's seeks, nor they theirs."""
    return hooks.linked(player) | blocked_either_way(player=player)


def withdraw(*, player: Player, match: str) -> bool:
    """Withdraw the player's own open seek, by public id; return whether there was one."""
    row = _open().filter(created_by=player, public_id=match).first()
    if row is None:
        return False
    try:
        leave_match(match=row, player=player)
    except Refused:  # it was accepted meanwhile
        return False
    return True


@job(queue=BATCH)
def expire_seeks() -> None:
    """Close the seeks that nobody accepted in time; every night."""
    old = _waiting().filter(created_at__lte=true_time.now() - KEPT).values_list("pk", flat=True)
    for pk in list(old):
        with transaction.atomic():
            row = Match.objects.select_for_update().get(pk=pk)
            if row.status == Match.Status.WAITING and row.created_by is not None:
                leave_match(match=row, player=row.created_by)


def _waiting() -> QuerySet[Match]:
    return Match.objects.filter(status=Match.Status.WAITING, listed=True, days__isnull=False)


def _open() -> QuerySet[Match]:
    return _waiting().filter(created_at__gt=true_time.now() - KEPT)


def _seek(match: Match, *, own: bool) -> Seek:
    return Seek(
        match=match,
        ruleset=Ruleset.from_dict(match.ruleset),
        owner=match.created_by.name if match.created_by else "",
        own=own,
        until=match.created_at + KEPT,
    )
