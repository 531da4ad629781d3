"""Forms of the moderators' pages: actions with their lengths and prepared reasons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from games.models import ModerationEntry, Player
from games.models.moderation import REPORT_LENGTH

Action = ModerationEntry.Action

ACTIONS: Mapping[str, Promise] = {
    Action.WARN: gettext_lazy("Warn"),
    Action.MUTE: gettext_lazy("Turn chat off"),
    Action.RENAME: gettext_lazy("Remove the name"),
    Action.BAN: gettext_lazy("Close the account"),
    Action.RANKED_BAN: gettext_lazy("Bar from ranked games"),
    Action.REMOVE: gettext_lazy("Remove ranked results"),
    Action.UNMUTE: gettext_lazy("Turn chat on again"),
    Action.LIFT_BAN: gettext_lazy("Open the account again"),
    Action.LIFT_RANKED: gettext_lazy("Allow ranked games"),
    Action.RESTORE: gettext_lazy("Restore ranked results"),
    Action.PARDON: gettext_lazy("Forgive games left"),
}

TIMED = frozenset({Action.MUTE, Action.BAN, Action.RANKED_BAN})
"""Actions that have a length."""

LIFTING = frozenset(
    {Action.UNMUTE, Action.LIFT_BAN, Action.LIFT_RANKED, Action.RESTORE, Action.PARDON}
)
"""Actions in a player's favour, which settle no report about them."""

DAYS = (1, 3, 7, 30, 90, 365)
FOR_GOOD = "0"

REASONS: Mapping[str, Promise] = {
    "abuse": gettext_lazy("You insulted players in the chat."),
    "spam": gettext_lazy("You sent too many messages."),
    "name": gettext_lazy("Your name is offensive. Choose another."),
    "leaving": gettext_lazy("You left many games and kept others waiting."),
    "collusion": gettext_lazy("You teamed up with someone against a third player."),
    "help": gettext_lazy("Your ranked games show signs of outside help."),
    "second": gettext_lazy("You used more than one account to gain an advantage."),
}
"""Prepared reasons, which players read in their own language."""


def lengths() -> list[tuple[str, str]]:
    """Return the choices of a length."""
    from django.utils.translation import ngettext

    named = [(str(n), ngettext("%(n)d day", "%(n)d days", n) % {"n": n}) for n in DAYS]
    return [*named, (FOR_GOOD, _("For good"))]


class ActionForm(forms.Form):
    """Form for an action on a player, with a prepared reason, own words, or both."""

    action = forms.ChoiceField(label=gettext_lazy("Action"), choices=lambda: list(ACTIONS.items()))
    days = forms.ChoiceField(
        label=gettext_lazy("For how long"),
        choices=lengths,
        initial="7",
        required=False,
        help_text=gettext_lazy("Chat, ranked games, closed accounts."),
    )
    template = forms.ChoiceField(
        label=gettext_lazy("Reason"),
        choices=lambda: [("", _("In your own words")), *REASONS.items()],
        required=False,
    )
    words = forms.CharField(
        label=gettext_lazy("Your words"),
        max_length=REPORT_LENGTH // 2,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("The player reads the reason."),
    )
    close = forms.BooleanField(
        label=gettext_lazy("Close the open reports: we acted"), required=False, initial=True
    )

    def clean(self) -> dict[str, Any]:
        """Require a reason."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not cleaned.get("template") and not (cleaned.get("words") or "").strip():
            self.add_error("words", _("Choose a reason or write one."))
        return cleaned

    def reason_for(self, player: Player) -> str:
        """Return the reason in the player's language."""
        chosen, words = self.cleaned_data["template"], self.cleaned_data["words"].strip()
        with override(player.language or None):
            prepared = str(REASONS[chosen]) if chosen else ""
        return f"{prepared} {words}".strip()

    @property
    def length(self) -> int | None:
        """Days of an action that has a length; None for good and for the others."""
        days = self.cleaned_data["days"] or FOR_GOOD
        timed = self.cleaned_data["action"] in TIMED
        return int(days) if timed and days != FOR_GOOD else None


class NoteForm(forms.Form):
    """Form for a note that only moderators see."""

    text = forms.CharField(
        label=gettext_lazy("Note"),
        max_length=REPORT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class ReplyForm(forms.Form):
    """Form for the reply to an appeal."""

    text = forms.CharField(
        label=gettext_lazy("Reply"),
        max_length=REPORT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    granted = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])

    def clean_granted(self) -> bool:
        """Return whether the appeal is granted."""
        given: str = self.cleaned_data["granted"]
        if given not in {"yes", "no"}:
            raise ValidationError(_("Grant the appeal or turn it down."))
        return given == "yes"
