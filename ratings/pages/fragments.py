"""Fragments that ratings add to the pages of games: see `games.hooks.on_fragment`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from ratings.pages import charts
from ratings.rating import standings
from ratings.rating.standings import Profile, RatingPoint

SEATS = (2, 3)
TABLE_ROWS = 40
"""Rows of the table behind a chart."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating at one number of seats, with its history as a chart and as a table."""

    profile: Profile
    chart: SafeString
    table: tuple[RatingPoint, ...]


def table_commitment(page: Mapping[str, Any]) -> SafeString:
    """Render the commitment to the cards for the script of a table; empty for other matches."""
    match = page["match"]
    if match.decks_id is None and match.finished_at is None:
        return SafeString("")  # one with random cards becomes a standard game only after its end
    return render_to_string("ratings/standard/_committed.html", {"match": match})


def match_links(page: Mapping[str, Any]) -> SafeString:
    """Render a match's links to its club night and standard game, for those who played in it."""
    context = {"match": page["match"], "detail": page["detail"]}
    return render_to_string("ratings/standard/_match.html", context)


def player_styles(_page: Mapping[str, Any]) -> SafeString:
    """Render the link to the style sheet that `player_ratings` needs."""
    return render_to_string("ratings/rating/_styles.html")


def player_ratings(page: Mapping[str, Any]) -> SafeString:
    """Render a player's ratings with their history; empty for a player without ratings."""
    player = page["shown"]
    profiles = [standings.profile(player=player, seats=seats) for seats in SEATS]
    context = {
        "player": player,
        "standings": [
            Standing(each, charts.rating_line(each.history), each.history[::-1][:TABLE_ROWS])
            for each in profiles
            if each.rating is not None
        ],
    }
    return render_to_string("ratings/rating/_standing.html", context)
