"""Chips: links above a list that set or clear one of its filters."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter link: text, query string, and whether it is active."""

    text: str
    query: str
    chosen: bool
