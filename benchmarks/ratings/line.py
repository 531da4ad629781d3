"""One line of the table that the goals are printed as."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """What was wanted and what was got; without `wanted` it is told beside the goals."""

    goal: str
    what: str
    wanted: str
    got: str
    met: bool
