"""Fragments on the pages of games: a player's titles in tournaments, leagues and seasons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.api import player_of
from ratings.clubs import league_titles
from ratings.events import event_lists
from ratings.seasons import season_lists
from ratings.team_leagues import sheets


def player_titles(page: Mapping[str, Any]) -> SafeString:
    """Render the titles that a player has won; empty without any."""
    viewer = player_of(page["request"])
    context = {
        "titles": event_lists.titles_of(player=page["shown"], viewer=viewer),
        "seasons": season_lists.titles_of(player=page["shown"]),
        "leagues": league_titles.titles_of(player=page["shown"], viewer=viewer),
        "teams": sheets.titles_of(page["shown"]),
    }
    return render_to_string("ratings/events/_titles.html", context)
