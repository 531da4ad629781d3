"""Records of a club, from the stored results of its nights."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from games.api import Player
from ratings.models import Club, NightResult

LEAST_GAMES = 9
"""Games on club nights from which an average counts."""


@dataclass(frozen=True, slots=True)
class ClubRecord:
    """A record: its kind (as in `records`), everyone who holds it, and its value."""

    kind: str
    holders: tuple[Player, ...]
    value: float


def records(*, club: Club) -> list[ClubRecord]:
    """Return the records of a club's nights, in one query; none before the first night is over.

    The kinds are nights (won), night (most game points), average (game points a game, from
    `LEAST_GAMES` games on), streak (games won in a row) and hand (points counted in one).
    """
    rows = list(
        NightResult.objects.filter(entrant__night__club=club)
        .select_related("entrant__player")
        .order_by("entrant__night__starts_at", "pk")
    )
    by_player: dict[int, list[NightResult]] = defaultdict(list)
    for row in rows:
        by_player[row.entrant.player_id].append(row)
    players = {row.entrant.player_id: row.entrant.player for row in rows}
    values: dict[str, dict[int, float]] = defaultdict(dict)
    for key, own in by_player.items():
        games = sum(row.played for row in own)
        values["nights"][key] = sum(row.place == 1 for row in own)
        values["night"][key] = max(row.points for row in own)
        if games >= LEAST_GAMES:
            values["average"][key] = sum(row.points for row in own) / games
        values["streak"][key] = _streak("".join(row.form for row in own))
        values["hand"][key] = max(row.best_hand for row in own)
    kinds = ("nights", "night", "average", "streak", "hand")
    return [
        ClubRecord(kind, tuple(players[key] for key in held if held[key] == most), most)
        for kind in kinds
        if (held := values[kind]) and (most := max(held.values())) > 0
    ]


def _streak(form: Iterable[str]) -> int:
    """Return the most games won in a row, over all nights."""
    return max((len(list(run)) for letter, run in groupby(form) if letter == "W"), default=0)
