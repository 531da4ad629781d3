"""A player's averages, compared with the value of their cards and with the field; and their luck.

`games.analysis.deal_values` defines the value of cards and the measure of luck.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from django.core.cache import cache
from django.db.models import Sum

from games.models import Player, Tally

CERTAIN = 1.96
"""Standard deviations of a normal distribution that contain 95% of cases."""
FIELD_KEPT_S = 600
"""Seconds for which the field's sums are cached: they change slowly and are expensive."""

_SUMS = (
    *("deals", "starters", "plays"),
    *("hands", "worth_hands", "cribs", "worth_cribs", "pegging", "worth_pegging"),
)

_VARIANCES = {"starter_variance": "hand", "crib_variance": "crib"}
"""Column of a variance -> the item whose points have it."""

Sums = dict[str, float]


@dataclass(frozen=True, slots=True)
class Average:
    """The average of one item in one role, in points per deal; None without data.

    Attributes:
        item: "hand", "crib" or "pegging".
        dealer: True as dealer, False as pone (with three seats, in either other role).
        deals: number of deals in the average.
        own: points that the player made.
        worth: value of the player's cards after the best discard.
        field: points that all players of the site made.
        field_worth: value of all players' cards.
        band: by the luck of the starter alone, 95 in 100 averages differ from the value of the same
            cards by at most this; None for pegging, whose luck has no exact measure.
    """

    item: str
    dealer: bool
    deals: int
    own: float | None
    worth: float | None
    field: float | None
    field_worth: float | None
    band: float | None = None

    @property
    def difference(self) -> float | None:
        """Points made beyond the value of the cards."""
        return None if self.own is None or self.worth is None else self.own - self.worth

    @property
    def field_difference(self) -> float | None:
        """The same for all players of the site."""
        if self.field is None or self.field_worth is None:
            return None
        return self.field - self.field_worth


@dataclass(frozen=True, slots=True)
class LuckSummary:
    """One kind of luck: points per deal above the exact expectation.

    Attributes:
        kind: "deals", "starters" or "cribs".
        number: number of chance events.
        mean: points above the expectation per event.
        band: by chance alone, 95 in 100 players have a mean within plus or minus this.
        total: total points above the expectation.
    """

    kind: str
    number: int
    mean: float
    band: float
    total: float

    @property
    def is_within(self) -> bool:
        """Whether the mean is within the band expected by chance."""
        return abs(self.mean) <= self.band


def averages(*, player: Player, seats: int) -> list[Average]:
    """Return a player's averages at tables with this number of seats, as pone first."""
    rows = {row.dealer: row for row in Tally.objects.filter(player=player, seats=seats)}
    field = field_sums()
    found = []
    for dealer in (False, True):
        row = rows.get(dealer)
        if row is None or not row.deals:
            continue
        own = {name: float(getattr(row, name)) for name in (*_SUMS, *_VARIANCES)}
        found += _averages(own, field.get((seats, dealer), {}), dealer=dealer)
    return found


def luck_summaries(*, player: Player) -> list[LuckSummary]:
    """Return a player's luck with cards dealt, starters and cribs."""
    rows = list(Tally.objects.filter(player=player))
    dealt = [row for row in rows if row.dealer]
    return [
        *_luck_summary("deals", ((row.deals, row.deal_luck, row.deal_variance) for row in rows)),
        *_luck_summary(
            "starters", ((row.starters, row.starter_luck, row.starter_variance) for row in rows)
        ),
        *_luck_summary(
            "cribs", ((row.starters, row.crib_luck, row.crib_variance) for row in dealt)
        ),
    ]


def field_sums() -> dict[tuple[int, bool], Sums]:
    """Return the sums over all people's deals, by number of seats and whether they dealt."""
    found: dict[tuple[int, bool], Sums] | None = cache.get("history:field")
    if found is None:
        groups = Tally.objects.values("seats", "dealer").annotate(
            **{f"all_{name}": Sum(name) for name in _SUMS}
        )
        found = {
            (group["seats"], group["dealer"]): {name: float(group[f"all_{name}"]) for name in _SUMS}
            for group in groups.order_by()
        }
        cache.set("history:field", found, FIELD_KEPT_S)
    return found


def _averages(own: Sums, field: Sums, *, dealer: bool) -> list[Average]:
    items = [("hand", "hands", "worth_hands", "starters")]
    if dealer:
        items.append(("crib", "cribs", "worth_cribs", "starters"))
    items.append(("pegging", "pegging", "worth_pegging", "plays"))
    return [
        Average(
            item=item,
            dealer=dealer,
            deals=int(own[number]),
            own=_mean(own, points, number),
            worth=_mean(own, worth, number),
            field=_mean(field, points, number),
            field_worth=_mean(field, worth, number),
            band=_band(own, item, number),
        )
        for item, points, worth, number in items
    ]


def _band(own: Sums, item: str, number: str) -> float | None:
    for variance, of_item in _VARIANCES.items():
        if of_item == item and own[number]:
            return CERTAIN * sqrt(own[variance]) / own[number]
    return None


def _mean(sums: Sums, points: str, number: str) -> float | None:
    return sums[points] / sums[number] if sums.get(number) else None


def _luck_summary(kind: str, parts: Iterable[tuple[int, float, float]]) -> list[LuckSummary]:
    """Return one kind of luck as a list, which is empty without chance events."""
    number, luck, variance = 0, 0.0, 0.0
    for each, points, spread in parts:
        number, luck, variance = number + each, luck + points, variance + spread
    if not number:
        return []
    return [LuckSummary(kind, number, luck / number, CERTAIN * sqrt(variance) / number, luck)]
