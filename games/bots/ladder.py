"""Ratings of the levels, measured by playing standard games against each other (two seats).

``python -m benchmarks.ratings.ladder`` makes this table. The unit is the site's Elo (13.7 a point
of margin); the zero is a convention, since no people took part: `ANCHOR` has `ANCHORED`.
"""

from __future__ import annotations

from dataclasses import dataclass

ANCHOR = "walter"
"""The level whose rating is fixed."""
ANCHORED = 1500
"""Its rating: that of a newcomer to the site."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A level's measured rating.

    Attributes:
        elo: the rating.
        error: half of the 95% interval of the difference to the anchor, in Elo.
        version: the player's version; with two seats it plays as when it was measured.
    """

    elo: int
    error: int
    version: int


RATINGS = {
    "poppy": Rating(1332, 16, version=3),
    "elsie": Rating(1387, 14, version=3),
    "alfie": Rating(1433, 10, version=3),
    "nora": Rating(1472, 14, version=1),
    "walter": Rating(1500, 0, version=1),
    "grace": Rating(1526, 14, version=2),
    "ada": Rating(1538, 12, version=5),
}
"""Name of the level -> its rating."""
