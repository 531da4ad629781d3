"""Selectors: lists and details of matches, with access rules applied.

They are plain functions over the ORM; each makes a constant number of queries.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Case, Prefetch, Value, When

from games.archive.access import hands_itemised, hands_shown, may_replay, may_see, seat_of
from games.engine import rules
from games.engine.moves import parse_move
from games.engine.state import Ruleset, State
from games.log import store
from games.models import Hand, HandSeat, Match, Player, Seat
from games.models.prepared import PreparedObjects, keep_related
from games.models.seats import others_clockwise
from games.ops import true_time

ATTENDED_FOR = timedelta(seconds=40)
"""Time after its creator was last there in which an open table stays in the lobby.

With the seconds between two looks (`online_status.EVERY`) it is less than a minute."""
OPEN_FOR = timedelta(hours=3)
"""Time that an open table stays in the lobby."""
MOST_UNFINISHED = 50
"""The most matches in progress that are listed for a player."""


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A listed match that is waiting for players."""

    public_id: str
    invite: str
    creator: str
    ruleset: Ruleset
    free: int
    created_at: datetime

    @classmethod
    def of(cls, match: Match, *, free: int) -> OpenTable:
        """Return a waiting match with this number of free seats, its creator fetched."""
        return cls(
            public_id=match.public_id,
            invite=match.invite,
            creator=match.created_by.name if match.created_by else "",
            ruleset=Ruleset.from_dict(match.ruleset),
            free=free,
            created_at=match.created_at,
        )


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One match in a player's list.

    Attributes:
        match: the row, with seats and players fetched.
        seat: the player's own seat.
        others: the other seats, clockwise from the player's.
        won: whether the player won; None while it is in progress or if it was drawn.
    """

    match: Match
    seat: Seat
    others: tuple[Seat, ...]
    won: bool | None


@dataclass(frozen=True, slots=True)
class HandLine:
    """One hand of a match; its cards are hidden (``cards_shown`` False) until the match ends.

    Where ``items_shown`` is False, too, only the scores before and after the hand may be shown.
    """

    hand: Hand
    seats: tuple[HandSeat, ...]
    cards_shown: bool
    items_shown: bool


@dataclass(frozen=True, slots=True)
class MatchDetail:
    """A match with its hands, game by game.

    Attributes:
        match: the row.
        seats: all seats in order, with their players.
        own_seat: the viewer's seat, if any.
        ruleset: its rules.
        games: the hands of each game in order.
        can_replay: whether the viewer may see every card.
        hands_shown: how many hands, from the first on, the viewer may replay.
    """

    match: Match
    seats: tuple[Seat, ...]
    own_seat: int | None
    ruleset: Ruleset
    games: tuple[tuple[HandLine, ...], ...]
    can_replay: bool
    hands_shown: int


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished match, folded from its log.

    Attributes:
        match, seats, ruleset: as stored.
        state: the final state, with all hands of the last game.
        whole_hands: number of finished hands after each entry of the log.
    """

    match: Match
    seats: tuple[Seat, ...]
    ruleset: Ruleset
    state: State
    whole_hands: tuple[int, ...]


def lobby_tables(*, limit: int = 50, oldest_first: bool = False) -> list[OpenTable]:
    """Return the open tables whose creators are there, newest first.

    Correspondence games are not among them: see `games.tables.seeks`.
    """
    now = true_time.now()
    rows = (
        Match.objects.filter(
            status=Match.Status.WAITING,
            listed=True,
            days__isnull=True,
            attended_at__gt=now - ATTENDED_FOR,
            created_at__gt=now - OPEN_FOR,
        )
        .select_related("created_by")
        .prefetch_related("seats")
        .order_by("created_at" if oldest_first else "-created_at")[:limit]
    )
    return [
        OpenTable.of(match, free=sum(seat.player_id is None for seat in match.seats.all()))
        for match in rows
    ]


def seconds_in_lobby(match: Match) -> int | None:
    """Return for how many seconds a table stays in the lobby if its creator does; None for others.

    Correspondence games are listed for longer: see `games.tables.seeks`.
    """
    if not match.listed or match.status != Match.Status.WAITING or match.days is not None:
        return None
    left = match.created_at + OPEN_FOR - true_time.now()
    return max(0, math.ceil(left / timedelta(seconds=1)))


def invitation(*, invite: str) -> Match | None:
    """Return the match of an invitation token, with its seats, or None."""
    return _one_with_seats(_BY_INVITE, invite)


def match_by_id(*, public_id: str) -> Match | None:
    """Return a match with its seats, or None; access is checked by `may_see`."""
    return _one_with_seats(_BY_ID, public_id)


def unfinished(*, player: Player) -> list[MatchLine]:
    """Return a player's running matches, then those that wait for players, the newest first."""
    rows = _UNFINISHED.objects([player.pk])
    seats: dict[int, list[Seat]] = {}
    for seat in _PLAYERS_OF.objects([row.match_id for row in rows]):
        seats.setdefault(seat.match_id, []).append(seat)
    for row in rows:
        keep_related(row.match, "seats", seats[row.match_id])
    return [_line(row) for row in rows]


def match_detail(*, public_id: str, viewer: Player | None) -> MatchDetail | None:
    """Return a match with the hands that ``viewer`` may see; None without access."""
    match = match_by_id(public_id=public_id)
    if match is None or not may_see(match, viewer):
        return None
    seats = tuple(match.seats.all())
    shown, itemised = hands_shown(match, viewer), hands_itemised(match, viewer)
    games: dict[int, list[HandLine]] = {}
    hands = match.hands.order_by("game", "number").prefetch_related(
        Prefetch("seats", HandSeat.objects.select_related("seat").order_by("seat__seat"))
    )
    own_seat = seat_of(match, viewer)
    for at, hand in enumerate(hands):
        if own_seat is None and match.finished_at is not None and at >= shown:
            break  # points reveal cards too
        parts = tuple(hand.seats.all())
        line = HandLine(hand, parts, cards_shown=at < shown, items_shown=at < itemised)
        games.setdefault(hand.game, []).append(line)
    return MatchDetail(
        match=match,
        seats=seats,
        own_seat=own_seat,
        ruleset=Ruleset.from_dict(match.ruleset),
        games=tuple(tuple(lines) for _, lines in sorted(games.items())),
        can_replay=may_replay(match, viewer),
        hands_shown=shown,
    )


def position_step(match: Match) -> int | None:
    """Return the step at which a finished match goes on from a position of the analysis board.

    The moves before it were written when the match was made. None for other matches.
    """
    began = match.started_at if match.status == Match.Status.FINISHED else None
    if began is None or match.branch_of_id is not None or not match.from_position:
        return None
    return match.moves.filter(at=began).count()


def played_match(*, pk: int) -> PlayedMatch | None:
    """Return a finished match folded from its log; None for unfinished matches.

    This is for code that compares plays: it holds every card and must not be shown as it is.
    """
    match = Match.objects.filter(pk=pk, status=Match.Status.FINISHED).first()
    if match is None:
        return None
    seats = match.seats.select_related("player").order_by("seat")
    ruleset = Ruleset.from_dict(match.ruleset)
    state = rules.start(ruleset)
    hands_at: list[int] = []
    for entry in store.whole(match.pk):
        state = rules.apply(state, parse_move(entry.text)).state
        hands_at.append(sum(hand.game == 1 for hand in state.hands))
    return PlayedMatch(match, tuple(seats), ruleset, state, tuple(hands_at))


_RELATED = ("created_by", "rematch")
_SEATS = Seat.objects.select_related("player__owner", "stand_in").order_by("seat")
# Every page of a table or match asks for one, and most of its time went into building this SQL.
_BY_ID = PreparedObjects[Match](
    lambda keys: Match.objects.filter(public_id__in=keys).select_related(*_RELATED), str
)
_BY_INVITE = PreparedObjects[Match](
    lambda keys: Match.objects.filter(invite__in=keys).select_related(*_RELATED), str
)
_SEATS_OF = PreparedObjects[Seat](lambda keys: _SEATS.filter(match__in=keys))
_UNFINISHED = PreparedObjects[Seat](
    lambda players: (
        Seat.objects.filter(player__in=players, computer=False, ended_at__isnull=True)
        .filter(match__status__in=[Match.Status.WAITING, Match.Status.PLAYING])
        .select_related("match")
        .order_by(
            Case(When(match__status=Match.Status.PLAYING, then=Value(0)), default=Value(1)),
            "-match_id",
        )[:MOST_UNFINISHED]
    )
)
_PLAYERS_OF = PreparedObjects[Seat](
    lambda matches: (
        Seat.objects.filter(match__in=matches).select_related("player").order_by("match_id", "seat")
    )
)


def _one_with_seats(matches: PreparedObjects[Match], key: str) -> Match | None:
    for match in matches.objects([key]):
        keep_related(match, "seats", _SEATS_OF.objects([match.pk]))
        return match
    return None


def _line(row: Seat) -> MatchLine:
    others = others_clockwise(row.match.seats.all(), row.seat)
    return MatchLine(match=row.match, seat=row, others=others, won=row.won)
