"""Previews of pages that people send each other, from what a stranger with the link may see.

A preview shows no card of a game, and names only people whom the page shows to everyone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.archive import access, profile, selectors
from games.engine.state import Ruleset
from games.models import Match, Player


@dataclass(frozen=True, slots=True)
class Preview:
    """A page in a few words.

    Attributes:
        title: the title, which the picture shows in large letters.
        text: a sentence or two.
        big: what stands in the picture above the title, such as a score; may be empty.
    """

    title: str
    text: str
    big: str = ""


Source = Callable[..., Preview | None]

_sources: dict[str, Source] = {}


def on_preview(page: str, source: Source) -> None:
    """Register the source of previews of a page, by its name in the URL patterns.

    It gets the page's arguments, and returns None if a stranger may not see the page.
    """
    _sources[page] = source


def preview_of(page: str, arguments: Mapping[str, Any]) -> Preview | None:
    """Return the preview of a page; None for pages without one, and those that are not public."""
    source = _sources.get(page)
    return source(**arguments) if source is not None else None


def site_preview() -> Preview:
    """Return the preview of all other pages."""
    return Preview(
        _("Cribbage online: sit down and play"),
        _("Cribbage for two or three, against friends or the computer."),
    )


def invitation(token: str) -> Preview | None:
    """Return the preview of an invitation to a table that waits for players."""
    match = selectors.invitation(invite=token)
    if match is None or match.status != Match.Status.WAITING:
        return None
    title = _("You're invited to a game of cribbage")
    if match.created_by is not None:
        name = match.created_by.name
        title = _("%(name)s invites you to a game of cribbage") % {"name": name}
    return Preview(title, _("Open the link and sit down. No account needed."))


def match_result(public_id: str) -> Preview | None:
    """Return the preview of a finished match that everyone may see."""
    match = selectors.match_by_id(public_id=public_id)
    if match is None or match.status != Match.Status.FINISHED or not access.may_see(match, None):
        return None
    seats = list(match.seats.all())
    names = [seat.shown_name or "–" for seat in seats]
    several = Ruleset.from_dict(match.ruleset).games > 1
    scores = [str(seat.match_points if several else seat.score or 0) for seat in seats]
    return Preview(
        " – ".join(names),
        _("See the score of every hand, and the review."),
        big=" – ".join(scores),
    )


def player(public_id: str) -> Preview | None:
    """Return the preview of a player's page, unless it is private."""
    shown = Player.objects.filter(public_id=public_id).first()
    if shown is None or not profile.may_view_profile(shown, None):
        return None
    if shown.is_computer:
        return Preview(shown.name, _("A computer player. It has no record."))
    total = profile.records_by_opponent(player=shown)[:1]
    played = total[0].totals.matches if total else 0
    text = ngettext("%(n)d match played.", "%(n)d matches played.", played) % {"n": played}
    what = _("Record, averages and best hands.")
    return Preview(shown.name, f"{text} {what}")


def register() -> None:
    """Register the pages of games."""
    on_preview("games:join", invitation)
    on_preview("games:match", match_result)
    on_preview("games:player", player)
