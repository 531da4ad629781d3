"""Forms of tournaments: planning one, a match of teams, a correction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.events.events import MAX_PLACES, Plan
from ratings.models import Club, Event
from ratings.models.events import LONGEST_TITLE
from ratings.pages.forms import (
    DATE_MISSING,
    FARTHEST,
    JUST_NOW,
    TITLE_MISSING,
    WholeNumber,
    check_printable,
    in_utc,
)

_LOCAL = "%Y-%m-%dT%H:%M"


class StartForm(forms.Form):
    """A title and a start, in the time zone that the form names."""

    title = forms.CharField(
        label=_("Title"), max_length=LONGEST_TITLE, validators=[check_printable],
        error_messages=TITLE_MISSING,
    )  # fmt: skip
    starts = forms.DateTimeField(
        label=_("Starts"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=_LOCAL),
        input_formats=[_LOCAL, "%Y-%m-%d %H:%M"],
        error_messages=DATE_MISSING,
    )
    zone = forms.CharField(widget=forms.HiddenInput, required=False, max_length=60)

    def clean_zone(self) -> ZoneInfo:
        """Return the time zone; UTC if it is missing or unknown."""
        name = self.cleaned_data["zone"]
        return ZoneInfo(name if name in available_timezones() else "UTC")

    def clean(self) -> dict[str, Any]:
        """Check the start, and add it as ``starts_at``."""
        values: dict[str, Any] = super().clean() or {}
        starts = self._start()
        now = timezone.now()
        if starts is not None and not now - JUST_NOW <= starts <= now + FARTHEST:
            self.add_error("starts", gettext("Choose a start within the next year."))
        return values | {"starts_at": starts}

    def _start(self) -> datetime | None:
        given, zone = self.cleaned_data.get("starts"), self.cleaned_data.get("zone")
        return None if given is None else in_utc(given, zone)


ENTRIES = [(each, each.label) for each in Event.Entry if each != Event.Entry.TEAM]
"""The groups who can sign up for a tournament, as choices of its form."""


class EventForm(StartForm):
    """A tournament."""

    format = forms.ChoiceField(
        label=_("Format"),
        choices=[(each, each.label) for each in Event.Format if each != Event.Format.TEAMS],
        initial=Event.Format.SWISS,
        widget=forms.RadioSelect,
    )
    rounds = WholeNumber(
        label=_("Rounds (Swiss, qualifying)"), min_value=1, max_value=15, initial=5
    )
    best_of = forms.TypedChoiceField(
        label=_("Games in each bracket match"),
        choices=[("1", _("One game")), ("3", _("Best of three")), ("5", _("Best of five"))],
        coerce=int,
        initial="1",
    )
    minutes = WholeNumber(label=_("Minutes (arena)"), min_value=10, max_value=240, initial=60)
    seats = forms.TypedChoiceField(
        label=_("Players at a table (Swiss, arena)"),
        choices=[("2", _("Two players")), ("3", _("Three players"))],
        coerce=int,
        initial="2",
    )
    entry = forms.ChoiceField(
        label=_("Who can sign up"),
        choices=ENTRIES,
        initial=Event.Entry.OPEN,
    )
    club = forms.TypedChoiceField(label=_("Club"), required=False, empty_value="")
    note = forms.CharField(
        label=_("A few words"), max_length=300, required=False, validators=[check_printable]
    )
    places = WholeNumber(label=_("Player limit"), min_value=2, max_value=MAX_PLACES, initial=64)
    check_in = WholeNumber(
        label=_("Minutes of check-in (0: none)"), min_value=0, max_value=60, initial=0
    )
    no_show = WholeNumber(
        label=_("Minutes to wait for absent players"), min_value=1, max_value=30, initial=5
    )
    late_rounds = WholeNumber(
        label=_("Late entry until round (0: none)"), min_value=0, max_value=15, initial=1
    )
    band_low = WholeNumber(label=_("Lowest rating"), min_value=0, max_value=4000, required=False)
    band_high = WholeNumber(label=_("Highest rating"), min_value=0, max_value=4000, required=False)

    def __init__(self, *args: Any, clubs: Sequence[Club] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._clubs = {club.public_id: club for club in clubs}
        field = self.fields["club"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [("", "–"), *((club.public_id, club.name) for club in clubs)]
        entry = self.fields["entry"]
        if not clubs and isinstance(entry, forms.ChoiceField):
            entry.choices = [each for each in ENTRIES if each[0] != Event.Entry.CLUB]

    def clean(self) -> dict[str, Any]:
        """Check the start, the club and the band."""
        values = super().clean()
        if values.get("entry") == Event.Entry.CLUB and not values.get("club"):
            self.add_error("club", gettext("Choose the club."))
        low, high = values.get("band_low"), values.get("band_high")
        if low is not None and high is not None and low > high:
            self.add_error(
                "band_high", gettext("The highest rating is below the lowest. Swap them.")
            )
        return values

    def plan(self) -> Plan:
        """Return the plan; call it when the form is valid."""
        values = self.cleaned_data
        names = [name for name in Plan.__slots__ if name not in {"club", "starts_at"}]
        chosen = {name: values[name] for name in names}
        chosen["club"] = self._clubs.get(values.get("club") or "")
        return Plan(**chosen, starts_at=values["starts_at"])


class TeamForm(forms.Form):
    """A match between two teams."""

    title = forms.CharField(
        label=_("Title"), max_length=LONGEST_TITLE, validators=[check_printable],
        error_messages=TITLE_MISSING,
    )  # fmt: skip
    games = forms.TypedChoiceField(
        label=_("Rounds"),
        choices=[("1", "1"), ("2", "2"), ("4", "4"), ("6", "6")],
        coerce=int,
        initial="2",
    )


class CorrectionForm(forms.Form):
    """The right scores of a game, by place, and the reason."""

    first = forms.IntegerField(min_value=0, max_value=121)
    second = forms.IntegerField(min_value=0, max_value=121)
    third = forms.IntegerField(min_value=0, max_value=121, required=False)
    reason = forms.CharField(required=False, max_length=200, validators=[check_printable])

    def scores(self) -> list[int]:
        """Return the scores by place."""
        values = [self.cleaned_data[name] for name in ("first", "second", "third")]
        return [value for value in values if value is not None]
