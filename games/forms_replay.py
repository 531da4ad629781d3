"""What people fill in at a replay: from where, in which seat and against whom to play on."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from games.forms import level_choices

MAX_STEP = 100_000
"""More entries than any log has."""


class BranchForm(forms.Form):
    """A step of a match, a seat there, and a computer player."""

    step = forms.IntegerField(label=_("Step"), min_value=0, max_value=MAX_STEP)
    seat = forms.IntegerField(label=_("Seat"), min_value=0, max_value=2)
    level = forms.ChoiceField(label=_("Computer player"), choices=level_choices)
