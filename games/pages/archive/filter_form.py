"""Forms for match lists: filters, which are read from the query string, and privacy settings."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.archive.matches import KINDS, BadCursor, Cursor, Filters
from games.models import Player


class _Day(forms.DateField):
    """A date field in the format that browsers send."""

    def __init__(self, **kwargs: Any) -> None:
        error = _("Write the date like this: 2026-11-21.")
        super().__init__(
            required=False,
            input_formats=["%Y-%m-%d"],
            widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            error_messages={"invalid": error},
            **kwargs,
        )


class HistoryForm(forms.Form):
    """Filters and cursors of a player's list of matches."""

    name = forms.CharField(
        label=_("Player"),
        required=False,
        max_length=40,
        widget=forms.TextInput(
            attrs={"type": "search", "autocomplete": "off", "placeholder": _("part of a name")}
        ),
    )
    result = forms.ChoiceField(
        label=_("Result"),
        required=False,
        choices=[("", _("any")), ("won", _("won")), ("lost", _("lost")), ("drawn", _("drawn"))],
    )
    against = forms.ChoiceField(
        label=_("Against"),
        required=False,
        choices=[
            ("", _("anyone")),
            ("people", _("people only")),
            ("computer", _("with a computer")),
        ],
    )
    kind = forms.ChoiceField(
        label=_("Kind"),
        required=False,
        choices=[
            ("", _("any")),
            ("ranked", _("ranked, daily, challenge, club")),
            ("casual", _("casual")),
            ("imported", _("imported")),
            ("branch", _("continued from another match")),
            ("duplicate", _("same cards, seats swapped")),
            ("lesson", _("lesson")),
        ],
    )
    seats = forms.TypedChoiceField(
        label=pgettext_lazy("number of players", "Players"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", _("any")), ("2", _("two")), ("3", _("three"))],
    )
    skunk = forms.ChoiceField(
        label=_("Skunk"),
        required=False,
        choices=[("", _("any")), ("given", _("given")), ("taken", _("taken"))],
    )
    since = _Day(label=_("From"))
    until = _Day(label=_("To"))
    standard = forms.IntegerField(
        label=_("Standard game"),
        required=False,
        min_value=1,
        max_value=2**31,
        widget=forms.NumberInput(attrs={"placeholder": _("number"), "inputmode": "numeric"}),
    )
    who = forms.CharField(required=False, max_length=10, widget=forms.HiddenInput)
    before = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)
    after = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    def clean_who(self) -> Player | None:
        """Return the player with the given id; None if it is empty."""
        ident = self.cleaned_data["who"]
        if not ident:
            return None
        found = Player.objects.filter(public_id=ident).first()
        if found is None:
            raise ValidationError(gettext("No player has the id “%(id)s”.") % {"id": ident})
        return found

    def clean_before(self) -> Cursor | None:
        """Return the cursor before which the page begins."""
        return _parse_cursor(self.cleaned_data["before"])

    def clean_after(self) -> Cursor | None:
        """Return the cursor after which the page ends."""
        return _parse_cursor(self.cleaned_data["after"])

    def clean(self) -> dict[str, Any]:
        """Reject an end before the start."""
        found = super().clean() or self.cleaned_data
        since, until = found.get("since"), found.get("until")
        if since and until and until < since:
            self.add_error("until", gettext("The last day is before the first. Swap them."))
        return found

    def filters(self) -> Filters:
        """Return the filters; invalid ones are left out."""
        data = self.cleaned_data
        against = data.get("against")
        return Filters(
            opponent=data.get("who"),
            name=data.get("name", ""),
            seats=data.get("seats"),
            kind=KINDS.get(data.get("kind", "")),
            computer=None if not against else against == "computer",
            result=data.get("result") or None,
            skunk=data.get("skunk") or None,
            since=data.get("since"),
            until=data.get("until"),
            standard=data.get("standard"),
        )


class ShownForm(forms.ModelForm[Player]):
    """Privacy settings of a player."""

    class Meta:
        """Fields of the player's row."""

        model = Player
        fields = ("private", "replays", "sharing", "chat")
        labels: ClassVar = {
            "private": _("Keep my page private"),
            "replays": _("Who else can replay my finished matches"),
            "sharing": _("May others play the cards of my private games later?"),
            "chat": _("Chat at tables"),
        }
        help_texts: ClassVar = {
            "private": _("Then only you see your averages, records and ratings."),
            "replays": _(
                "Everyone at the table must agree. Players can always replay their own matches."
            ),
            "sharing": _("The strictest choice at the table counts."),
            "chat": _("When chat is off you get no messages, and others can see that."),
        }
        widgets: ClassVar = {"replays": forms.RadioSelect, "sharing": forms.RadioSelect}


def _parse_cursor(text: str) -> Cursor | None:
    if not text:
        return None
    try:
        return Cursor.parse(text)
    except BadCursor as cause:
        raise ValidationError(
            gettext("“%(text)s” isn't in this list. Here's the start.") % {"text": text[:20]}
        ) from cause
