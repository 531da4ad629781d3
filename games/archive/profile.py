"""Data for a player's page: record, streaks, best hands, and head-to-head with the viewer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.db.models import Count, Prefetch, Q, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from games.archive import access, matches
from games.archive.matches import Filters, PlayedLine, Totals, sum_outcomes
from games.engine.cards import NAMES
from games.log import player_stats
from games.models import Match, Outcome, Player, Seat, Streak

RECENT = 8
LOOKED_AT = 60
"""Maximum number of matches checked to find those that the viewer may see."""
BEST = 5


@dataclass(frozen=True, slots=True)
class RecordLine:
    """The totals of matches of one kind.

    `kind` is "all", "ranked", "people", "three", "program" or "level"; for a level `bot` is its
    name in the registry.
    """

    kind: str
    totals: Totals
    bot: str = ""


@dataclass(frozen=True, slots=True)
class BestHand:
    """A hand with its starter: cards as "5H 5C 5S JD", points, player and time."""

    points: int
    cards: str
    starter: str
    player: Player | None
    match: Match
    at: datetime | None


@dataclass(frozen=True, slots=True)
class DayPlayed:
    """The matches that a player finished on one day, and how many of them they won."""

    matches: int
    won: int


def may_view_profile(player: Player, viewer: Player | None) -> bool:
    """Return whether a viewer may see a player's page; deleted players have none."""
    if player.kind == Player.Kind.DELETED:
        return False
    return not player.private or (viewer is not None and viewer.pk == player.pk)


def records_by_opponent(*, player: Player) -> list[RecordLine]:
    """Return a person's record by kind of opponent, without imported matches; one query.

    It does not depend on ratings. Computers have no record.
    """
    rows = list(Outcome.objects.filter(player=player, kind__in=player_stats.COUNTED, matches__gt=0))
    pairs = [row for row in rows if row.places == 2]
    levels: dict[str, list[Outcome]] = {}
    for row in pairs:
        if row.computers:
            levels.setdefault(row.bot, []).append(row)
    found = [
        _line("all", rows),
        _line("ranked", [row for row in rows if row.kind == Seat.Kind.RANKED]),
        _line("people", [row for row in pairs if not row.computers]),
        *(_line("level" if bot else "program", some, bot) for bot, some in sorted(levels.items())),
        _line("three", [row for row in rows if row.places == 3]),
    ]
    return [line for line in found if line.totals.matches]


def streak_of(*, player: Player) -> Streak:
    """Return a player's streaks; an unsaved row before their first match."""
    return Streak.objects.filter(player=player).first() or Streak(player=player)


def head_to_head(*, viewer: Player | None, player: Player) -> Totals | None:
    """Return the viewer's record against this player; None if they have none."""
    if viewer is None or viewer.pk == player.pk:
        return None
    found = matches.totals(matches.played(viewer, Filters(opponent=player, counted=True)))
    return found if found.matches else None


def recent(*, player: Player, viewer: Player | None) -> list[PlayedLine]:
    """Return a player's newest matches that the viewer may see."""
    own = viewer is not None and viewer.pk == player.pk
    page = matches.page(matches.played(player), size=RECENT if own else LOOKED_AT)
    seen = access.visible_in_lists([line.seat.match for line in page.lines], viewer)
    return [line for line in page.lines if line.seat.match in seen][:RECENT]


def days_played(*, player: Player, since: date) -> dict[date, DayPlayed]:
    """Return the days since ``since`` on which a player finished matches, in the active zone."""
    begin = timezone.make_aware(datetime.combine(since, time.min))
    rows = (
        Seat.objects.filter(player=player, ended_at__gte=begin)
        .annotate(day=TruncDate("ended_at"))
        .values("day")
        .annotate(matches=Count("pk"), wins=Count("pk", filter=Q(won=True)))
        .order_by("day")
    )
    return {row["day"]: DayPlayed(row["matches"], row["wins"]) for row in rows}


def best_hands(*, player: Player, viewer: Player | None) -> list[BestHand]:
    """Return the highest hands of a player whose cards the viewer may see, highest first."""
    rows = Seat.objects.filter(player=player, best_hand__isnull=False)
    rows = rows.order_by("-best_hand", "-pk")
    return hands_of(with_visible_cards(rows[:LOOKED_AT], viewer)[:BEST], number=BEST)


def with_visible_cards(rows: QuerySet[Seat], viewer: Player | None) -> list[Seat]:
    """Return the seats of matches that the viewer may see with all cards, in order."""
    all_seats = Seat.objects.select_related("player").order_by("seat")
    seats = list(
        rows.select_related("match", "player").prefetch_related(Prefetch("match__seats", all_seats))
    )
    seen = access.visible_in_lists([row.match for row in seats], viewer, cards=True)
    return [row for row in seats if row.match in seen]


def hands_of(seats: Sequence[Seat], *, number: int) -> list[BestHand]:
    """Return the highest hands of these seats, at most ``number``."""
    by_key = {row.pk: row for row in seats}
    found = []
    for part in player_stats.hands_of_seats(Seat.objects.filter(pk__in=by_key)):
        points, seat = player_stats.hand_points(part), by_key[part.seat_id]
        if points is not None:
            cards = " ".join(NAMES[card] for card in sorted(player_stats.kept_cards(part)))
            hand = BestHand(
                points, cards, part.hand.starter, seat.player, seat.match, seat.ended_at
            )
            found.append((points, part.pk, hand))
    found.sort(key=lambda each: each[:2], reverse=True)
    return [hand for _, _, hand in found[:number]]


def _line(kind: str, rows: Iterable[Outcome], bot: str = "") -> RecordLine:
    return RecordLine(kind, sum_outcomes(rows), bot)
