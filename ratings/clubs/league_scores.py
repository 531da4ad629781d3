"""Selector of what each player achieved in the nights of club leagues."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ratings.clubs.league_scoring import NightScore
from ratings.models import ClubLeague, NightResult


def scores(leagues: Sequence[ClubLeague]) -> dict[int, dict[int, list[NightScore]]]:
    """Return the scores of each player in each league, by primary keys, in the order of nights."""
    found: dict[int, dict[int, list[NightScore]]] = {
        league.pk: defaultdict(list) for league in leagues
    }
    # Only what is needed: leagues of some years have thousands of results.
    for league, player, night, points, won, spread in (
        NightResult.objects.filter(entrant__night__league__in=leagues)
        .order_by("entrant__night__starts_at", "pk")
        .values_list(
            "entrant__night__league_id", "entrant__player_id",
            "entrant__night_id", "points", "won", "spread",
        )
    ):  # fmt: skip
        found[league][player].append(NightScore(night, points, won, spread))
    return found
