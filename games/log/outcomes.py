"""Counts of finished matches by kind and result (`games.models.Outcome`).

They are updated in the transaction that writes the seats' results, so that totals match the lists.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from django.db.models import F

from games.models import Outcome, statements

_KEYS = ("player_id", "kind", "places", "computers", "bot", "result", "given", "taken")
_SUMS = ("matches", "skunks", "skunked", "margins", "margin")


class Opponent(Protocol):
    """A player, as far as outcomes tell them apart: see `games.models.Player`."""

    @property
    def is_computer(self) -> bool: ...  # noqa: D102
    @property
    def owner_id(self) -> int | None: ...  # noqa: D102
    @property
    def bot(self) -> str: ...  # noqa: D102


class Finished(Protocol):
    """A seat of a finished match, with the columns that are counted: see `games.models.Seat`."""

    @property
    def player(self) -> Opponent | None: ...  # noqa: D102
    @property
    def player_id(self) -> int | None: ...  # noqa: D102
    @property
    def opponent(self) -> Opponent | None: ...  # noqa: D102
    @property
    def kind(self) -> int | None: ...  # noqa: D102
    @property
    def places(self) -> int | None: ...  # noqa: D102
    @property
    def computers(self) -> int | None: ...  # noqa: D102
    @property
    def won(self) -> bool | None: ...  # noqa: D102
    @property
    def skunks(self) -> int: ...  # noqa: D102
    @property
    def skunked(self) -> int: ...  # noqa: D102
    @property
    def margin(self) -> float | None: ...  # noqa: D102


def count(seats: Iterable[Finished], *, player: int | None = None, sign: int = 1) -> None:
    """Add finished seats to their players' outcomes, or subtract them.

    Args:
        seats: with players and opponents fetched; computers' seats are not counted.
        player: primary key of the player to count for instead of the seats' own.
        sign: 1 to add, -1 to subtract.
    """
    found: dict[tuple[Any, ...], dict[str, float]] = {}
    for seat in seats:
        if seat.player is None or seat.player.is_computer or seat.kind is None:
            continue
        key = (player or seat.player_id, *_key(seat))
        sums = found.setdefault(key, dict.fromkeys(_SUMS, 0))
        for name, value in _values(seat).items():
            sums[name] += value
    # In one order, so that two processes never wait for each other.
    rows = [dict(zip(_KEYS, key, strict=True)) | found[key] for key in sorted(found)]
    if sign > 0 and rows:
        statements.add(Outcome._meta.db_table, rows, keys=_KEYS)  # noqa: SLF001
    for row in rows if sign < 0 else ():
        changes = {name: F(name) - row.pop(name) for name in _SUMS}
        Outcome.objects.filter(**row).update(**changes)


def _key(seat: Finished) -> tuple[Any, ...]:
    alone = seat.places == 2 and seat.computers == 1
    bot = _bot(seat.opponent) if alone else ""
    results = Outcome.Result
    result = results.NEITHER if seat.won is None else results.WON if seat.won else results.LOST
    return (
        *(seat.kind, seat.places, seat.computers),
        *(bot, int(result), seat.skunks > 0, seat.skunked > 0),
    )


def _bot(opponent: Opponent | None) -> str:
    """Return the name of one of the site's own computers; "" for people and their programs."""
    if opponent is None or not opponent.is_computer or opponent.owner_id is not None:
        return ""
    return opponent.bot


def _values(seat: Finished) -> dict[str, float]:
    return {
        "matches": 1,
        "skunks": seat.skunks,
        "skunked": seat.skunked,
        "margins": int(seat.margin is not None),
        "margin": seat.margin or 0.0,
    }
