"""Consent: whether others may be dealt the cards of a match, and how its players appear there.

A match among people may become a standard game, whose cards others are then dealt. For a private
match the strictest of these decides: the choice at its table, and the settings of its players.
Settings are read when a page is shown, so that earlier matches follow them.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.engine.state import Ruleset
from games.models import Match, Player

Sharing = Player.Sharing
FULL_GAME = 121

_STRICTEST_FIRST = (Sharing.NEVER, Sharing.GUEST, Sharing.NAMED)


def people_of(match: Match) -> list[Player]:
    """Return the people who took a seat; the match has its seats and their players fetched."""
    rows = match.seats.all()
    return [row.player for row in rows if row.player is not None and not row.computer]


def is_private(match: Match) -> bool:
    """Whether a match needs consent: it was by invitation, and neither listed nor ranked."""
    return not (match.listed or match.ranked)


def sharing_of(match: Match, people: Iterable[Player]) -> str:
    """Return how much of a match may be shared at most, if these people take part in it."""
    if not is_private(match):
        return Sharing.NAMED
    return strictest([match.sharing, *(player.sharing for player in people)])


def shows_name(match: Match, player: Player) -> bool:
    """Whether others who are dealt the cards of a match see this player's name."""
    return sharing_of(match, [player]) == Sharing.NAMED


def may_become_standard(match: Match, rules: Ruleset) -> bool:
    """Whether a match is of the kind whose cards others may be dealt, if people play it."""
    usual = (rules.games, rules.target, rules.counting, rules.muggins) == (
        1,
        FULL_GAME,
        "auto",
        False,
    )
    again = match.is_branch or match.duplicate_of_id is not None
    return usual and not (match.imported or match.watchable or match.ranked or again)


def strictest(choices: Iterable[str]) -> str:
    """Return the strictest of some choices."""
    return min(choices, key=lambda one: _STRICTEST_FIRST.index(Sharing(one)))
