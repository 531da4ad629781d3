"""Records of a club, from the stored results of its nights."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from games.api import Player
from ratings.models import Club, NightResult

LEAST_GAMES = 9
"""Number of games on club nights from which an average counts."""


@dataclass(frozen=True, slots=True)
class ClubRecord:
    """A record: its kind (as in `records`), everyone who holds it, and its value."""

    kind: str
    holders: tuple[Player, ...]
    value: float


class _Row(NamedTuple):
    """The fields of a `NightResult` that records need."""

    place: int
    points: int
    played: int
    form: str
    best_hand: int


def records(*, club: Club) -> list[ClubRecord]:
    """Return the records of a club's nights, in two queries; none before the first night is over.

    The kinds are nights (won), night (most game points), average (game points a game, from
    `LEAST_GAMES` games on), streak (games won in a row) and hand (points counted in one).
    """
    # Only what is needed: a club of some years has thousands of results.
    by_player: dict[int, list[_Row]] = defaultdict(list)
    for player, place, points, played, form, best_hand in (
        NightResult.objects.filter(entrant__night__club=club)
        .order_by("entrant__night__starts_at", "pk")
        .values_list("entrant__player_id", "place", "points", "played", "form", "best_hand")
        .iterator()
    ):
        by_player[player].append(_Row(place, points, played, form, best_hand))
    values: dict[str, dict[int, float]] = defaultdict(dict)
    for key, own in by_player.items():
        games = sum(row.played for row in own)
        values["nights"][key] = sum(row.place == 1 for row in own)
        values["night"][key] = max(row.points for row in own)
        if games >= LEAST_GAMES:
            values["average"][key] = sum(row.points for row in own) / games
        values["streak"][key] = _streak("".join(row.form for row in own))
        values["hand"][key] = max(row.best_hand for row in own)
    most = {kind: max(held.values()) for kind, held in values.items()}
    holders = {
        kind: [key for key, value in held.items() if value == most[kind]]
        for kind, held in values.items()
    }
    players = Player.objects.in_bulk({key for keys in holders.values() for key in keys})
    return [
        ClubRecord(kind, tuple(players[key] for key in holders[kind]), most[kind])
        for kind in ("nights", "night", "average", "streak", "hand")
        if most.get(kind, 0) > 0
    ]


def _streak(form: Iterable[str]) -> int:
    """Return the most games won in a row, over all nights."""
    return max((len(list(run)) for letter, run in groupby(form) if letter == "W"), default=0)
