"""Match metadata for live tables: seats, status and settings, without the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.engine.state import Ruleset
from games.models import Match, Seat
from games.models.decks import SWAP_FIELDS, may_swap
from games.models.prepared import Prepared, rows_of

_PLAYING = Match.Status.PLAYING.value  # each move asks; an enumeration's member takes longer


@dataclass(frozen=True, slots=True)
class SeatMeta:
    """One seat of a match.

    Attributes:
        seat: its number.
        player: primary key of its player; None while it is empty.
        public_id, name, kind: those of the player; "" while it is empty. The same computer in a
            second seat is called "Walter 2". In an imported game, a player without an account here
            has a name only.
        computer: whether a computer took it from the start.
        level: the computer player that moves for it now; "" if a person does.
        stand_in: the name of the computer that substitutes for a person; "" if none does.
        left: how the person left permanently (ranked matches): "left" or "timed_out"; else "".
        owner: the name of the owner of a program; "" for other players.
        gone: whether the player's account is banned or deleted.
        wish: by correspondence, whether the player wants a rematch with the seats swapped (True) or
            as they are (False); None if they have not asked for one.
    """

    seat: int
    player: int | None
    public_id: str
    name: str
    kind: str
    computer: bool
    level: str
    stand_in: str
    left: str = ""
    owner: str = ""
    gone: bool = False
    wish: bool | None = None


@dataclass(frozen=True, slots=True)
class SourceMatch:
    """The match whose deals are repeated with the seats swapped.

    Attributes:
        public_id: its key.
        scores: its final scores, in the order of the swapped seats.
    """

    public_id: str
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchMeta:
    """The metadata of a match: everything but its log.

    Attributes:
        pk, public_id: its keys.
        ruleset: the rules in force.
        status: a `Match.Status`.
        creator: primary key of its creator.
        invite: the token for joining.
        watchable: whether anybody may watch.
        hints: whether players may ask for hints.
        rematch: public id of the rematch; "" if there is none.
        rematch_watchable: whether anybody may watch the rematch.
        packs: the fixed packs for `games.live.dealing`; empty for random deals.
        ranked: whether leaving is permanent.
        clock: seconds for each decision; None without a limit.
        grace: seconds from the start within which no time is up.
        duplicate: the match whose deals are repeated here; None for new deals.
        swappable: see `Match.swappable`.
        imported: whether it was played elsewhere.
        days: days for each decision of a correspondence match; None for others.
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
    seats: tuple[SeatMeta, ...]
    hints: bool = False
    packs: tuple[str, ...] = ()
    ranked: bool = False
    clock: int | None = None
    grace: int = 0
    days: int | None = None
    rematch_watchable: bool = False
    duplicate: SourceMatch | None = None
    swappable: bool = False
    imported: bool = False

    @property
    def playing(self) -> bool:
        """Whether the match is in progress."""
        return self.status == _PLAYING

    @property
    def parted(self) -> bool:
        """Whether a person, not a substitute, is banned or deleted: no rematch follows."""
        return any(seat.gone and not seat.level for seat in self.seats)

    def seat_of(self, player: int | None) -> int | None:
        """Return the seat of the person with this primary key; None if they have none."""
        if player is None:
            return None
        for seat in self.seats:
            if seat.player == player and not seat.computer:
                return seat.seat
        return None

    def people(self) -> tuple[int, ...]:
        """Return the seats of people."""
        return tuple(s.seat for s in self.seats if s.player is not None and not s.computer)


def load(*, public_id: str = "", pk: int | None = None) -> MatchMeta | None:
    """Return the metadata of a match by either key, or None; two queries."""
    return load_by_id([public_id]).get(public_id) if pk is None else load_by_pk([pk]).get(pk)


def load_by_id(public_ids: Sequence[str]) -> dict[str, MatchMeta]:
    """Return the metadata of several matches by public id; two queries for all of them."""
    return {meta.public_id: meta for meta in _load(_MATCHES_BY_ID, _SEATS_BY_ID, public_ids)}


def load_by_pk(pks: Sequence[int]) -> dict[int, MatchMeta]:
    """Return the metadata of several matches by primary key; two queries for all of them."""
    return {meta.pk: meta for meta in _load(_MATCHES_BY_PK, _SEATS_BY_PK, pks)}


MATCH_FIELDS = (
    "pk",
    "public_id",
    "status",
    "created_by_id",
    "invite",
    "watchable",
    "rematch__public_id",
    "rematch__watchable",
    "decks__packs",
    "clock",
    "grace",
    "days",
    "duplicate_of__public_id",
    "hints",
    *SWAP_FIELDS,
)
SEAT_FIELDS = (
    "match_id",
    "seat",
    "name",
    "player_id",
    "player__public_id",
    "player__name",
    "player__kind",
    "player__bot",
    "player__owner__name",
    "player__is_active",
    "computer",
    "stand_in__bot",
    "stand_in__name",
    "left_at",
    "timed_out",
    "rematch_wish",
)


_MATCHES_BY_ID = Prepared(
    lambda keys: Match.objects.filter(public_id__in=keys).values_list(*MATCH_FIELDS), str
)
_MATCHES_BY_PK = Prepared(lambda keys: Match.objects.filter(pk__in=keys).values_list(*MATCH_FIELDS))
_SEATS_BY_ID = Prepared(
    lambda keys: (
        Seat.objects.filter(match__public_id__in=keys)
        .order_by("match_id", "seat")
        .values_list(*SEAT_FIELDS)
    ),
    str,
)
_SEATS_BY_PK = Prepared(
    lambda keys: (
        Seat.objects.filter(match__in=keys).order_by("match_id", "seat").values_list(*SEAT_FIELDS)
    )
)
# Not as objects: players have many columns, and a restart reads thousands of them.


def _load(matches: Prepared, seats: Prepared, keys: Sequence[Any]) -> list[MatchMeta]:
    if not keys:
        return []
    found, seated = rows_of(matches, seats, keys=keys)
    seats_of: dict[int, list[SeatMeta]] = {}
    for row in seated:
        seats_of.setdefault(row[0], []).append(_seat(row))
    rows = [dict(zip(MATCH_FIELDS, row, strict=True)) for row in found]
    return [_meta(match, seats_of.get(match["pk"], ())) for match in rows]


def _meta(match: Mapping[str, Any], seats: Iterable[SeatMeta]) -> MatchMeta:
    return MatchMeta(
        pk=match["pk"],
        public_id=match["public_id"],
        ruleset=Ruleset.from_dict(match["ruleset"]),
        status=match["status"],
        creator=match["created_by_id"],
        invite=match["invite"],
        watchable=match["watchable"],
        rematch=match["rematch__public_id"] or "",
        rematch_watchable=bool(match["rematch__watchable"]),
        seats=_with_unique_names(seats),
        packs=tuple(match["decks__packs"] or ()),
        ranked=match["ranked"],
        clock=match["clock"],
        grace=match["grace"],
        days=match["days"],
        duplicate=_earlier(match),
        swappable=may_swap(match),
        imported=match["imported"],
        hints=match["hints"],
    )


def _earlier(match: Mapping[str, Any]) -> SourceMatch | None:
    if match["duplicate_of_id"] is None:
        return None
    seats = Seat.objects.filter(match=match["duplicate_of_id"]).order_by("-seat")
    scores = seats.values_list("score", flat=True)
    return SourceMatch(match["duplicate_of__public_id"], tuple(score or 0 for score in scores))


def _seat(row: Sequence[Any]) -> SeatMeta:
    """Return a seat from its columns, in the order of `SEAT_FIELDS`."""
    (
        _,
        seat,
        without_account,
        player,
        public_id,
        name,
        kind,
        bot,
        owner,
        active,
        computer,
        mover,
        stand_in,
        left_at,
        timed_out,
        wish,
    ) = row
    if player is None:
        return SeatMeta(seat, None, "", without_account, "", computer=False, level="", stand_in="")
    return SeatMeta(
        seat=seat,
        player=player,
        public_id=public_id,
        name=name,
        kind=kind,
        computer=computer,
        level=mover if mover is not None else bot if computer else "",
        stand_in=stand_in or "",
        left="" if left_at is None else "timed_out" if timed_out else "left",
        owner=owner or "",
        gone=not active,
        wish=wish,
    )


def _with_unique_names(seats: Iterable[SeatMeta]) -> tuple[SeatMeta, ...]:
    """Number computers with the same name, so that "waiting for Walter" is unambiguous."""
    named: list[SeatMeta] = []
    for seat in seats:
        twins = sum(seat.computer and other.player == seat.player for other in named)
        named.append(replace(seat, name=f"{seat.name} {twins + 1}") if twins else seat)
    return tuple(named)
