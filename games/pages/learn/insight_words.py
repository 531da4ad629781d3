"""Names of situations in insights, and the form of their filters."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.learn.insights import bands
from games.learn.insights.answers import KEYS, MONTHS, Dimension, Filters
from games.text.dates import date_format

DIMENSIONS: dict[Dimension, Promise] = {
    "kind": _("Decision"),
    "phase": _("Part of the game"),
    "role": _("Role"),
    "standing": pgettext_lazy("insights", "Score"),
    "opponent": _("Opponent's rating"),
    "month": _("Month"),
}

NAMES: dict[str, Promise] = {
    "throw": _("Throws"),
    "lead": _("Leads"),
    "answer": pgettext_lazy("cards played", "Answers"),
    "late": _("Last two cards"),
    "early": _("Early"),
    "middle": _("Middle"),
    "end": _("Last 30 holes"),
    "dealer": _("As dealer"),
    "pone": _("As pone"),
    "ahead": _("Ahead"),
    "level": _("Within 5 points"),
    "behind": _("Behind"),
}
"""Key -> its name, in all dimensions but the two that have numbers."""

ANY = _("all")


def name_of(dimension: Dimension, key: str) -> str:
    """Return the name of a line of a dimension."""
    if dimension == "opponent":
        return band_words(int(key))
    if dimension == "month":
        return date_format(date.fromisoformat(f"{key}-01"), "YEAR_MONTH_FORMAT")
    return str(NAMES[key])


def band_words(band: int) -> str:
    """Return a rating band in words."""
    first, last = bands.limits(band)
    if first is None and last is None:
        return gettext("Not rated yet")
    if first is None:
        return gettext("Up to %(last)d") % {"last": last}
    if last is None:
        return gettext("%(first)d and up") % {"first": first}
    return gettext("%(first)d to %(last)d") % {"first": first, "last": last}


class InsightForm(forms.Form):
    """The filters of insights, read from the address; a wrong one has its default."""

    seats = forms.ChoiceField(
        label=pgettext_lazy("number of players", "Players"),
        required=False,
        choices=[("2", _("two")), ("3", _("three"))],
    )
    months = forms.ChoiceField(
        label=_("Time"),
        required=False,
        choices=[("12", _("12 months")), ("3", _("3 months"))],
    )

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        for dimension, keys in KEYS.items():
            self.fields[dimension] = forms.ChoiceField(
                label=str(DIMENSIONS[dimension]),
                required=False,
                choices=[("", ANY), *((key, name_of(dimension, key)) for key in keys)],
            )

    @property
    def filters(self) -> Filters:
        """Return the valid filters."""
        self.is_valid()
        given = self.cleaned_data
        return Filters(
            places=int(given.get("seats") or 2),
            months=int(given.get("months") or MONTHS),
            keys={dimension: given[dimension] for dimension in KEYS if given.get(dimension)},
        )

    @property
    def chosen(self) -> list[str]:
        """The filters that leave something out, as text, in the order of the form."""
        self.is_valid()
        given = self.cleaned_data
        usual = {"seats": "2", "months": str(MONTHS)}
        found = []
        for field in self:
            value = given.get(field.name)
            if value and value != usual.get(field.name):
                shown = dict(field.field.choices)[value]  # type: ignore[attr-defined]
                found.append(gettext("%(what)s: %(why)s") % {"what": field.label, "why": shown})
        return found
