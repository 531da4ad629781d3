"""A player's insights: what their decisions cost by situation, beside the field of their rating.

Two grouped queries, of a player's own sums and of the field's, give all lines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Literal

from django.db.models import Q, Sum
from django.db.models.functions import TruncMonth
from django.utils import timezone

from games.analysis.review_situations import KINDS, PHASES, STANDINGS
from games.learn.insights import bands
from games.models import DecisionSum, FieldSum, Player

Dimension = Literal["kind", "phase", "role", "standing", "opponent", "month"]

KEYS: dict[Dimension, tuple[str, ...]] = {
    "kind": KINDS,
    "phase": PHASES,
    "role": ("dealer", "pone"),
    "standing": STANDINGS,
    "opponent": tuple(map(str, bands.BANDS)),
}
"""The keys of each dimension in order; months, such as "2026-11", have no fixed ones."""

LEAST_PLAYERS = 20
"""Players who make a field; of fewer nothing is said."""

MONTHS = 12
MONTH = timedelta(days=31)

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a request for insights: the seats, the last months, and keys of dimensions."""

    places: int = 2
    months: int = MONTHS
    keys: Mapping[Dimension, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Line:
    """The cost of the decisions in one situation.

    Attributes:
        key: its key in the dimension.
        decisions: how many there were.
        cost: what they lost on average, in games in a hundred decisions.
        field: the same for players of the same rating; None if they are too few.
    """

    key: str
    decisions: int
    cost: float
    field: float | None


@dataclass(frozen=True, slots=True)
class Insights:
    """All lines by dimension, all decisions together, and the rating band of the field."""

    total: Line
    lines: dict[Dimension, tuple[Line, ...]]
    band: int


@dataclass(slots=True)
class _Cell:
    decisions: int = 0
    loss: float = 0.0
    players: int = 0

    def add(self, row: Row) -> None:
        self.decisions += row["decisions"]
        self.loss += row["loss"]
        # Whoever is in one situation may be in another: the largest number is surely reached.
        self.players = max(self.players, row["players"])

    @property
    def cost(self) -> float:
        return 100 * self.loss / self.decisions


_KEY_OF: dict[Dimension, Callable[[Row], str]] = {
    "kind": lambda row: str(row["kind"]),
    "phase": lambda row: str(row["phase"]),
    "role": lambda row: "dealer" if row["dealer"] else "pone",
    "standing": lambda row: str(row["standing"]),
    "opponent": lambda row: str(row["opponent"]),
}


def insights(*, player: Player, filters: Filters) -> Insights | None:
    """Return a player's insights; None if no reviewed decision passes the filters."""
    own = _own_rows(player, filters)
    if not own:
        return None
    band = bands.band_of_rating(bands.ratings_of([player.pk], filters.places)[player.pk])
    others = _field_rows(band, filters)
    whole = _sum(others)
    lines: dict[Dimension, tuple[Line, ...]] = {}
    for dimension, key_of in _KEY_OF.items():
        groups, field_groups = _grouped(own, key_of), _grouped(others, key_of)
        lines[dimension] = tuple(
            _line(key, groups[key], field_groups.get(key))
            for key in KEYS[dimension]
            if key in groups
        )
    months = _grouped(own, _month_of)
    lines["month"] = tuple(_line(key, months[key], whole) for key in sorted(months))
    return Insights(_line("", _sum(own), whole), lines, band)


def _own_rows(player: Player, filters: Filters) -> list[Row]:
    since = timezone.now() - filters.months * MONTH
    rows = DecisionSum.objects.filter(
        _condition(filters),
        seat__player=player,
        seat__computer=False,
        seat__places=filters.places,
        seat__ended_at__gte=since,
    )
    groups = rows.values(
        "kind", "phase", "dealer", "standing", "opponent", month=TruncMonth("seat__ended_at")
    ).annotate(number=Sum("decisions"), lost=Sum("loss"))
    return [
        {**row, "decisions": row["number"], "loss": row["lost"], "players": 1}
        for row in groups.order_by()
    ]


def _field_rows(band: int, filters: Filters) -> list[Row]:
    rows = FieldSum.objects.filter(_condition(filters), places=filters.places, band=band)
    return list(rows.values())


def _condition(filters: Filters) -> Q:
    found = Q()
    for dimension, key in filters.keys.items():
        if dimension == "role":
            found &= Q(dealer=key == "dealer")
        elif dimension == "opponent":
            found &= Q(opponent=int(key))
        else:
            found &= Q((dimension, key))
    return found


def _month_of(row: Row) -> str:
    month: date = row["month"]
    return f"{month:%Y-%m}"


def _grouped(rows: Iterable[Row], key_of: Callable[[Row], str]) -> dict[str, _Cell]:
    groups: dict[str, _Cell] = defaultdict(_Cell)
    for row in rows:
        groups[key_of(row)].add(row)
    return groups


def _sum(rows: Iterable[Row]) -> _Cell:
    whole = _Cell()
    for row in rows:
        whole.add(row)
    return whole


def _line(key: str, own: _Cell, others: _Cell | None) -> Line:
    enough = others is not None and others.players >= LEAST_PLAYERS
    return Line(key, own.decisions, own.cost, others.cost if others and enough else None)
