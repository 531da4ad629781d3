"""Forms for a player's data and for reports."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.models import Player, Report
from games.models.moderation import REPORT_LENGTH


class TokenForm(forms.Form):
    """A token that gives read access to its owner's data."""

    name = forms.CharField(label=_("What is the token for?"), max_length=40)


class ReportForm(forms.Form):
    """A report about a player to the moderators."""

    reason = forms.ChoiceField(label=_("What is it about?"), choices=Report.Reason.choices)
    text = forms.CharField(
        label=_("What happened?"),
        required=False,
        max_length=REPORT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class DeleteForm(forms.Form):
    """Confirmation of account deletion, by password.

    Players without a password, such as guests, type their name instead.
    """

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    name = forms.CharField(
        label=_("Type your name"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, player: Player, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._player = player
        del self.fields["name" if player.has_usable_password() else "password"]

    def clean_password(self) -> str:
        """Reject a wrong password."""
        if not self._player.check_password(self.cleaned_data["password"]):
            raise ValidationError(gettext("Wrong password. Try again."), code="password")
        return ""

    def clean_name(self) -> str:
        """Reject any other name."""
        if self.cleaned_data["name"].strip() != self._player.name:
            text = gettext("Type “%(name)s” to confirm.") % {"name": self._player.name}
            raise ValidationError(text, code="name")
        return ""
