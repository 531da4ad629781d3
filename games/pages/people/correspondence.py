"""The settings for correspondence games: days off, time zone and quiet hours, forced plays."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.correspondence import vacations
from games.models import Player
from games.pages.site.visitor import log_in_first, player_of
from games.people import time_zones
from games.wire.refusals import Refused, sentence

HOURS = [("", "–"), *((str(hour), f"{hour:02}:00") for hour in range(24))]
"""The choices of an hour."""


def zone_choices() -> list[tuple[str, str]]:
    """Return the time zones, the site's own first."""
    usual = gettext("Site time (%(zone)s)") % {"zone": timezone.get_default_timezone_name()}
    return [("", usual), *((name, name.replace("_", " ")) for name in time_zones.zone_names())]


class HoursForm(forms.ModelForm[Player]):
    """A player's time zone and quiet hours."""

    zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices, required=False)
    quiet_from = forms.TypedChoiceField(
        label=_("Quiet from"), choices=HOURS, coerce=int, empty_value=None, required=False
    )
    quiet_until = forms.TypedChoiceField(
        label=_("Quiet until"), choices=HOURS, coerce=int, empty_value=None, required=False
    )

    class Meta:
        """Fields of the player's row."""

        model = Player
        fields = ("zone", "quiet_from", "quiet_until")

    def clean(self) -> dict[str, Any]:
        """Reject quiet hours without a beginning or an end, and those of no length."""
        found = super().clean() or self.cleaned_data
        begin, end = found.get("quiet_from"), found.get("quiet_until")
        if (begin is None) is not (end is None):
            self.add_error("quiet_until", gettext("Choose both hours, or neither."))
        elif begin is not None and begin == end:
            self.add_error("quiet_until", gettext("Choose two different hours."))
        return found


@require_safe
@never_cache
def settings(request: HttpRequest) -> HttpResponse:
    """Show the player's settings for correspondence games."""
    player = player_of(request)
    if player is None:
        return log_in_first(request)
    return _page(request, player)


@require_POST
def choose_hours(request: HttpRequest) -> HttpResponse:
    """Store the player's time zone and quiet hours."""
    player = player_of(request)
    if player is None:
        return log_in_first(request, "games:correspondence")
    form = HoursForm(request.POST, instance=Player.objects.get(pk=player.pk))
    if not form.is_valid():
        return _page(request, player, form)
    # Only these columns: a rename or a ban that is stored meanwhile stays.
    form.save(commit=False).save(update_fields=HoursForm.Meta.fields)
    messages.success(request, gettext("Saved."))
    return redirect("games:correspondence")


def _page(request: HttpRequest, player: Player, form: HoursForm | None = None) -> HttpResponse:
    left = vacations.days_left(player)
    context = {
        "player": player,
        "away": vacations.current(player),
        "form": form or HoursForm(instance=player),
        "allowance": vacations.ALLOWANCE.days,
        "left": left,
        "choices": [
            (days, ngettext("%(n)d day", "%(n)d days", days) % {"n": days})
            for days in range(1, left + 1)
        ],
    }
    status = 422 if form is not None else 200
    return render(request, "games/people/correspondence.html", context, status=status)


@require_POST
def go_away(request: HttpRequest) -> HttpResponse:
    """Begin the player's days off."""
    player = player_of(request)
    if player is None:
        return log_in_first(request, "games:correspondence")
    chosen = request.POST.get("days", "")
    try:
        if not (chosen.isascii() and chosen.isdigit() and len(chosen) < 4):
            raise Refused("bad_days_off")
        vacations.go_away(player=player, days=int(chosen))
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, gettext("Your deadlines are paused. Enjoy your days off."))
    return redirect("games:correspondence")


@require_POST
def come_back(request: HttpRequest) -> HttpResponse:
    """End the player's days off."""
    player = player_of(request)
    if player is None:
        return log_in_first(request, "games:correspondence")
    if vacations.come_back(player=player):
        messages.success(request, gettext("Welcome back. Your deadlines are running again."))
    else:
        messages.error(request, sentence("not_offered"))
    return redirect("games:correspondence")


@require_POST
def choose_forced(request: HttpRequest) -> HttpResponse:
    """Turn the automatic play of a player's only legal card on or off."""
    player = player_of(request)
    if player is None:
        return log_in_first(request, "games:correspondence")
    player.plays_forced = request.POST.get("wanted") == "1"
    player.save(update_fields=["plays_forced"])
    messages.success(request, gettext("Saved."))
    return redirect("games:correspondence")
