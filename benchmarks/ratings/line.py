"""A line of the table of goals."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A goal and its result; without `wanted` it is informative only."""

    goal: str
    what: str
    wanted: str
    got: str
    met: bool
