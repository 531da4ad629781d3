"""Measured figures, as the benchmarks print them and `benchmarks.newest` reads them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A measured number with its unit and its goal, at least or at most."""

    name: str
    value: float
    unit: str
    at_least: float | None = None
    at_most: float | None = None

    def __str__(self) -> str:
        """Format the figure as a line."""
        line = f"{self.name:66} {self.value:10,.2f} {self.unit:8}"
        if self.at_least is not None:
            verdict = "met" if self.value >= self.at_least else "MISSED"
            return f"{line} {verdict}: at least {self.at_least:,.1f}"
        if self.at_most is not None:
            verdict = "met" if self.value <= self.at_most else "MISSED"
            return f"{line} {verdict}: at most {self.at_most:,g}"
        return line.rstrip()
