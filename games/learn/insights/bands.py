"""Rating bands: the coarse strength of players by which insights compare."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise

from games import hooks

UNRATED = 0
"""The band of players without a rating, or with a provisional one."""

BOUNDS = (1400, 1500, 1600)
"""The ratings (Elo) at which bands 2, 3 and 4 begin; band 1 lies below."""

BANDS = range(len(BOUNDS) + 2)


def limits(band: int) -> tuple[int | None, int | None]:
    """Return the first and the last rating of a band; None for an open end or the unrated."""
    ends = [(None, None), *pairwise((None, *BOUNDS, None))]
    first, above = ends[band]
    return first, None if above is None else above - 1


def band_of_rating(rating: float | None) -> int:
    """Return the band of a rating in Elo; that of the unrated for None."""
    return UNRATED if rating is None else 1 + sum(rating >= bound for bound in BOUNDS)


def ratings_of(players: Collection[int], seats: int) -> dict[int, float | None]:
    """Return the settled ratings of players, by primary key, at a number of seats."""
    return {player: _settled(hooks.ratings(player), seats) for player in players}


def band_of_opponents(ratings: Mapping[int, float | None], player: int) -> int:
    """Return the band of the mean rating of all others; unrated if one of them is."""
    others = [rating for key, rating in ratings.items() if key != player]
    known = [rating for rating in others if rating is not None]
    if not known or len(known) < len(others):
        return UNRATED
    return band_of_rating(sum(known) / len(known))


def _settled(rows: list[dict[str, object]], seats: int) -> float | None:
    for row in rows:
        if row["seats"] == seats and not row["provisional"]:
            return float(str(row["rating"]))
    return None
