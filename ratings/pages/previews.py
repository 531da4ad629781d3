"""Previews of the daily game, challenges, clubs and tournaments (`games.api.on_preview`)."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.api import Preview, date_format
from ratings.clubs.club_pages import invited_to
from ratings.clubs.night_standings import night_of
from ratings.events.event_pages import event_of
from ratings.models import Attempt, Event, StandardGame
from ratings.standard.daily_summary import todays_game

NO_BREAK = "\N{NO-BREAK SPACE}"


def daily_game() -> Preview:
    """Return the preview of today's game: the day, and how many have played it."""
    today = todays_game(player=None)
    day = date_format(today.day).replace(" ", NO_BREAK)
    return Preview(_("Cribbage daily, %(day)s") % {"day": day}, _challenging(today.people))


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


def night(token: str) -> Preview | None:
    """Return the preview of a club night, whose link is an invitation."""
    found = night_of(token=token)
    if found is None:
        return None
    if found.is_over:
        return Preview(found.title, found.club.name)
    number = found.entrants.filter(absent=False).count()
    title = _("You're invited: %(name)s") % {"name": found.title}
    return Preview(title, f"{found.club.name} · {_so_far(number)}")


def event(public_id: str) -> Preview | None:
    """Return the preview of a tournament that everyone may see."""
    found = event_of(public_id=public_id, player=None)
    if found is None:
        return None
    if found.state != Event.State.PLANNED or found.entry == Event.Entry.TEAM:
        return Preview(found.title, found.get_format_display())
    number = found.entrants.filter(computer=False).count()
    title = _("You're invited: %(name)s") % {"name": found.title}
    return Preview(title, f"{found.get_format_display()} · {_so_far(number)}")


def _so_far(number: int) -> str:
    if not number:
        return _("No one has joined yet. Be the first.")
    text = ngettext("%(n)s player so far.", "%(n)s players so far.", number)
    return text % {"n": number}


def _challenging(people: int) -> str:
    if not people:
        return _("No one has played it yet. Be the first.")
    text = ngettext(
        "%(n)s person has played it. Can you beat them?",
        "%(n)s people have played it. Can you beat them?",
        people,
    )
    return text % {"n": people}
