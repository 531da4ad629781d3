"""A player's ratings, for pages of the games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import template

from games.api import Player
from ratings.selectors import standings
from ratings.selectors.standings import Moment, Profile
from ratings.views import charts

register = template.Library()

SEATS = (2, 3)
SHOWN = 40
"""Moments in the table behind a chart."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating with so many seats, its history as a picture and as a table."""

    profile: Profile
    chart: charts.Chart | None
    table: tuple[Moment, ...]


@register.inclusion_tag("ratings/_standing.html")
def ratings_of(player: Player) -> dict[str, Any]:
    """Show a player's ratings with their history; nothing where he has none."""
    found = [standings.profile(player=player, seats=seats) for seats in SEATS]
    return {
        "player": player,
        "standings": [
            Standing(each, charts.chart(each.history), each.history[::-1][:SHOWN])
            for each in found
            if each.rating is not None
        ],
    }
