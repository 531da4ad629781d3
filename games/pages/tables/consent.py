"""Notes on a table's pages about who else may be dealt its cards."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.archive import sharing
from games.engine.state import Ruleset
from games.models import Match, Player


def sharing_text(match: Match, reader: Player | None) -> str:
    """Return what may happen to the cards of a table afterwards; "" where nobody is dealt them.

    The settings of the people seated and of the reader are taken into account, so it may become
    stricter when somebody else sits down.
    """
    if not sharing.may_become_standard(match, Ruleset.from_dict(match.ruleset)):
        return ""
    if any(row.computer for row in match.seats.all()):
        return ""
    people = [*sharing.people_of(match), *([reader] if reader is not None else [])]
    choice = sharing.sharing_of(match, people)
    with_guest = reader is None or any(player.is_guest for player in people)
    if with_guest and choice != sharing.Sharing.NEVER:
        # Cards dealt to a guest are dealt to no one else, unless the guest signs up before the end.
        return _("While one of you plays as a guest, no one else will play these cards.")
    match choice:
        case sharing.Sharing.NAMED:
            return _("Others may play these cards later, and see your names.")
        case sharing.Sharing.GUEST:
            return _(
                "Others may play these cards later, to compare results. You'd appear as “a guest”,"
                " and they couldn't replay your game."
            )
    return _("No one else will play these cards.")
