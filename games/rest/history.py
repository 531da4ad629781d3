"""Filtered and paginated list of a player's finished matches, newest first."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.archive.matches import KINDS, BadCursor, Cursor, Filters, page, played, totals_of
from games.models import Match, Player, Seat
from games.rest.faults import BadInput
from games.rest.schemas import MatchesIn, TotalsOut


def matches_of(
    *, player: Player, asked: MatchesIn
) -> tuple[list[Match], str | None, TotalsOut | None]:
    """Return a page of matches, the cursor of the next page, and the totals of all.

    Totals come with the first page only.

    Raises:
        BadInput: if the cursor is invalid or there is no such opponent.
    """
    rows = played(player, _filters(asked))
    found = page(rows, before=_cursor(asked.after), size=asked.limit)
    following = None if found.older is None else str(found.older)
    matches = [line.seat.match for line in found.lines]
    return matches, following, None if asked.after else _totals(player, asked, rows)


def _filters(asked: MatchesIn) -> Filters:
    return Filters(
        opponent=_opponent(asked.opponent) if asked.opponent else None,
        name=asked.name,
        seats=asked.seats,
        kind=None if asked.kind is None else KINDS[asked.kind],
        computer=asked.computer,
        result=asked.result,
        skunk=asked.skunk,
        since=asked.since,
        until=asked.until,
        standard=asked.standard,
    )


def _opponent(public_id: str) -> Player:
    other = Player.objects.filter(public_id=public_id).first()
    if other is None:
        text = _("No player has the id %(id)s.") % {"id": public_id[:20]}
        raise BadInput(f"opponent: {text}")
    return other


def _cursor(text: str) -> Cursor | None:
    if not text:
        return None
    try:
        return Cursor.parse(text)
    except BadCursor as cause:
        raise BadInput(f"after: {cause}") from cause


def _totals(player: Player, asked: MatchesIn, rows: QuerySet[Seat]) -> TotalsOut:
    found = totals_of(player, _filters(asked), rows=rows)
    return TotalsOut(
        matches=found.matches,
        won=found.won,
        lost=found.lost,
        skunks=found.skunks,
        skunked=found.skunked,
        margin=None if found.margin is None else round(found.margin, 2),
    )
