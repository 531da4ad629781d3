"""Form of the explorer, read from the query string, so that results can be shared as links."""

from __future__ import annotations

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.archive.explorer.answers import PEOPLE
from games.models import Choice
from games.pages.learn.forms import CardsField, names_of

Group, Stage = Choice.Group, Choice.Stage

_GROUPS: dict[str, tuple[int, ...]] = {
    "people": PEOPLE,
    "new": (Group.UNRATED,),
    "low": (Group.BELOW,),
    "middle": (Group.MIDDLE,),
    "high": (Group.ABOVE,),
    "computers": (Group.COMPUTER,),
}
_STAGES: dict[str, tuple[int, ...]] = {
    "all": tuple(Stage),
    "early": (Stage.EARLY,),
    "middle": (Stage.MIDDLE,),
    "late": (Stage.LATE,),
}


def group_names() -> dict[int, Promise]:
    """Return the short name of each group, in the order of columns."""
    return {
        Group.ABOVE: _("1525+"),
        Group.MIDDLE: _("1475–1524"),
        Group.BELOW: _("Under 1475"),
        Group.UNRATED: pgettext_lazy("explorer", "Unrated"),
        Group.COMPUTER: _("Computers"),
    }


class ExplorerForm(forms.Form):
    """Six cards, whose crib it is, who chose, and how far the game was."""

    cards = CardsField(
        label=_("Six cards"),
        help_text=_("For example 4H 5H 6S JC 9D KS"),
        numbers=(6,),
        wrong_number=_("Choose six cards."),
    )
    role = forms.ChoiceField(
        label=_("Whose crib is it?"),
        choices=[("dealer", _("Mine: I deal")), ("pone", _("Theirs: I'm pone"))],
        initial="dealer",
        required=False,
        widget=forms.RadioSelect,
    )
    who = forms.ChoiceField(
        label=_("Who threw?"),
        choices=[
            ("people", _("People")),
            ("high", _("Rated 1525+")),
            ("middle", _("Rated 1475–1524")),
            ("low", _("Rated under 1475")),
            ("new", pgettext_lazy("explorer", "Unrated")),
            ("computers", _("Computers")),
        ],
        initial="people",
        required=False,
        widget=forms.RadioSelect,
    )
    score = forms.ChoiceField(
        label=_("How far is the leader from winning?"),
        choices=[
            ("all", _("Any score")),
            ("early", _("More than 60 points")),
            ("middle", _("31 to 60 points")),
            ("late", _("30 points or less")),
        ],
        initial="all",
        required=False,
        widget=forms.RadioSelect,
    )

    @classmethod
    def asked(cls, data: dict[str, str]) -> ExplorerForm:
        """Return a form bound to query parameters, with defaults for missing ones."""
        return cls({"role": "dealer", "who": "people", "score": "all"} | data)

    @property
    def groups(self) -> tuple[int, ...]:
        """The groups of a valid form."""
        return _GROUPS[self.cleaned_data["who"] or "people"]

    @property
    def stages(self) -> tuple[int, ...]:
        """The stages of a valid form."""
        return _STAGES[self.cleaned_data["score"] or "all"]

    def address(self) -> dict[str, str]:
        """Return the query parameters of a valid form."""
        data = self.cleaned_data
        address = {"cards": names_of(data["cards"]), "role": data["role"] or "dealer"}
        for name, usual in (("who", "people"), ("score", "all")):
            if data[name] not in {"", usual}:
                address[name] = data[name]
        return address
