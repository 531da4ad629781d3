"""What a live table has to know of a match besides its log: who sits where, and its status."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.db import models
from django.db.models import Prefetch

from games.engine.state import Ruleset
from games.models import Match, Seat


@dataclass(frozen=True, slots=True)
class SeatHeader:
    """One seat.

    Attributes:
        seat: its number.
        player: primary key of whoever took it, None while it is empty.
        public_id, name, kind: the player's, "" while it is empty; the same computer in a second
            seat is called "Walter 2" there.
        computer: whether a computer took it from the start.
        level: the computer player that moves for it now, "" where a person does.
        stand_in: the name of the computer that plays on for a person, "" where none does.
        left: whether the person has left for good, as one may in a ranked match.
        owner: the name of the person whose program it is, "" where it is none.
    """

    seat: int
    player: int | None
    public_id: str
    name: str
    kind: str
    computer: bool
    level: str
    stand_in: str
    left: bool = False
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Earlier:
    """The match whose deals come again with the seats swapped.

    Attributes:
        public_id: its key.
        scores: its last scores, by the seats as they are now.
    """

    public_id: str
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Header:
    """A match without its log.

    Attributes:
        pk, public_id: its keys.
        ruleset: the rules in force.
        status: a `Match.Status`.
        creator: primary key of who made it.
        invite: the token that lets somebody join.
        watchable: whether anybody may watch.
        hints: whether players may ask what the computer would do.
        rematch: public id of the match that follows this one, "" if none does.
        packs: the packs that it is dealt from, empty where chance deals; for `games.chance` alone.
        ranked: whether who leaves is gone for good.
        clock: seconds for each decision, None without a limit.
        duplicate: the match whose deals come again here with the seats swapped, None where they
            are new.
        swappable: whether that may follow on this match: see `Match.swappable`.
        days: days for each decision of a match by correspondence, else None.
        seats: the seats in order.
    """

    pk: int
    public_id: str
    ruleset: Ruleset
    status: str
    creator: int | None
    invite: str
    watchable: bool
    rematch: str
    seats: tuple[SeatHeader, ...]
    hints: bool = False
    packs: tuple[str, ...] = ()
    ranked: bool = False
    clock: int | None = None
    days: int | None = None
    duplicate: Earlier | None = None
    swappable: bool = False

    @property
    def playing(self) -> bool:
        """Whether moves may be made."""
        return self.status == Match.Status.PLAYING

    def seat_of(self, player: int | None) -> int | None:
        """Return the seat of the person with this primary key."""
        if player is None:
            return None
        for seat in self.seats:
            if seat.player == player and not seat.computer:
                return seat.seat
        return None

    def people(self) -> tuple[int, ...]:
        """Return the seats that people took."""
        return tuple(s.seat for s in self.seats if s.player is not None and not s.computer)


def load(*, public_id: str = "", pk: int | None = None) -> Header | None:
    """Return the header of a match by either key, or None. Two queries."""
    seats = Seat.objects.select_related("player__owner", "stand_in").order_by("seat")
    match = (
        Match.objects.filter(models.Q(pk=pk) if pk is not None else models.Q(public_id=public_id))
        .select_related("rematch", "decks", "duplicate_of")
        .prefetch_related(Prefetch("seats", seats))
        .first()
    )
    return None if match is None else _header(match)


def _header(match: Match) -> Header:
    return Header(
        pk=match.pk,
        public_id=match.public_id,
        ruleset=Ruleset.from_dict(match.ruleset),
        status=match.status,
        creator=match.created_by_id,
        invite=match.invite,
        watchable=match.watchable,
        rematch=match.rematch.public_id if match.rematch else "",
        seats=_told_apart(_seat(row) for row in match.seats.all()),
        packs=() if match.decks is None else tuple(match.decks.packs),
        ranked=match.ranked,
        clock=match.clock,
        days=match.days,
        duplicate=None if match.duplicate_of is None else _earlier(match.duplicate_of),
        swappable=match.swappable,
        hints=match.hints,
    )


def _earlier(match: Match) -> Earlier:
    scores = match.seats.order_by("-seat").values_list("score", flat=True)
    return Earlier(match.public_id, tuple(score or 0 for score in scores))


def _seat(row: Seat) -> SeatHeader:
    player, stand_in = row.player, row.stand_in
    if player is None:
        return SeatHeader(row.seat, None, "", "", "", computer=False, level="", stand_in="")
    mover = stand_in if stand_in is not None else player if row.computer else None
    return SeatHeader(
        seat=row.seat,
        player=player.pk,
        public_id=player.public_id,
        name=player.name,
        kind=player.kind,
        computer=row.computer,
        level=mover.bot if mover is not None else "",
        stand_in=stand_in.name if stand_in is not None else "",
        left=row.left_at is not None,
        owner=player.owner.name if player.owner is not None else "",
    )


def _told_apart(seats: Iterable[SeatHeader]) -> tuple[SeatHeader, ...]:
    """Number computers of the same name, so that "waiting for Walter" says which."""
    told: list[SeatHeader] = []
    for seat in seats:
        twins = sum(seat.computer and other.player == seat.player for other in told)
        told.append(replace(seat, name=f"{seat.name} {twins + 1}") if twins else seat)
    return tuple(told)
