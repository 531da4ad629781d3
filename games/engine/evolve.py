"""Copies of frozen values with some fields changed, at a tenth of the cost of `replace`.

A move makes about six such copies of `State` and `Hand`; by way of ``__init__`` they were two
thirds of its time. Names and types of the fields are checked as for `dataclasses.replace`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import replace as evolve
else:

    def evolve(value, **changes):
        """Return a copy of ``value``, a frozen dataclass without slots, with ``changes``.

        ``__post_init__`` is not run: it is for values that need no checks of their own.
        """
        copy = object.__new__(type(value))
        copy.__dict__.update(value.__dict__, **changes)
        return copy


__all__ = ["evolve"]
