"""What a player's page tells: his record, streaks, best hands, and how he stands to the reader."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet, Sum

from games import access, tallies
from games.engine.cards import NAMES
from games.history import matches
from games.history.matches import Filters, PlayedLine, Totals
from games.models import Form, Match, Player, Seat

RECENT = 8
LOOKED_AT = 60
"""Matches at most that are looked at to find those which the reader may see."""
BEST = 5


@dataclass(frozen=True, slots=True)
class RecordLine:
    """Matches of one kind: how many, and how they ended.

    `kind` is "all", "ranked", "people", "three", "program" or "level"; of a level `bot` is its name
    in the registry.
    """

    kind: str
    matches: int
    won: int
    lost: int
    skunks: int
    skunked: int
    bot: str = ""

    @property
    def share(self) -> float | None:
        """Matches won in percent of those won or lost, None without any."""
        decided = self.won + self.lost
        return 100 * self.won / decided if decided else None


@dataclass(frozen=True, slots=True)
class BestHand:
    """A hand with its starter: cards as "5H 5C 5S JD", points, whose and when."""

    points: int
    cards: str
    starter: str
    player: Player | None
    match: Match
    at: datetime | None


def may_look(player: Player, viewer: Player | None) -> bool:
    """Whether a player's page and records are shown to this reader; of one who has left, to none."""
    if player.kind == Player.Kind.DELETED:
        return False
    return not player.private or (viewer is not None and viewer.pk == player.pk)


def record(*, player: Player) -> list[RecordLine]:
    """Return how a player's matches ended, by the kind of opponent; imported ones left out.

    Nothing that ratings do changes it. Two queries, and one for the names of computers.
    """
    rows = matches.played(player).filter(kind__in=tallies.COUNTED)
    groups = list(_added_up(rows.values("kind", "places", "computers")))
    found = [
        _line("all", groups),
        _line("ranked", [each for each in groups if each["kind"] == Seat.Kind.RANKED]),
        _line("people", [each for each in groups if each["places"] == 2 and not each["computers"]]),
        *_levels(rows),
        _line("three", [each for each in groups if each["places"] == 3]),
    ]
    return [line for line in found if line.matches]


def form(*, player: Player) -> Form:
    """Return a player's streaks; an unsaved row before his first match."""
    return Form.objects.filter(player=player).first() or Form(player=player)


def head_to_head(*, viewer: Player | None, player: Player) -> Totals | None:
    """Return how the reader's matches with this player ended for the reader; None without any."""
    if viewer is None or viewer.pk == player.pk:
        return None
    found = matches.totals(matches.played(viewer, Filters(opponent=player)))
    return found if found.matches else None


def recent(*, player: Player, viewer: Player | None) -> list[PlayedLine]:
    """Return a player's newest matches, of the last many those that the reader may see."""
    own = viewer is not None and viewer.pk == player.pk
    page = matches.page(matches.played(player), size=RECENT if own else LOOKED_AT)
    seen = access.listed([line.seat.match for line in page.lines], viewer)
    return [line for line in page.lines if line.seat.match in seen][:RECENT]


def best_hands(*, player: Player, viewer: Player | None) -> list[BestHand]:
    """Return a player's highest hands, whose cards the reader may see, highest first."""
    rows = Seat.objects.filter(player=player, best_hand__isnull=False)
    rows = rows.order_by("-best_hand", "-pk")
    return hands_of(shown(rows[:LOOKED_AT], viewer)[:BEST], number=BEST)


def shown(rows: QuerySet[Seat], viewer: Player | None) -> list[Seat]:
    """Return those seats of measured matches all of whose cards the reader may see, in order."""
    everybody = Seat.objects.select_related("player").order_by("seat")
    seats = list(
        rows.select_related("match", "player").prefetch_related(Prefetch("match__seats", everybody))
    )
    seen = access.listed([row.match for row in seats], viewer, cards=True)
    return [row for row in seats if row.match in seen]


def hands_of(seats: Sequence[Seat], *, number: int) -> list[BestHand]:
    """Return the highest hands of these seats, at most so many."""
    by_key = {row.pk: row for row in seats}
    found = []
    for part in tallies.parts_of(Seat.objects.filter(pk__in=by_key)):
        points, seat = tallies.held(part), by_key[part.seat_id]
        if points is not None:
            cards = " ".join(NAMES[card] for card in sorted(tallies.kept(part)))
            hand = BestHand(
                points, cards, part.hand.starter, seat.player, seat.match, seat.ended_at
            )
            found.append((points, part.pk, hand))
    found.sort(key=lambda each: each[:2], reverse=True)
    return [hand for _, _, hand in found[:number]]


def _added_up(groups: Any) -> Iterable[dict[str, Any]]:
    found: Iterable[dict[str, Any]] = groups.annotate(
        n=Count("pk"),
        n_won=Count("pk", filter=Q(won=True)),
        n_lost=Count("pk", filter=Q(won=False)),
        n_skunks=Sum("skunks"),
        n_skunked=Sum("skunked"),
    ).order_by()
    return found


def _line(kind: str, groups: Iterable[dict[str, Any]], bot: str = "") -> RecordLine:
    names = ("n", "n_won", "n_lost", "n_skunks", "n_skunked")
    found = list(groups)
    played, won, lost, skunks, skunked = (sum(each[name] for each in found) for name in names)
    return RecordLine(kind, played, won, lost, skunks, skunked, bot)


def _levels(rows: QuerySet[Seat]) -> list[RecordLine]:
    """Return a line for each computer level met alone, its versions together, and for programs."""
    groups = list(_added_up(rows.filter(places=2, computers=1).values("opponent")))
    robots = Player.objects.in_bulk([group["opponent"] for group in groups])
    by_bot: dict[str, list[dict[str, Any]]] = {}
    for group in groups:
        robot = robots.get(group["opponent"])
        bot = "" if robot is None or robot.owner_id is not None else robot.bot
        by_bot.setdefault(bot, []).append(group)
    return [
        _line("level" if bot else "program", found, bot) for bot, found in sorted(by_bot.items())
    ]
