"""A player's finished matches: filters, totals and pages.

Pages use keyset pagination rather than offsets, and lists and totals are read from one covering
index (``seat_history``), so that the last of many thousand pages is as fast as the first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any, Literal

from django.db.models import Avg, Count, Exists, OuterRef, Prefetch, Q, QuerySet, Sum
from django.utils import timezone

from games import hooks
from games.log.claims import claims
from games.log.player_stats import COUNTED
from games.models import Outcome, Player, Seat
from games.models.names import folded
from games.models.seats import others_clockwise

PER_PAGE = 25
MOST_NAMES = 2000
"""Maximum number of players that a search by name considers."""
NEWS_FOR = timedelta(days=30)
"""The time for which the home page shows that a match has ended, unless its player has seen it."""
MOST_NEWS = 6
LOOKED_BACK = 30
"""Newest matches among which the last computer opponent is looked for."""
KINDS = {
    "casual": Seat.Kind.CASUAL,
    "ranked": Seat.Kind.RANKED,
    "imported": Seat.Kind.IMPORTED,
    "branch": Seat.Kind.BRANCH,
    "duplicate": Seat.Kind.DUPLICATE,
    "lesson": Seat.Kind.LESSON,
}
"""The kinds of matches, by their names in queries of pages and of the API."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_DAY, _LAST_DAY = date(1000, 1, 1), date(9000, 1, 1)

Result = Literal["won", "lost", "drawn"]


class BadCursor(ValueError):
    """Text that is not a cursor; the message quotes it."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in the list: a seat's primary key and the time when its match ended."""

    at: datetime
    seat: int

    def __str__(self) -> str:
        """Return the cursor as text, for a URL."""
        return f"{(self.at - _EPOCH) // timedelta(microseconds=1)}-{self.seat}"

    @classmethod
    def parse(cls, text: str) -> Cursor:
        """Return the cursor with this text (the inverse of `str`).

        Raises:
            BadCursor: for any other text.
        """
        moment, _, seat = text.partition("-")
        try:
            if not (text.isascii() and moment.isdecimal() and seat.isdecimal() and len(seat) < 19):
                raise BadCursor(f"{text[:40]!r} is no place in a list")
            return cls(_EPOCH + timedelta(microseconds=int(moment)), int(seat))
        except (OverflowError, ValueError) as cause:
            raise BadCursor(f"{text[:40]!r} is no place in a list") from cause


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a list of matches; the default selects all matches.

    Attributes:
        opponent: another player at the table.
        name: part of the name of another player at the table.
        seats: 2 or 3.
        kind: the kind of match.
        counted: only matches of the kinds that count in a record: neither lessons nor imported
            matches, branches and duplicates.
        computer: True for matches with a computer at the table, False for people only.
        result: the result for the player.
        skunk: "given" if the player won a game by a skunk, "taken" if they lost one by a skunk.
        since, until: the first and the last day.
        standard: the number of a standard game.
    """

    opponent: Player | None = None
    name: str = ""
    seats: int | None = None
    kind: Seat.Kind | None = None
    counted: bool = False
    computer: bool | None = None
    result: Result | None = None
    skunk: Literal["given", "taken"] | None = None
    since: date | None = None
    until: date | None = None
    standard: int | None = None


@dataclass(frozen=True, slots=True)
class Totals:
    """Totals of matches; ``margin`` is average points per game, None without matches."""

    matches: int
    won: int
    lost: int
    skunks: int
    skunked: int
    margin: float | None

    @property
    def drawn(self) -> int:
        """Matches without a winner, including unfinished ones."""
        return self.matches - self.won - self.lost

    @property
    def share(self) -> float | None:
        """Matches won as a percentage of those won or lost; None without any."""
        decided = self.won + self.lost
        return 100 * self.won / decided if decided else None


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """One match in a player's list.

    Attributes:
        seat: the player's seat, with its match fetched.
        others: the other seats, clockwise from the player's, with their players.
        standard: its standard game, if any.
        claimed: whether the win was claimed from a player who was away, idle or late.
    """

    seat: Seat
    others: tuple[Seat, ...]
    standard: hooks.StandardPlay | None
    claimed: bool = False

    @property
    def is_news(self) -> bool:
        """Whether it is a correspondence match whose end the player has not seen."""
        return self.seat.match.days is not None and not self.seat.end_seen


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """One page of matches, newest first, with the cursors of the adjacent pages, if any."""

    lines: tuple[PlayedLine, ...]
    older: Cursor | None
    newer: Cursor | None


def played(player: Player, filters: Filters | None = None) -> QuerySet[Seat]:
    """Return the player's seats in finished matches, filtered and unordered."""
    rows = Seat.objects.filter(player=player, ended_at__isnull=False)
    if filters is None:
        return rows
    for condition in (*_by_table(player, filters), *_by_result(filters)):
        rows = rows.filter(condition)
    return rows


def last_level(*, player: Player) -> str | None:
    """Return the computer of a player's last casual match against one, by its registered name.

    "" if none of the newest matches was against one, None before the first match that counts.
    """
    newest = played(player, Filters(counted=True)).order_by("-ended_at", "-pk")[:LOOKED_BACK]
    found = list(newest.values_list("kind", "opponent__bot", "opponent_2__bot"))
    casual = ((first, second) for kind, first, second in found if kind == Seat.Kind.CASUAL)
    return next((bot for bots in casual for bot in bots if bot), "") if found else None


def totals(rows: QuerySet[Seat]) -> Totals:
    """Return the totals of seats in finished matches."""
    found = rows.aggregate(
        all_matches=Count("pk"),
        all_won=Count("pk", filter=Q(won=True)),
        all_lost=Count("pk", filter=Q(won=False)),
        all_skunks=Sum("skunks", default=0),
        all_skunked=Sum("skunked", default=0),
        all_margin=Avg("margin"),
    )
    return Totals(**{name.removeprefix("all_"): value for name, value in found.items()})


def totals_of(player: Player, filters: Filters, *, rows: QuerySet[Seat] | None = None) -> Totals:
    """Return the totals of a player's matches, filtered.

    Filters by kind, seats, computers and result need only the sums over a few outcomes, others the
    matches themselves. ``rows`` are those of `played`, before ``counted``, if the caller has them.
    """
    if player.is_computer or not _only_by_kind(filters):
        if rows is None:
            return totals(played(player, filters))
        return totals(rows.filter(kind__in=COUNTED) if filters.counted else rows)
    outcomes = Outcome.objects.filter(player=player)
    for condition in (*_by_table(player, filters), *_by_outcome(filters)):
        outcomes = outcomes.filter(condition)
    return sum_outcomes(outcomes)


def sum_outcomes(rows: Iterable[Outcome]) -> Totals:
    """Return the sum of outcomes."""
    results = Outcome.Result
    found = list(rows)
    margins = sum(row.margins for row in found)
    return Totals(
        matches=sum(row.matches for row in found),
        won=sum(row.matches for row in found if row.result == results.WON),
        lost=sum(row.matches for row in found if row.result == results.LOST),
        skunks=sum(row.skunks for row in found),
        skunked=sum(row.skunked for row in found),
        margin=sum(row.margin for row in found) / margins if margins else None,
    )


def _only_by_kind(filters: Filters) -> bool:
    """Return whether outcomes suffice for these filters."""
    others = (filters.opponent, filters.since, filters.until, filters.standard)
    return not filters.name and all(each is None for each in others)


def page(
    rows: QuerySet[Seat],
    *,
    before: Cursor | None = None,
    after: Cursor | None = None,
    size: int = PER_PAGE,
) -> HistoryPage:
    """Return a page of seats: the newest, or those next to a cursor.

    Args:
        rows: from `played`.
        before: the page starts after this cursor, with older matches.
        after: the page ends before this cursor, with newer matches.
        size: matches on a page.
    """
    if after is not None:
        later = rows.filter(ended_at__gte=after.at).exclude(ended_at=after.at, pk__lte=after.seat)
        found = _keys(later.order_by("ended_at", "pk"), size + 1)
        has_newer, has_older = len(found) > size, True
        found = found[:size][::-1]
    else:
        earlier = rows
        if before is not None:
            earlier = rows.filter(ended_at__lte=before.at).exclude(
                ended_at=before.at, pk__gte=before.seat
            )
        found = _keys(earlier.order_by("-ended_at", "-pk"), size + 1)
        has_newer, has_older = before is not None, len(found) > size
        found = found[:size]
    return HistoryPage(
        lines=lines([key.seat for key in found]),
        older=found[-1] if has_older and found else None,
        newer=found[0] if has_newer and found else None,
    )


def news(player: Player) -> tuple[PlayedLine, ...]:
    """Return the correspondence matches that ended lately without the player seeing it."""
    since = timezone.now() - NEWS_FOR
    rows = played(player).filter(ended_at__gt=since, end_seen=False, match__days__isnull=False)
    found = list(rows.order_by("-ended_at").values_list("pk", flat=True)[:MOST_NEWS])
    return lines(found) if found else ()


def lines(seats: Sequence[int]) -> tuple[PlayedLine, ...]:
    """Return the lines of these seats, by primary key, in the given order.

    It takes four queries, and one more if any of the matches was resigned.
    """
    rows = (
        Seat.objects.filter(pk__in=seats)
        .select_related("match")
        .prefetch_related(
            Prefetch("match__seats", Seat.objects.select_related("player__owner").order_by("seat"))
        )
    )
    by_key = {row.pk: row for row in rows}
    plays = hooks.standard_plays([row.match_id for row in by_key.values()])
    ended = claims([row.match for row in by_key.values()])
    return tuple(_line(by_key[key], plays, ended) for key in seats if key in by_key)


def _line(row: Seat, plays: dict[int, hooks.StandardPlay], ended: Collection[int]) -> PlayedLine:
    others = others_clockwise(row.match.seats.all(), row.seat)
    return PlayedLine(row, others, plays.get(row.match_id), row.match_id in ended)


def _keys(rows: QuerySet[Seat], number: int) -> list[Cursor]:
    """Return the cursors of the first ``number`` seats, from the index only."""
    found = rows.values_list("ended_at", "pk")[:number]
    return [Cursor(at, key) for at, key in found if at is not None]


def _by_table(player: Player, filters: Filters) -> list[Q]:
    """Return the conditions on the players and the kind of match."""
    found = []
    if filters.opponent is not None:
        found.append(at_table([filters.opponent.pk]))
    if filters.name:
        by_name = at_table(_opponents_named(player, filters.name))
        found.append(by_name | Q(_without_account(player, filters.name), kind=Seat.Kind.IMPORTED))
    if filters.seats is not None:
        found.append(Q(places=filters.seats))
    if filters.kind is not None:
        found.append(Q(kind=filters.kind))
    if filters.counted:
        found.append(Q(kind__in=COUNTED))
    if filters.computer is not None:
        found.append(Q(computers__gt=0) if filters.computer else Q(computers=0))
    if filters.standard is not None:
        found.append(Q(match__in=hooks.matches_on(filters.standard, player.pk)))
    return found


def _by_outcome(filters: Filters) -> list[Q]:
    """Return the conditions on the result, for outcomes."""
    found = []
    if filters.result is not None:
        results = Outcome.Result
        found.append(
            Q(
                result={"won": results.WON, "lost": results.LOST}.get(
                    filters.result, results.NEITHER
                )
            )
        )
    if filters.skunk is not None:
        found.append(Q(given=True) if filters.skunk == "given" else Q(taken=True))
    return found


def _by_result(filters: Filters) -> list[Q]:
    """Return the conditions on the result and time, for seats."""
    found = []
    if filters.result is not None:
        drawn = filters.result == "drawn"
        found.append(Q(won__isnull=True) if drawn else Q(won=filters.result == "won"))
    if filters.skunk is not None:
        found.append(Q(skunks__gt=0) if filters.skunk == "given" else Q(skunked__gt=0))
    if filters.since is not None:
        found.append(Q(ended_at__gte=_midnight(filters.since)))
    if filters.until is not None:
        found.append(Q(ended_at__lt=_midnight(filters.until) + timedelta(days=1)))
    return found


def at_table(players: Sequence[int]) -> Q:
    """Return the condition that one of these players, by primary key, was an opponent."""
    if len(players) == 1:
        return Q(opponent=players[0]) | Q(opponent_2=players[0])
    return Q(opponent__in=players) | Q(opponent_2__in=players)


def _opponents_named(player: Player, name: str) -> list[int]:
    """Return the primary keys of the player's opponents whose name contains this text.

    Case and accents don't matter; a database would ignore only some of them.
    """
    met = Seat.objects.filter(player=player, ended_at__isnull=False)
    left = met.values("opponent").distinct()
    right = met.filter(opponent_2__isnull=False).values("opponent_2").distinct()
    rows = Player.objects.filter(Q(pk__in=left) | Q(pk__in=right))
    return [key for key, _ in islice(_named(rows, name), MOST_NAMES)]


def _without_account(player: Player, name: str) -> Exists:
    """Return the condition that such a name sat at the table without an account here."""
    own = Seat.objects.filter(player=player, kind=Seat.Kind.IMPORTED).values("match")
    rows = Seat.objects.filter(match__in=own).exclude(name="")
    names = {whole for _, whole in islice(_named(rows, name), MOST_NAMES)}
    return Exists(Seat.objects.filter(match=OuterRef("match"), name__in=names))


def _named(rows: QuerySet[Any], name: str) -> Iterator[tuple[int, str]]:
    """Yield the primary keys and names of rows whose name contains a text; none for no letters."""
    part = folded(name)
    if part:
        for key, whole in rows.values_list("pk", "name").iterator():
            if part in folded(whole):
                yield key, whole


def _midnight(day: date) -> datetime:
    """Return the beginning of a day; the calendar's first and last days have no time in UTC."""
    day = min(max(day, _FIRST_DAY), _LAST_DAY)
    return timezone.make_aware(datetime.combine(day, time.min))
