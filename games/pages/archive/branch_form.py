"""Form for branching off a match: step, seat and computer player."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from games.pages.tables.forms import level_choices

MAX_STEP = 100_000
"""An upper bound on the number of log entries."""


class BranchForm(forms.Form):
    """A step of a match, a seat in it, and a computer player."""

    step = forms.IntegerField(label=_("Step"), min_value=0, max_value=MAX_STEP)
    seat = forms.IntegerField(label=_("Seat"), min_value=0, max_value=2)
    level = forms.ChoiceField(label=_("Computer player"), choices=level_choices)
