"""Ratings of the levels, measured by playing standard games against each other.

``python -m benchmarks.ratings.ladder`` makes these tables. The unit is the site's Elo (13.7 a point
of margin with two seats, 20.5 with three); the zero is a convention, since no people took part:
`ANCHOR` has `ANCHORED`.
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
        version: the player's version; with as many seats it plays as when it was measured.
    """

    elo: int
    error: int
    version: int


RATINGS = {
    2: {
        "poppy": Rating(1289, 10, version=4),
        "elsie": Rating(1341, 11, version=5),
        "alfie": Rating(1393, 11, version=6),
        "nora": Rating(1447, 8, version=4),
        "walter": Rating(1500, 0, version=4),
        "grace": Rating(1554, 9, version=5),
        "ada": Rating(1610, 10, version=11),
    },
    3: {
        "poppy": Rating(1269, 11, version=4),
        "elsie": Rating(1331, 8, version=5),
        "alfie": Rating(1392, 10, version=6),
        "nora": Rating(1449, 12, version=4),
        "walter": Rating(1500, 0, version=4),
        "grace": Rating(1557, 8, version=5),
        "ada": Rating(1617, 9, version=11),
    },
}
"""Number of seats -> name of the level -> its rating."""
