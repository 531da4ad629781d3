"""The read side of moderation: the queue, the case of a player, and what a moderator may not see.

Moderators are players too. Texts about a match whose cards they may still be dealt are hidden until
they choose to look; from then on they are never dealt those cards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, Min, Q, QuerySet
from django.utils import timezone

from games import hooks
from games.archive.access import may_see
from games.models import (
    Appeal,
    BanProposal,
    Match,
    ModerationEntry,
    ModeratorNote,
    Player,
    Report,
    Seat,
    SeenMatch,
)
from games.people.chat_phrases import line_text

SETTLED_AFTER = timedelta(hours=1)
"""Time after the end of a match in which its cards may still become a game for others."""

SHOWN = 50
"""Number of rows of each kind on a page, newest first."""


@dataclass(frozen=True, slots=True)
class SaidLine:
    """An attached line of chat: its author's primary key and name, and its text."""

    author: int
    name: str
    words: str


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report as a moderator may see it.

    Attributes:
        report: the row.
        hidden: whether its texts are hidden from this moderator for now.
        lines: the attached lines of chat; none while they are hidden.
        seats: the seats of its match.
        open: whether the moderator may open the page of its match.
    """

    report: Report
    hidden: bool
    lines: tuple[SaidLine, ...]
    seats: tuple[Seat, ...]
    open: bool


@dataclass(frozen=True, slots=True)
class History:
    """A player's record: reports about them and by them, actions, games."""

    player: Player
    about: int
    acted: int
    made: int
    made_acted: int
    actions: int
    matches: int


@dataclass(frozen=True, slots=True)
class HiddenTexts:
    """The rule that hides moderators' own texts, which may quote those of hidden reports.

    Attributes:
        reports: the hidden reports, by primary key.
        spans: the times in which they were open, by the player they are about.
    """

    reports: frozenset[int]
    spans: Mapping[int, Sequence[tuple[datetime, datetime | None]]]

    def hide(self, row: ModerationEntry | BanProposal | ModeratorNote) -> bool:
        """Return whether a text follows from a hidden report, or was written while one was open."""
        if getattr(row, "report_id", None) in self.reports:
            return True
        spans = () if row.player_id is None else self.spans.get(row.player_id, ())
        return any(at <= row.at and (end is None or row.at <= end) for at, end in spans)


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A player with open reports."""

    player: Player
    number: int
    reasons: tuple[str, ...]
    since: Any


@dataclass(frozen=True, slots=True)
class Queue:
    """The work that waits for moderators, longest wait first."""

    reports: tuple[QueueRow, ...]
    appeals: tuple[Appeal, ...]
    proposals: tuple[BanProposal, ...]


def queue(*, reader: Player) -> Queue:
    """Return what waits for a moderator: not what concerns their own accounts. Five queries."""
    own = hooks.linked(reader.pk)
    rows = Report.objects.filter(closed_at__isnull=True).exclude(
        Q(about__in=own) | Q(about__owner__in=own, about__owner__isnull=False)
    )
    grouped = list(
        rows.values("about").annotate(number=Count("pk"), since=Min("at")).order_by("since")[:SHOWN]
    )
    people = Player.objects.in_bulk([row["about"] for row in grouped])
    reasons: dict[int, list[str]] = {}
    shown = rows.filter(about__in=people).values("about", "reason").annotate(first=Min("at"))
    for about, reason in shown.order_by("first").values_list("about", "reason"):
        reasons.setdefault(about, []).append(str(Report.Reason(reason).label))
    reports = [
        QueueRow(people[key], row["number"], tuple(reasons.get(key, ())), row["since"])
        for row in grouped
        if (key := row["about"]) in people
    ]
    appeals = Appeal.objects.filter(replied_at__isnull=True, entry__player__isnull=False)
    appeals = appeals.exclude(entry__player__in=own)
    proposals = BanProposal.objects.filter(decided_at__isnull=True).exclude(player__in=own)
    return Queue(
        tuple(reports),
        tuple(appeals.select_related("entry__player").order_by("at")[:SHOWN]),
        tuple(proposals.select_related("player", "proposed_by").order_by("at")[:SHOWN]),
    )


def hidden_matches(*, reader: Player, matches: Iterable[Match]) -> set[int]:
    """Return the matches (primary keys) whose texts are hidden from a moderator for now.

    Those are matches in progress or just over, which others may be dealt, and those on a standard
    game that is still dealt; but not those that the moderator sat in, finished or chose to see.
    """
    known = {match.pk: match for match in matches}
    seen = SeenMatch.objects.filter(player=reader, match__in=known)
    own = Seat.objects.filter(player=reader, computer=False, match__in=known)
    free = {
        *seen.values_list("match_id", flat=True),
        *own.values_list("match_id", flat=True),
        *hooks.same_cards(list(known), reader.pk),
    }
    rest = [pk for pk in known if pk not in free]
    settled = timezone.now() - SETTLED_AFTER
    return {pk for pk in rest if not _is_settled(known[pk], settled)} | hooks.secret_matches(rest)


def _is_settled(match: Match, before: Any) -> bool:
    return match.imported or (match.finished_at is not None and match.finished_at < before)


def reports_about(*, player: Player, reader: Player) -> list[ReportView]:
    """Return the newest reports about a player, open ones first, as a moderator may see them."""
    rows = (
        Report.objects.filter(about=player)
        .select_related("reporter", "match", "closed_by")
        .prefetch_related("lines__author", "lines__match", "match__seats__player")
        .order_by(F("closed_at").desc(nulls_first=True), "-pk")
    )
    views = sorted(rows[:SHOWN], key=lambda row: (row.closed_at is not None, -row.pk))
    hidden = hidden_matches(
        reader=reader, matches=[match for row in views for match in matches_of(row)]
    )
    return [_view(row, hidden, reader) for row in views]


def matches_of(report: Report) -> list[Match]:
    """Return the matches that a report's texts are about."""
    found = {line.match_id: line.match for line in report.lines.all()}
    if report.match is not None:
        found[report.match.pk] = report.match
    return list(found.values())


def _view(report: Report, hidden: Collection[int], reader: Player) -> ReportView:
    match = report.match
    concealed = any(each.pk in hidden for each in matches_of(report))
    lines = [] if concealed else sorted(report.lines.all(), key=lambda line: line.pk)
    return ReportView(
        report,
        concealed,
        tuple(SaidLine(line.author_id, line.author.name, line_text(line)) for line in lines),
        () if match is None else tuple(sorted(match.seats.all(), key=lambda row: row.seat)),
        match is not None and not concealed and may_see(match, reader),
    )


def look(*, reader: Player, report: Report) -> int:
    """Let a moderator see a report's texts, who is then never dealt its cards; return how many.

    The matches are stored, since some of them may become standard games only later.
    """
    hidden = hidden_matches(reader=reader, matches=matches_of(report))
    SeenMatch.objects.bulk_create(
        [SeenMatch(player=reader, match_id=pk) for pk in hidden], ignore_conflicts=True
    )
    return len(hidden)


def is_hidden(*, reader: Player, report: Report) -> bool:
    """Return whether a report's texts are hidden from a moderator for now."""
    return bool(hidden_matches(reader=reader, matches=matches_of(report)))


def hidden_texts(*, reader: Player, players: Collection[int]) -> HiddenTexts:
    """Return which of the moderators' texts about players (primary keys) are hidden for now."""
    rows = list(
        Report.objects.filter(about__in=players)
        .select_related("match")
        .prefetch_related("lines__match")
    )
    hidden = hidden_matches(
        reader=reader, matches=[match for row in rows for match in matches_of(row)]
    )
    found = [row for row in rows if any(match.pk in hidden for match in matches_of(row))]
    spans: dict[int, list[tuple[datetime, datetime | None]]] = {}
    for row in found:
        spans.setdefault(row.about_id, []).append((row.at, row.closed_at))
    return HiddenTexts(frozenset(row.pk for row in found), spans)


def histories(*, players: Collection[Player]) -> list[History]:
    """Return what is known about players, for the side by side of a case. Takes four queries."""
    about, made = (
        {key: (number, acted) for key, number, acted in _reports_by(who, players)}
        for who in ("about", "reporter")
    )
    actions = _count_by(ModerationEntry.objects.all(), players)
    matches = _count_by(Seat.objects.filter(computer=False), players)
    return [
        History(
            player,
            *about.get(player.pk, (0, 0)),
            *made.get(player.pk, (0, 0)),
            actions=actions.get(player.pk, 0),
            matches=matches.get(player.pk, 0),
        )
        for player in players
    ]


def _reports_by(who: str, players: Collection[Player]) -> list[tuple[int, int, int]]:
    """Return players with the number of reports, and of those with an action."""
    acted = Count("pk", filter=Q(outcome=Report.Outcome.ACTED))
    rows = Report.objects.filter(**{f"{who}__in": players}).values(who)
    return list(rows.annotate(number=Count("pk"), acted=acted).values_list(who, "number", "acted"))


def _count_by(rows: QuerySet[Any], players: Collection[Player]) -> dict[int, int]:
    """Return the number of rows by player."""
    found = rows.filter(player__in=players).values("player").annotate(number=Count("pk"))
    return dict(found.values_list("player", "number"))


def log(*, player: Player | None = None) -> QuerySet[ModerationEntry]:
    """Return the log of actions, newest first; of one player or of all."""
    rows = ModerationEntry.objects.select_related(
        "player", "moderator", "second", "appeal__replied_by", "report__match"
    )
    rows = rows if player is None else rows.filter(player=player)
    return rows.order_by("-pk")


def notes(*, player: Player) -> list[ModeratorNote]:
    """Return the moderators' notes about a player, newest first."""
    rows = ModeratorNote.objects.filter(player=player).select_related("author")
    return list(rows.order_by("-pk")[:SHOWN])
