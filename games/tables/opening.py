"""Tables that a form opens or leaves: a form that is sent twice opens one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from games.engine.state import Ruleset
from games.models import Match, Player
from games.people.player_lock import locked_player
from games.people.resent import waits_already
from games.tables.tables import create_match, leave_match
from games.wire.refusals import Refused


def open_table(
    *,
    creator: Player,
    ruleset: Ruleset,
    computers: Mapping[int, str] | None = None,
    listed: bool = False,
    watchable: bool = False,
    hints: bool = False,
    stand_in: str = "",
    days: int | None = None,
    sharing: str | None = None,
) -> Match:
    """Create a match as `create_match` does, or return the one just made from the same form.

    The latter only while no one else has sat down there and the creator has not moved. A club's
    table, an exam or another kind of match with the same rules did not come from this form.

    Raises:
        Refused: as `create_match` does.
    """
    with locked_player(creator):
        wanted = computers or {}
        chosen: dict[str, Any] = {
            "listed": listed, "watchable": watchable, "hints": hints, "days": days,
            "sharing": sharing or creator.sharing,
        }  # fmt: skip
        ordinary = Match.objects.filter(
            created_by=creator,
            listed_elsewhere=False,
            ranked=False,
            lesson=False,
            branch_of=None,
            course_exam=None,
        )
        known = waits_already(
            ordinary,
            at="created_at",
            ruleset=ruleset.to_dict(),
            stand_in_level=stand_in,
            **chosen,
        )
        if known is not None and _is_untouched(known, creator, wanted):
            return known
        return create_match(
            creator=creator,
            ruleset=ruleset,
            computers=wanted,
            stand_in=stand_in,
            **chosen,
        )


def leave_waiting_table(*, match: Match, player: Player) -> None:
    """Leave a table that waits for players; its creator closes it.

    Raises:
        Refused: ``not_offered`` if the match has begun, or ``not_seated``.
    """
    with transaction.atomic():
        row = Match.objects.select_for_update().get(pk=match.pk)
        if row.status == Match.Status.PLAYING:
            raise Refused("not_offered")
        leave_match(match=row, player=player)


def _is_untouched(match: Match, creator: Player, computers: Mapping[int, str]) -> bool:
    """Whether a match is as the form made it: nobody has sat down there or moved."""
    if match.status not in {Match.Status.WAITING, Match.Status.PLAYING}:
        return False
    taken = match.seats.filter(player__isnull=False).exclude(seat=0).select_related("player")
    seated = {row.seat: row.player.bot for row in taken if row.player is not None}
    at_first = match.seats.filter(seat=0, player=creator, stand_in=None).exists()
    return at_first and seated == dict(computers) and not match.moves.filter(seat=0).exists()
