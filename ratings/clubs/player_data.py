"""A player's ratings for the API, and their attempts and clubs for the data export."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ratings.clubs import club_pages, league_titles, news, night_results
from ratings.models import Attempt, Rating, Record
from ratings.standard.access import hands_reached


def ratings_of(player: int) -> list[dict[str, Any]]:
    """Return a player's ratings and RD (Elo) and ranked wins and losses, by number of seats."""
    records = {record.seats: record for record in Record.objects.filter(player_id=player)}
    return [
        {
            "seats": row.seats,
            "rating": round(row.rating, 1),
            "rd": round(row.rd, 1),
            "provisional": row.provisional,
            "results": row.results,
            "updated_at": row.updated_at,
            "won": records[row.seats].won if row.seats in records else 0,
            "lost": records[row.seats].lost if row.seats in records else 0,
        }
        for row in Rating.objects.filter(player_id=player).order_by("seats")
    ]


def export_of(player: int) -> Mapping[str, Iterable[Mapping[str, Any]]]:
    """Return a player's attempts at standard games, as far as they got in each, and their clubs."""
    return {
        "standard_games": _attempts(player),
        "clubs": club_pages.export_of(player),
        "club_news": news.export_of(player),
        "club_nights": night_results.export_of(player),
        "club_titles": league_titles.export_of(player),
    }


def _attempts(player: int) -> Iterator[dict[str, Any]]:
    rows = Attempt.objects.filter(
        player_id=player, computer=False, play__finished_at__isnull=False
    ).select_related("play__match")
    for row in rows.order_by("pk").iterator(500):
        yield {
            "standard_game": row.standard_game_id,
            "match": row.play.match.public_id if row.play.match else None,
            "kind": row.play.kind,
            "exclusion": row.play.exclusion,
            "finished_at": row.play.finished_at,
            "seat": row.seat,
            "first": row.first,
            "score": row.score,
            "margin": row.margin,
            "counted": row.counted,
            "won": row.won,
            "ended": row.ended,
            "hands": row.hands[: hands_reached(row)],
        }
