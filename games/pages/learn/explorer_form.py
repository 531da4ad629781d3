"""Form of the explorer, read from the query string, so that results can be shared as links."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.archive.explorer.answers import PEOPLE
from games.engine.cards import RANK, RANKS, SUITS
from games.models import Choice
from games.pages.learn.forms import CardsField, names_of, role_field

Group, Stage = Choice.Group, Choice.Stage
THROW, KEPT = 6, 4
"""Numbers of cards: before the throw, and after it."""

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
    """Cards, whose crib it is, the card led, who chose, and how far the game was.

    Six cards ask for throws. Four ask for leads, or for the dealer's answers to the card led.
    """

    cards = CardsField(
        label=_("Six cards to throw from, or the four you kept"),
        help_text=_("For example 4H 5H 6S JC 9D KS"),
        numbers=(THROW, KEPT),
        wrong_number=_("Choose six cards, or the four you kept."),
    )
    role = role_field()
    led = forms.CharField(
        label=_("Card that pone (not the dealer) led"),
        help_text=_("Only for the dealer with four cards. For example 7, 10 or K"),
        required=False,
        max_length=2,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"}),
    )
    who = forms.ChoiceField(
        label=_("Who chose?"),
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

    def clean_led(self) -> int | None:
        """Return the rank of the card led, 0 (ace) to 12; None without one."""
        text = self.cleaned_data["led"].strip().upper().replace("10", "T")
        if not text:
            return None
        if len(text) != 1 or text not in RANKS:
            raise ValidationError(gettext("Write one rank: A, 2 to 10, J, Q or K."))
        return RANKS.index(text)

    def clean(self) -> dict[str, Any]:
        """Require the card led for the dealer's answer, and reject it anywhere else."""
        data = super().clean() or self.cleaned_data
        if "cards" in data and "led" in data and "role" in data:
            answers = len(data["cards"]) == KEPT and data["role"] != "pone"
            if answers and data["led"] is None:
                self.add_error("led", gettext("The dealer answers a lead. Which card was led?"))
            elif not answers and data["led"] is not None:
                self.add_error("led", gettext("Leave this empty: no card was led before."))
            elif [RANK[card] for card in data["cards"]].count(data["led"]) == len(SUITS):
                self.add_error("led", gettext("You hold all four of these yourself."))
        return data

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
        if data["led"] is not None:
            address["led"] = RANKS[data["led"]].replace("T", "10")
        for name, usual in (("who", "people"), ("score", "all")):
            if data[name] not in {"", usual}:
                address[name] = data[name]
        return address
