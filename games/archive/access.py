"""Access rules: what each viewer may see of a match, on pages, in files and in replays."""

from __future__ import annotations

from collections.abc import Sequence

from games import hooks
from games.archive import sharing
from games.models import Match, Player, Seat

ALL_HANDS = 10_000
"""More hands than any match has: no hand is hidden."""


def seat_of(match: Match, viewer: Player | None) -> int | None:
    """Return the seat that ``viewer`` took at ``match``, or None."""
    row = _seat_row(match, viewer)
    return None if row is None else row.seat


def may_see(match: Match, viewer: Player | None) -> bool:
    """Return whether ``viewer`` may see a match at all.

    Its players may. Others may while it is watchable, and afterwards if the players allow it.
    Viewers who have finished the same standard game know the cards and are treated like watchers;
    viewers who can still play it see nothing. An imported match is visible to its importer only, a
    branch to its player, and a duplicate to its players, since its deals may belong to an open
    standard game.
    """
    if _seat_row(match, viewer) is not None:
        return True
    if match.duplicate_of_id is not None:
        return False
    if match.imported or match.is_branch:
        return _is_creator(match, viewer)
    if match.status == Match.Status.FINISHED:
        who = None if viewer is None else viewer.pk
        return _shown_to_others(match, who) and hooks.hands_reached(match.pk, who) != 0
    return match.watchable


def visible_to_standard_game_players(match: Match) -> bool:
    """Return whether a finished match is shown to others who have played its standard game.

    Each of its players can prevent this in their settings; a private match needs the consent of
    all of them.
    """
    people = sharing.people_of(match)
    if Player.Replays.NOBODY in {player.replays for player in people}:
        return False
    return sharing.sharing_of(match, people) == sharing.Sharing.NAMED


def openable(matches: Sequence[Match], viewer: Player | None) -> set[int]:
    """Return those of some finished matches (primary keys) that ``viewer`` may open.

    The rules are those of `may_see`, with two queries for all; others' matches on open standard
    games are left out, as in lists. The matches have their seats and players fetched.
    """
    seen = visible_in_lists(matches, viewer)
    found = {match.pk for match in seen}
    rest = [match for match in matches if match.pk not in found and _is_over(match)]
    if viewer is None or not rest:
        return found
    keys = [match.pk for match in rest]
    same = hooks.same_cards(keys, viewer.pk) - hooks.secret_matches(keys)
    shared = {match.pk for match in rest if visible_to_standard_game_players(match)}
    return found | (same & shared)


def _is_over(match: Match) -> bool:
    return match.status == Match.Status.FINISHED


def may_replay(match: Match, viewer: Player | None) -> bool:
    """Return whether ``viewer`` may see every card of a match; see also `hands_shown`."""
    return hands_shown(match, viewer) >= ALL_HANDS


def hands_shown(match: Match, viewer: Player | None) -> int:
    """Return how many hands, from the first on, ``viewer`` may see with all cards.

    The result is `ALL_HANDS` if there is no limit, and 0 if no hand may be seen. In a match on an
    open standard game, viewers see only hands that they have played to the end in that game, also
    in their own match: in its last hand some cards were never turned up. Players who left a ranked
    match see none until its cards are public.
    """
    if match.status != Match.Status.FINISHED or not may_see(match, viewer):
        return 0
    own = _seat_row(match, viewer)
    if match.imported or match.is_branch:
        return ALL_HANDS
    reached = hooks.hands_reached(match.pk, None if viewer is None else viewer.pk)
    if reached is not None and own is not None and own.left_at is not None:
        return 0
    return ALL_HANDS if reached is None else reached


def hands_itemised(match: Match, viewer: Player | None) -> int:
    """Return of how many hands, from the first on, ``viewer`` may see each item of the points.

    There is no limit (`ALL_HANDS`), except for players who left a ranked match, until its cards are
    public: after they left, the table told them scores alone, in which the last card, the hand and
    the crib are one sum. While the match goes on they see no item of any hand.
    """
    own = _seat_row(match, viewer)
    if viewer is None or own is None or own.left_at is None:
        return ALL_HANDS
    reached = hooks.hands_reached(match.pk, viewer.pk)
    return ALL_HANDS if reached is None else reached


def visible_in_lists(
    matches: Sequence[Match], viewer: Player | None, *, cards: bool = False
) -> list[Match]:
    """Return the matches that a list may show to ``viewer``, with one query for all.

    The rules are those of `may_see`, except that lists hide others' matches on open standard games.

    Args:
        matches: with their seats and players fetched.
        viewer: the reader of the list.
        cards: whether the list shows cards; see `may_replay`.
    """
    secret = hooks.secret_matches([match.pk for match in matches])
    return [
        match for match in matches if _is_listed(match, viewer, match.pk in secret, cards=cards)
    ]


def _is_listed(match: Match, viewer: Player | None, secret: bool, *, cards: bool) -> bool:
    own = _seat_row(match, viewer)
    over = match.status == Match.Status.FINISHED
    if cards and (not over or (secret and own is not None and own.left_at is not None)):
        return False
    if own is not None:
        return True
    if match.duplicate_of_id is not None:
        return False
    if match.imported or match.is_branch:
        return _is_creator(match, viewer)
    if not over:
        return match.watchable
    settings = {player.replays for player in sharing.people_of(match)}
    public = match.watchable or settings <= {Player.Replays.EVERYBODY}
    return public and Player.Replays.NOBODY not in settings and not secret


def _seat_row(match: Match, viewer: Player | None) -> Seat | None:
    if viewer is None or viewer.pk is None:
        return None
    for row in match.seats.all():
        if row.player_id == viewer.pk and not row.computer:
            return row
    return None


def _is_creator(match: Match, viewer: Player | None) -> bool:
    return viewer is not None and match.created_by_id == viewer.pk


def _shown_to_others(match: Match, viewer: int | None) -> bool:
    """Return whether a finished match's players let another viewer see it."""
    settings = {player.replays for player in sharing.people_of(match)}
    if Player.Replays.NOBODY in settings:
        return False
    if match.watchable or settings <= {Player.Replays.EVERYBODY}:
        return True
    if viewer is None or not visible_to_standard_game_players(match):
        return False
    return bool(hooks.same_cards([match.pk], viewer))
