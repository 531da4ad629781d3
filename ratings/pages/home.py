"""Cards that ratings add to the home page: today's game, the rating, and what is next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from games.api import Player, player_of, true_now
from ratings.clubs import news
from ratings.models import ClubNight, Event, Rating, RatingChange
from ratings.pages import sentences
from ratings.pages.home_pictures import Sparkline, field_dots, sparkline
from ratings.standard.daily_summary import newest_field, todays_game

CHANGES = 40
"""Number of the newest changes of a rating in its line."""

MONTH = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class RatingSummary:
    """A rating with its line, and how much it moved in a month, Elo; None without a change."""

    seats: int
    rating: float
    moved: int | None
    line: Sparkline | None


@dataclass(frozen=True, slots=True)
class NextMeeting:
    """The next club night or tournament of a player."""

    title: str
    address: str
    at: datetime
    running: bool
    is_night: bool


def landing_deal(page: Mapping[str, Any]) -> SafeString:
    """Render today's game and a past field, for those who are new here."""
    past = newest_field()
    context = {
        "today": todays_game(player=None),
        "past": past,
        "dots": field_dots(past.margins) if past is not None else None,
    }
    return render_to_string("ratings/home/_landing.html", context, request=page["request"])


def home_cards(page: Mapping[str, Any]) -> SafeString:
    """Render the cards of a returning player; empty for a visitor."""
    player = player_of(page["request"])
    if player is None:
        return SafeString("")
    today = todays_game(player=player)
    context = {
        "today": today,
        "place": sentences.place_or_tie(today.verdict) if today.verdict else "",
        "rating": _rating(player),
        "next": _next(player) if player.is_person else None,
        "task": news.new_task(player=player) if player.is_person else None,
        "player": player,
    }
    return render_to_string("ratings/home/_cards.html", context, request=page["request"])


def _rating(player: Player) -> RatingSummary | None:
    """Return the rating that moved last; at most four queries."""
    row = Rating.objects.filter(player=player).order_by("-played_at").first()
    if row is None:
        return None
    changes = RatingChange.objects.filter(player=player, seats=row.seats).order_by("-pk")
    found = list(changes.values_list("at", "was", "now")[:CHANGES])[::-1]
    line = sparkline([found[0][1], *(now for _at, _was, now in found)]) if found else None
    since = true_now() - MONTH
    moved = None
    if found and found[-1][0] >= since:
        moved = round(row.rating - _rating_at(changes, since))
    return RatingSummary(row.seats, row.rating, moved, line)


def _rating_at(changes: QuerySet[RatingChange], moment: datetime) -> float:
    """Return the rating at a moment, or the first one; ``changes`` are the newest first."""
    before = changes.filter(at__lt=moment).first()
    if before is not None:
        return before.now
    return changes.reverse()[0].was


def _next(player: Player) -> NextMeeting | None:
    """Return the night or event that is next; two queries."""
    over = ClubNight.State.OVER
    night = (
        ClubNight.objects.filter(Q(club__memberships__player=player) | Q(entrants__player=player))
        .exclude(state=over)
        .order_by("starts_at", "pk")
        .first()
    )
    open_states = [Event.State.PLANNED, Event.State.RUNNING]
    event = (
        Event.objects.filter(entrants__player=player, state__in=open_states)
        .order_by("starts_at", "pk")
        .first()
    )
    found = []
    if night is not None:
        address = reverse("ratings:night", args=[night.token])
        running = night.state == ClubNight.State.RUNNING
        found.append(NextMeeting(night.title, address, night.starts_at, running, is_night=True))
    if event is not None:
        address = reverse("ratings:event", args=[event.public_id])
        running = event.state == Event.State.RUNNING
        found.append(NextMeeting(event.title, address, event.starts_at, running, is_night=False))
    return min(found, key=lambda meeting: meeting.at, default=None)
