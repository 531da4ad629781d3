"""What a player's deals brought on average, beside what the cards were worth and beside the field.

And his luck: `games.analysis.dealt` says what it is measured against.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from django.core.cache import cache
from django.db.models import Sum

from games.models import Player, Tally

CERTAIN = 1.96
"""Standard deviations of a normal distribution that hold 95 of 100 cases."""
FIELD_KEPT_S = 600
"""Seconds for which the field's sums are kept: they move slowly, and adding up takes a while."""

_SUMS = (
    *("deals", "starters", "plays"),
    *("hands", "worth_hands", "cribs", "worth_cribs", "pegging", "worth_pegging"),
)

Sums = dict[str, float]


@dataclass(frozen=True, slots=True)
class Average:
    """One item of the deals in one role, in points a deal; None where nothing was counted.

    Attributes:
        item: "hand", "crib" or "pegging".
        dealer: whether as dealer or as pone (with three seats: not as dealer).
        deals: how many it is the average of.
        own: what the player made.
        worth: what his cards were worth, thrown best.
        field: what everybody on the site makes.
        field_worth: what everybody's cards were worth.
    """

    item: str
    dealer: bool
    deals: int
    own: float | None
    worth: float | None
    field: float | None
    field_worth: float | None

    @property
    def difference(self) -> float | None:
        """Points made beyond what the cards were worth."""
        return None if self.own is None or self.worth is None else self.own - self.worth


@dataclass(frozen=True, slots=True)
class Fortune:
    """One kind of luck: points a deal beyond the exact expectation.

    Attributes:
        kind: "deals", "starters" or "cribs".
        number: how many pieces of chance it is made of.
        mean: points each beyond the expectation, own less expected.
        band: chance alone keeps the mean of 95 in 100 players within plus or minus this.
        total: points in all.
    """

    kind: str
    number: int
    mean: float
    band: float
    total: float

    @property
    def is_within(self) -> bool:
        """Whether it is what chance alone would do to most."""
        return abs(self.mean) <= self.band


def averages(*, player: Player, seats: int) -> list[Average]:
    """Return the averages of a player's deals at tables of so many seats, pone's first."""
    rows = {row.dealer: row for row in Tally.objects.filter(player=player, seats=seats)}
    everybody = field_sums()
    found = []
    for dealer in (False, True):
        row = rows.get(dealer)
        if row is None or not row.deals:
            continue
        own = {name: float(getattr(row, name)) for name in _SUMS}
        found += _averages(own, everybody.get((seats, dealer), {}), dealer=dealer)
    return found


def fortunes(*, player: Player) -> list[Fortune]:
    """Return a player's luck with the cards dealt, with starters and with his cribs."""
    rows = list(Tally.objects.filter(player=player))
    dealt = [row for row in rows if row.dealer]
    return [
        *_fortune("deals", ((row.deals, row.deal_luck, row.deal_variance) for row in rows)),
        *_fortune(
            "starters", ((row.starters, row.starter_luck, row.starter_variance) for row in rows)
        ),
        *_fortune("cribs", ((row.starters, row.crib_luck, row.crib_variance) for row in dealt)),
    ]


def field_sums() -> dict[tuple[int, bool], Sums]:
    """Return what all people's deals add up to, by number of seats and whether they dealt."""
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
        )
        for item, points, worth, number in items
    ]


def _mean(sums: Sums, points: str, number: str) -> float | None:
    return sums[points] / sums[number] if sums.get(number) else None


def _fortune(kind: str, parts: Iterable[tuple[int, float, float]]) -> list[Fortune]:
    """Return one kind of luck as a list, empty where there was no such chance."""
    number, luck, variance = 0, 0.0, 0.0
    for each, points, spread in parts:
        number, luck, variance = number + each, luck + points, variance + spread
    if not number:
        return []
    return [Fortune(kind, number, luck / number, CERTAIN * sqrt(variance) / number, luck)]
