"""Titles of club leagues: given when a league closes, shown on the profile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q

from games.api import Player
from ratings.clubs.league_scores import scores
from ratings.clubs.league_scoring import standings
from ratings.models import ClubLeague, LeagueTitle, Membership
from ratings.seasons.scoring import medals

SHOWN = 30
"""Maximum number of titles of one list."""


def give(*, league: ClubLeague) -> None:
    """Store the titles of a league that has just closed, under its lock.

    First place gets one, with four players also second, and with eight also third; equal totals
    share a place. Banned players and deleted accounts have none.
    """
    totals = standings(scores([league])[league.pk], best=league.best)
    places = {each.player: each.place for each in totals if each.place <= medals(len(totals))}
    kinds = [Player.Kind.COMPUTER, Player.Kind.DELETED]
    titled = Player.objects.filter(pk__in=places, is_active=True).exclude(kind__in=kinds)
    LeagueTitle.objects.bulk_create(
        LeagueTitle(league=league, player=player, place=places[player.pk]) for player in titled
    )


def titles_of(*, player: Player, viewer: Player | None) -> Sequence[LeagueTitle]:
    """Return a player's titles, newest first, with their leagues.

    Like the club's other pages, titles are for its members; the holder sees them too. ``in_club``
    says whether the viewer is a member, who may open the league's page.
    """
    members = Membership.objects.filter(club=OuterRef("league__club"), player=viewer)
    rows = LeagueTitle.objects.filter(player=player).annotate(in_club=Exists(members))
    seen = rows.filter(Q(in_club=True) | Q(player=viewer))
    return list(seen.select_related("league__club").order_by("-league__over_at", "-pk")[:SHOWN])


def merge(*, guest: int, account: int) -> None:
    """Move a guest's titles to the account that they log in to; both by primary key.

    Of two places in the same league, the better one is kept.
    """
    own = {row.league_id: row for row in LeagueTitle.objects.filter(player_id=account)}
    for row in LeagueTitle.objects.filter(player_id=guest):
        known = own.get(row.league_id)
        if known is None:
            row.player_id = account
            row.save(update_fields=["player"])
            continue
        known.place = min(known.place, row.place)
        known.save(update_fields=["place"])
        row.delete()


def export_of(player: int) -> Iterator[dict[str, Any]]:
    """Return a player's titles for the data export."""
    rows = LeagueTitle.objects.filter(player_id=player).select_related("league__club")
    for row in rows.order_by("pk"):
        yield {
            "club": row.league.club.name,
            "league": row.league.title,
            "over_at": row.league.over_at,
            "place": row.place,
        }
