"""Forms of team leagues: planning one, entering a team, setting a result."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.pages.events_forms import StartForm
from ratings.pages.forms import WholeNumber, check_printable
from ratings.team_leagues.leagues import Plan
from ratings.team_leagues.matches import FARTHEST

NOTICE = timedelta(hours=1)
"""Time that teams have to enter, at least: a league without two of them is called off."""


class TeamLeagueForm(StartForm):
    """A league of teams."""

    double = forms.TypedChoiceField(
        label=_("Teams meet"),
        choices=[("0", _("Once")), ("1", _("Twice"))],
        coerce=lambda value: value == "1",
        initial="0",
    )
    games = forms.TypedChoiceField(
        label=_("Rounds per match"),
        choices=[(each, each) for each in ("1", "2", "4", "6")],
        coerce=int,
        initial="2",
    )
    days = WholeNumber(label=_("Days per match"), min_value=1, max_value=60, initial=7)
    listed = forms.BooleanField(label=_("Anyone can find it and enter a team"), required=False)
    note = forms.CharField(
        label=_("A few words"), max_length=300, required=False, validators=[check_printable]
    )

    def clean(self) -> dict[str, Any]:
        """Check that teams have time to enter."""
        values = super().clean()
        starts = values["starts_at"]
        if "starts" not in self.errors and starts < timezone.now() + NOTICE:
            self.add_error(
                "starts",
                gettext(
                    "Teams need time to enter. Choose a start in an hour or later. "
                    "You can start early when everyone is in."
                ),
            )
        return values

    def plan(self) -> Plan:
        """Return the plan; call it when the form is valid."""
        return Plan(**{name: self.cleaned_data[name] for name in Plan.__slots__})


class TeamNameForm(forms.Form):
    """The name of a team."""

    name = forms.CharField(
        label=_("Team name"), min_length=2, max_length=30, validators=[check_printable]
    )


class ResultForm(forms.Form):
    """The result of a match: the winner, the margin and the reason."""

    winner = forms.ChoiceField(choices=[(each, each) for each in ("home", "away", "draw")])
    margin_points = forms.IntegerField(min_value=1, max_value=FARTHEST, required=False)
    reason = forms.CharField(required=False, max_length=200, validators=[check_printable])

    def clean(self) -> dict[str, Any]:
        """Check that a victory has a margin."""
        values: dict[str, Any] = super().clean() or {}
        if values.get("winner") != "draw" and not values.get("margin_points"):
            self.add_error("margin_points", "required")
        return values

    def margin(self) -> int:
        """Return the home team's margin; call it when the form is valid."""
        values = self.cleaned_data
        signs = {"home": 1, "away": -1, "draw": 0}
        return signs[values["winner"]] * int(values["margin_points"] or 0)
