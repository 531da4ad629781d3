"""Sums of a review's decisions by situation, stored for each person at the table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from games.analysis.review import Item
from games.analysis.review_situations import Situation
from games.learn.insights import bands
from games.models import DecisionSum, Match, Seat

Sums = dict[Situation, list[float]]
"""Situation -> number of decisions, and the sum of their losses."""


def store_sums(
    *, match: int, rows: Mapping[int, Seat], items: Sequence[Item], found: Mapping[int, Situation]
) -> None:
    """Store the sums of some decisions of people, once for each seat and situation.

    Matches have none in which players may know the cards: lessons, branches and swapped deals.

    Args:
        match: the primary key of the reviewed match.
        rows: the seats of people and programs, by number, with their match and player.
        items: the decisions that those made themselves.
        found: the situations, by the number of the log entry.
    """
    people = {
        seat: row
        for seat, row in rows.items()
        if row.player is not None and not row.player.is_computer and not _has_known_cards(row.match)
    }
    sums: dict[int, Sums] = {seat: defaultdict(lambda: [0, 0.0]) for seat in people}
    for item in items:
        if item.seat in people and not item.forced:
            cell = sums[item.seat][found[item.sequence]]
            cell[0] += 1
            cell[1] += item.loss
    ratings = _ratings(match) if people else {}
    DecisionSum.objects.bulk_create(
        [
            DecisionSum(
                seat=rows[seat],
                band=bands.band_of_rating(ratings.get(rows[seat].player_id or 0)),
                opponent=bands.band_of_opponents(ratings, rows[seat].player_id or 0),
                kind=each.kind,
                phase=each.phase,
                dealer=each.dealer,
                standing=each.standing,
                decisions=int(number),
                loss=round(loss, 5),
            )
            for seat, cells in sums.items()
            for each, (number, loss) in cells.items()
        ],
        ignore_conflicts=True,
    )


def _has_known_cards(match: Match) -> bool:
    """Whether players may have known the cards of a match."""
    return match.lesson or match.is_branch or match.duplicate_of_id is not None


def _ratings(match: int) -> dict[int, float | None]:
    seated = list(Seat.objects.filter(match_id=match).values_list("player_id", flat=True))
    return bands.ratings_of([key for key in seated if key], len(seated))
