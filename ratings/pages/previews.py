"""Previews of the daily game, of challenges and of clubs (`games.api.on_preview`)."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.api import Preview
from ratings.clubs.club_pages import invited_to
from ratings.models import Attempt, StandardGame
from ratings.pages.daily import daily_title
from ratings.standard.daily_summary import todays_game


def daily_game() -> Preview:
    """Return the preview of today's game: the day, and how many have played it."""
    today = todays_game(player=None)
    return Preview(daily_title(today.day), _challenging(today.people))


def challenge(token: str) -> Preview | None:
    """Return the preview of a challenge; it names nobody."""
    game = StandardGame.objects.filter(invite=token).first() if token else None
    if game is None:
        return None
    played = Attempt.objects.filter(standard_game=game, play__finished_at__isnull=False)
    people = played.exclude(computer=True).values("player").distinct().count()
    return Preview(_("A challenge: same cards, same seat"), _challenging(people))


def club(token: str) -> Preview | None:
    """Return the preview of an invitation to a club."""
    invited = invited_to(token=token)
    if invited is None:
        return None
    number = invited.number  # type: ignore[attr-defined]
    text = ngettext("%(n)s member", "%(n)s members", number) % {"n": number}
    return Preview(_("You're invited to %(name)s") % {"name": invited.name}, text)


def _challenging(people: int) -> str:
    if not people:
        return _("No one has played it yet.")
    text = ngettext(
        "%(n)s person has played it. Can you beat them?",
        "%(n)s people have played it. Can you beat them?",
        people,
    )
    return text % {"n": people}
