"""What people fill in about clubs: a name, a night, a table."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.api import Ruleset

LONGEST_NIGHT = timedelta(hours=24)
FARTHEST = timedelta(days=366)
"""How far ahead a night can be planned."""
JUST_NOW = timedelta(minutes=10)
"""A beginning that is no longer ago than this is now."""


def _printable(text: str) -> None:
    """Refuse signs that are not seen, or that turn the line round."""
    if not text.isprintable():
        raise ValidationError(gettext("Please use letters, digits and signs on one line."))


class ClubForm(forms.Form):
    """A club's name and what it says of itself."""

    name = forms.CharField(
        label=_("Name of the club"), min_length=3, max_length=40, validators=[_printable]
    )
    description = forms.CharField(
        label=_("In a few words"), max_length=300, required=False, validators=[_printable]
    )


class NightForm(forms.Form):
    """A club night. Times are those of the time zone that the form names."""

    title = forms.CharField(label=_("Title"), max_length=60, validators=[_printable])
    games = forms.TypedChoiceField(
        label=_("Games"),
        choices=[("9", _("Nine games, as weekly clubs play")), ("1", _("One game"))],
        coerce=int,
        initial="9",
        widget=forms.RadioSelect,
    )
    starts = forms.DateTimeField(
        label=_("Begins"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
    )
    ends = forms.DateTimeField(
        label=_("Ends: no game begins after it"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
    )
    zone = forms.CharField(widget=forms.HiddenInput, required=False, max_length=60)
    minutes = forms.IntegerField(
        label=_("Minutes for a game, before the next one begins"),
        min_value=5,
        max_value=24 * 60,
        initial=25,
    )

    def clean_zone(self) -> ZoneInfo:
        """Return the time zone; UTC where none is named, or none that there is."""
        name = self.cleaned_data["zone"]
        return ZoneInfo(name if name in available_timezones() else "UTC")

    def clean(self) -> dict[str, Any]:
        """Check that it ends after it begins, and neither is far off."""
        values: dict[str, Any] = super().clean() or {}
        starts, ends = self._moment("starts"), self._moment("ends")
        if starts is None or ends is None:
            return values
        now = timezone.now()
        if starts < now - JUST_NOW or starts > now + FARTHEST:
            self.add_error("starts", gettext("A night begins within a year from now."))
        elif not starts < ends <= starts + LONGEST_NIGHT:
            self.add_error("ends", gettext("A night ends after it begins, within 24 hours."))
        return values | {"starts_at": starts, "ends_at": ends}

    def _moment(self, field: str) -> datetime | None:
        """Return a time that was filled in as a moment."""
        given, zone = self.cleaned_data.get(field), self.cleaned_data.get("zone")
        if given is None:
            return None
        # The field has read it as a time of the site's own zone.
        local: datetime = given.replace(tzinfo=zone or UTC)
        return local.astimezone(UTC)


class ClubTableForm(forms.Form):
    """The rules of a table that is made for a club."""

    players = forms.TypedChoiceField(
        label=_("Seats"),
        choices=[("2", _("Two players")), ("3", _("Three players"))],
        coerce=int,
        initial="2",
        required=False,
        empty_value=None,
        widget=forms.RadioSelect,
    )
    counting = forms.ChoiceField(
        label=_("Counting"),
        choices=[("auto", _("The table counts")), ("manual", _("You count your own"))],
        initial="auto",
        required=False,
        widget=forms.RadioSelect,
    )

    def ruleset(self) -> Ruleset:
        """Return the rules that were chosen."""
        chosen = self.cleaned_data
        return Ruleset(
            players=chosen["players"] or 2,
            counting="manual" if chosen["counting"] == "manual" else "auto",
        )
