"""Answers of the explorer: how often each choice was made at a spot, and what it scored."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, Prefetch, Q, QuerySet, Sum

from games.archive import access
from games.models import Choice, Match, Seat

Group, Stage = Choice.Group, Choice.Stage
RATED: frozenset[int] = frozenset({Group.BELOW, Group.MIDDLE, Group.ABOVE})
PEOPLE = (Group.UNRATED, Group.BELOW, Group.MIDDLE, Group.ABOVE)

LINKS = 3
"""Replays that are linked for each choice."""
LOOKED_AT = 18
"""Newest rows among which replays are looked for."""


@dataclass(frozen=True, slots=True)
class HandLink:
    """A hand of a public match, with its numbers from 1, and the seat that chose."""

    match: Match
    game: int
    hand: int
    seat: int


@dataclass(slots=True)
class Chosen:
    """One choice at a spot.

    Attributes:
        choice: its number; see `games.archive.explorer.spots`.
        by_group: how often each group made it.
        scored: how often the selected groups made it in deals that were played to the end.
        points: the sum of what it scored then.
    """

    choice: int
    by_group: dict[int, int] = field(default_factory=dict)
    scored: int = 0
    points: int = 0

    def times(self, groups: Collection[int]) -> int:
        """Return how often these groups made it."""
        return sum(self.by_group.get(group, 0) for group in groups)

    @property
    def average(self) -> float | None:
        """Its average score, in points; None without a deal played to the end."""
        return self.points / self.scored if self.scored else None


@dataclass(frozen=True, slots=True)
class Answer:
    """The choices made at a spot, the most frequent first, and totals by group."""

    chosen: tuple[Chosen, ...]
    groups: dict[int, int]
    selected: tuple[int, ...]

    @property
    def total(self) -> int:
        """The number of choices by the selected groups."""
        return sum(self.groups.get(group, 0) for group in self.selected)


def answer(
    spot: int, *, groups: Sequence[int] = PEOPLE, stages: Sequence[int] = tuple(Stage)
) -> Answer:
    """Return what was chosen at a spot: one query, which reads an index alone.

    Args:
        spot: its number.
        groups: who is counted and averaged; all groups are in `Answer.groups`.
        stages: the stages of the game that are included.
    """
    rows = Choice.objects.filter(_at(spot, stages))
    sums = rows.values_list("choice", "group").annotate(
        times=Count("*"), scored=Count("points"), points=Sum("points", default=0)
    )
    found: dict[int, Chosen] = {}
    totals: dict[int, int] = {}
    for choice, group, times, scored, points in sums.order_by():
        one = found.setdefault(choice, Chosen(choice))
        one.by_group[group] = times
        totals[group] = totals.get(group, 0) + times
        if group in groups:
            one.scored += scored
            one.points += points
    ranked = sorted(found.values(), key=lambda one: (-one.times(groups), one.choice))
    return Answer(tuple(ranked), totals, tuple(groups))


def links(
    spot: int, *, groups: Sequence[int] = PEOPLE, stages: Sequence[int] = tuple(Stage)
) -> dict[int, list[HandLink]]:
    """Return the newest replays of each choice; the access rules are asked again."""
    newest = _newest(_at(spot, stages) & Q(group__in=groups))
    seats = Seat.objects.select_related("player").order_by("seat")
    matches = Match.objects.filter(pk__in={row.match_id for row in newest})
    shown = access.visible_in_lists(
        list(matches.prefetch_related(Prefetch("seats", seats))), None, cards=True
    )
    by_key = {match.pk: match for match in shown}
    found: dict[int, list[HandLink]] = {}
    for row in newest:
        match, known = by_key.get(row.match_id), found.setdefault(row.choice, [])
        if match is not None and len(known) < LINKS:
            known.append(HandLink(match, row.game, row.hand, row.seat))
    return found


def _at(spot: int, stages: Sequence[int]) -> Q:
    """Return the condition of a spot; without one on the stages if all are included.

    A range of the index is then read from end to end, rather than a part for each stage.
    """
    here = Q(spot=spot)
    return here if set(stages) >= set(Stage) else here & Q(stage__in=stages)


def _newest(condition: Q) -> QuerySet[Choice]:
    return Choice.objects.filter(condition).order_by("-pk")[:LOOKED_AT]
