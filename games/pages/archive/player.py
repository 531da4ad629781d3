"""Pages of a player: the profile and the privacy settings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.archive import averages, profile
from games.archive.explorer.filing import check_player
from games.log import reply_times
from games.models import Player
from games.pages.archive.filter_form import ShownForm
from games.pages.archive.history import Row, row_of
from games.pages.archive.player_charts import (
    AverageRow,
    PlayedCalendar,
    average_rows,
    luck_rows,
    played_calendar,
)
from games.pages.charts.calendar import first_day
from games.pages.charts.rows import share_bar
from games.pages.site.visitor import log_in_first, player_of
from games.pages.tables.forms import level_lines
from games.people import chat
from games.people import chat_service as chat_services


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A line of the win-loss record, with its title and the share won as a bar."""

    title: str
    line: profile.RecordLine
    bar: SafeString


@dataclass(frozen=True, slots=True)
class AverageTable:
    """A player's averages at tables with one number of seats."""

    seats: int
    rows: list[AverageRow]


@require_safe
@gzip_page
def player(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a player's profile, unless it is private."""
    shown = get_object_or_404(Player.objects.select_related("owner"), public_id=public_id)
    viewer = player_of(request)
    if not profile.may_view_profile(shown, viewer):
        return render(request, "games/archive/player_private.html", {"shown": shown}, status=404)
    own = viewer is not None and viewer.pk == shown.pk
    tables = [
        AverageTable(seats, average_rows(averages.averages(player=shown, seats=seats)))
        for seats in (2, 3)
    ]
    luck = averages.luck_summaries(player=shown) if own else []
    context = {
        "shown": shown,
        "own": own,
        "record": _record(shown),
        "streak": (streak := profile.streak_of(player=shown)),
        "reply": _reply_words(reply_times.median(shown)),
        "lost_in_a_row": max(0, -streak.current),
        "between": profile.head_to_head(viewer=viewer, player=shown),
        "recent": _recent(shown, viewer),
        "best": profile.best_hands(player=shown, viewer=viewer),
        "averages": [table for table in tables if table.rows],
        "luck": luck_rows(luck),
        "calendar": _calendar(shown) if own else None,
    }
    return render(request, "games/archive/player.html", context)


@require_POST
def unmute(request: HttpRequest, public_id: str) -> HttpResponse:
    """Unmute another player's chat."""
    own = player_of(request)
    other = get_object_or_404(Player, public_id=public_id)
    if own is not None:
        chat_services.unmute(player=own, other=other)
        messages.success(
            request, _("You can read %(name)s's messages again.") % {"name": other.name}
        )
    return redirect("games:shown")


@require_http_methods(["GET", "HEAD", "POST"])
def shown(request: HttpRequest) -> HttpResponse:
    """Show and change the player's privacy settings."""
    own = player_of(request)
    if own is None:
        return log_in_first(request)
    form = ShownForm(request.POST or None, instance=own)
    if request.method == "POST" and form.is_valid():
        own.save(update_fields=list(form.fields))  # the form has set them
        check_player.enqueue(own.pk)
        chat_services.announce_change(player=own.pk)
        messages.success(request, _("Saved."))
        return redirect("games:shown")
    return render(
        request,
        "games/people/shown.html",
        {"form": form, "player": own, "muted": chat.muted_by(player=own)},
        status=422 if form.errors else 200,
    )


def _record(shown: Player) -> list[RecordRow]:
    names = {level.name: level.title for level in level_lines()}
    titles = {
        "all": _("All matches"),
        "ranked": _("Ranked, daily, challenges, clubs"),
        "people": _("People, two players"),
        "three": _("Three players"),
        "program": _("Programs"),
    }
    return [
        RecordRow(
            titles.get(line.kind) or names.get(line.bot, line.bot.title()),
            line,
            SafeString("") if line.totals.share is None else share_bar(line.totals.share / 100),
        )
        for line in profile.records_by_opponent(player=shown)
    ]


def _reply_words(median: timedelta | None) -> str:
    """Return a usual reply time in words, in whole minutes, hours or days; "" without one."""
    if median is None:
        return ""
    if median < timedelta(minutes=90):
        n = max(1, round(median / timedelta(minutes=1)))
        return ngettext("%(n)d minute", "%(n)d minutes", n) % {"n": n}
    if median < timedelta(hours=36):
        n = round(median / timedelta(hours=1))
        return ngettext("%(n)d hour", "%(n)d hours", n) % {"n": n}
    n = round(median / timedelta(days=1))
    return ngettext("%(n)d day", "%(n)d days", n) % {"n": n}


def _calendar(shown: Player) -> PlayedCalendar | None:
    """Return a player's own calendar: when they play is no one else's business."""
    today = timezone.localdate()
    days = profile.days_played(player=shown, since=first_day(today))
    return played_calendar(days, today=today)


def _recent(shown: Player, viewer: Player | None) -> list[Row]:
    own = viewer is not None and viewer.pk == shown.pk
    return [row_of(line, own=own) for line in profile.recent(player=shown, viewer=viewer)]
