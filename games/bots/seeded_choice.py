"""Deterministic pseudo-random numbers, seeded by the view."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.engine.view import View

MASK = (1 << 64) - 1


def _mix(value: int, more: int) -> int:
    value = (value ^ (more + 0x9E3779B97F4A7C15)) & MASK
    value = ((value ^ value >> 30) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ value >> 27) * 0x94D049BB133111EB) & MASK
    return value ^ value >> 31


def _known(view: View) -> Iterable[int]:
    yield from view.dealt
    yield 64
    yield from view.scores
    yield 128
    for seat, card in view.plays:
        yield 64 * seat + card
    yield 256 if view.starter is None else view.starter


def seeded_fraction(view: View, *salt: int) -> float:
    """Return a pseudo-random number in [0, 1) that depends on the view and ``salt`` only."""
    value = 0
    for item in (*_known(view), 512, *salt):
        value = _mix(value, item)
    return value / (MASK + 1)
