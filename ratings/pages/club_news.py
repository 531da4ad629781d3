"""Pages of a club's news and schedule: post, delete and report news; the nights as iCalendar."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.api import Refused, consume, named, report
from ratings.clubs import club_pages, news
from ratings.pages.calendars import Entry, calendar_file
from ratings.pages.clubs import done, membership_or_404, render_club
from ratings.pages.forms import NewsForm

REPORT_LENGTH = 500
"""Maximum number of letters of a report: the end of a long post is cut off."""


@require_POST
def post(request: HttpRequest, public_id: str) -> HttpResponse:
    """Post news to the members."""
    mine = membership_or_404(request, public_id)
    form = NewsForm(request.POST)
    if not form.is_valid():
        return render_club(request, mine, post=form, status=422)
    act = partial(news.post, club=mine.club, by=mine.player, text=form.cleaned_data["text"])
    return done(request, mine.club, act, _("Posted."))


@require_POST
def delete(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Delete a post."""
    mine = membership_or_404(request, public_id)
    act = partial(news.delete, club=mine.club, by=mine.player, pk=pk)
    return done(request, mine.club, act, _("Deleted."))


@require_POST
def report_post(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Report the author of a post to the moderators, with its text as it is stored."""
    mine = membership_or_404(request, public_id)
    try:
        found = news.find(club=mine.club, pk=pk, reader=mine.player)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("ratings:club", public_id)
    consume(named("reports"), str(mine.player.pk))
    text = f"{mine.club.name} ({public_id}): {found.text}"[:REPORT_LENGTH]
    report(reporter=mine.player, about=found.author, reason="abuse", text=text)
    messages.success(request, _("Thanks. The moderators will look into it."))
    return redirect("ratings:club", public_id)


@never_cache
@require_safe
def schedule(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the club's nights that are not over as an iCalendar file."""
    club = membership_or_404(request, public_id).club
    coming, _past = club_pages.nights(club=club)
    entries = [
        Entry(
            uid=f"night-{night.pk}@{request.get_host()}",
            starts_at=night.starts_at,
            ends_at=night.ends_at,
            title=f"{club.name}: {night.title}",
            address=request.build_absolute_uri(reverse("ratings:night", args=[night.token])),
        )
        for night in coming
    ]
    return calendar_file(entries, name=f"club-{public_id}", product="Clubs")
