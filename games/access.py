"""Who may see what of a match: the one place that decides, for pages, files and frames alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games import hooks
from games.models import Match, Player, Seat

ALL_HANDS = 10_000
"""More hands than any match has: nothing is held back."""


def seat_of(match: Match, viewer: Player | None) -> int | None:
    """Return the seat that ``viewer`` took at ``match``, or None."""
    row = _row_of(match, viewer)
    return None if row is None else row.seat


def may_see(match: Match, viewer: Player | None) -> bool:
    """Whether ``viewer`` may see a match at all.

    Those who sit there may; others while it can be watched, and when it is over as the players
    allow. Who has played the same standard game to its end could have watched it as well as
    anybody, for he knows the cards; who may still play it sees nothing of it. An imported match is
    its importer's alone, a branch its player's, and one with the deals of an earlier one its
    players': those deals may be a standard game that is open.
    """
    if _row_of(match, viewer) is not None:
        return True
    if match.duplicate_of_id is not None:
        return False
    if match.imported or match.branch_of_id is not None:
        return _is_creator(match, viewer)
    if match.status == Match.Status.FINISHED:
        who = None if viewer is None else viewer.pk
        return _shown_to_others(match, who) and hooks.hands_reached(match.pk, who) != 0
    return match.watchable


def shown_to_players_of_it(match: Match) -> bool:
    """Whether a finished match on a standard game is shown to who has played the same game.

    One of those who sat there may wish that nobody else sees it.
    """
    return Player.Replays.NOBODY not in {player.replays for player in _people(match.seats.all())}


def may_replay(match: Match, viewer: Player | None) -> bool:
    """Whether ``viewer`` may see every card of a match; see `hands_shown` for some of them."""
    return hands_shown(match, viewer) >= ALL_HANDS


def hands_shown(match: Match, viewer: Player | None) -> int:
    """Return how many hands of a match, from the first on, ``viewer`` may see with all cards.

    `ALL_HANDS` where nothing is held back, 0 where he may see none. Others than those who sat
    there see of a standard game that is open only as many hands as they have played themselves;
    who left a ranked match sees none of it until its cards are public.
    """
    if match.status != Match.Status.FINISHED or not may_see(match, viewer):
        return 0
    own = _row_of(match, viewer)
    if own is not None and own.left_at is None:
        return ALL_HANDS
    if match.imported or match.branch_of_id is not None:
        return ALL_HANDS
    reached = hooks.hands_reached(match.pk, None if viewer is None else viewer.pk)
    if own is not None:
        return ALL_HANDS if reached is None else 0
    return ALL_HANDS if reached is None else reached


def listed(matches: Sequence[Match], viewer: Player | None, *, cards: bool = False) -> list[Match]:
    """Return those matches that a list may show to ``viewer``; one question for all of them.

    As `may_see`, but for others' matches on a standard game that is open, which no list shows.

    Args:
        matches: with their seats and players fetched.
        viewer: who reads it.
        cards: whether the list shows cards; see `may_replay`.
    """
    secret = hooks.secret_matches([match.pk for match in matches])
    return [
        match for match in matches if _is_listed(match, viewer, match.pk in secret, cards=cards)
    ]


def _is_listed(match: Match, viewer: Player | None, secret: bool, *, cards: bool) -> bool:
    own = _row_of(match, viewer)
    over = match.status == Match.Status.FINISHED
    if cards and (not over or (secret and own is not None and own.left_at is not None)):
        return False
    if own is not None:
        return True
    if match.duplicate_of_id is not None:
        return False
    if match.imported or match.branch_of_id is not None:
        return _is_creator(match, viewer)
    if not over:
        return match.watchable
    wishes = {player.replays for player in _people(match.seats.all())}
    willing = match.watchable or wishes <= {Player.Replays.EVERYBODY}
    return willing and Player.Replays.NOBODY not in wishes and not secret


def _row_of(match: Match, viewer: Player | None) -> Seat | None:
    if viewer is None or viewer.pk is None:
        return None
    for row in match.seats.all():
        if row.player_id == viewer.pk and not row.computer:
            return row
    return None


def _is_creator(match: Match, viewer: Player | None) -> bool:
    return viewer is not None and match.created_by_id == viewer.pk


def _shown_to_others(match: Match, viewer: int | None) -> bool:
    """Whether those who sat there show a finished match to another."""
    if not shown_to_players_of_it(match):
        return False
    wishes = {player.replays for player in _people(match.seats.all())}
    if match.watchable or wishes <= {Player.Replays.EVERYBODY}:
        return True
    return viewer is not None and bool(hooks.same_cards([match.pk], viewer))


def _people(seats: Iterable[Seat]) -> list[Player]:
    return [row.player for row in seats if row.player is not None and not row.computer]
