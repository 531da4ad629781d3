"""Allauth's forms with the site's labels and without placeholders; `ACCOUNT_FORMS` names them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from allauth.account import forms as allauth_forms
from allauth.account.utils import filter_users_by_email
from django import forms
from django.utils.translation import gettext_lazy as _

from games.models import Player
from games.models.names import LONGEST, clean, skeleton

PASSWORD_HINT = _("At least 8 characters. Not a common password, and not your name.")
NEW_PASSWORD = {"password1": _("New password"), "password2": _("New password again")}


class Relabelled(forms.Form):
    """Form mixin that replaces labels and help texts, by the name of the field."""

    labels: ClassVar[Mapping[str, Any]] = {}
    helps: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            if name in self.labels:
                field.label = self.labels[name]
            if name in self.helps:
                field.help_text = self.helps[name]


class LoginForm(Relabelled, allauth_forms.LoginForm):
    """Log in by name or address."""

    labels: ClassVar = {"login": _("Name or email"), "remember": _("Stay logged in")}

    def user_credentials(self) -> dict[str, str]:
        """Return what is checked; the name that others see stands for that of the login.

        The two differ after moderators have removed a name.
        """
        found: dict[str, str] = super().user_credentials()
        given = clean(found.get("username", ""))
        if Player.objects.filter(username__iexact=given).exists():
            found["username"] = given
        else:
            rows = Player.objects.filter(kind=Player.Kind.PERSON, name_skeleton=skeleton(given))
            person = rows.first()
            if person is not None and person.name.casefold() == given.casefold():
                found["username"] = person.username
        return found


class SignupForm(Relabelled, allauth_forms.SignupForm):
    """Sign up."""

    labels: ClassVar = {"username": _("Name"), "email": _("Email address (optional)")}
    helps: ClassVar = {
        "username": _("Others see this name. You log in with it too."),
        "email": _("To reset your password and, if you like, get emails for your turn."),
        "password1": PASSWORD_HINT,
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs["maxlength"] = LONGEST


class AddEmailForm(Relabelled, allauth_forms.AddEmailForm):
    """Add an address to an account."""

    labels: ClassVar = {"email": _("Email address")}


class ChangePasswordForm(Relabelled, allauth_forms.ChangePasswordForm):
    """Change the password."""

    labels: ClassVar = {"oldpassword": _("Current password"), **NEW_PASSWORD}
    helps: ClassVar = {"password1": PASSWORD_HINT}


class SetPasswordForm(Relabelled, allauth_forms.SetPasswordForm):
    """Set the first password of an account."""

    labels: ClassVar = NEW_PASSWORD
    helps: ClassVar = {"password1": PASSWORD_HINT}


class PasswordAgainForm(Relabelled, allauth_forms.ReauthenticateForm):
    """Ask again for the password of the player who is logged in."""


class ResetPasswordForm(Relabelled, allauth_forms.ResetPasswordForm):
    """Ask for a link to choose a new password."""

    labels: ClassVar = {"email": _("Email address")}
    users: list[Any]

    def clean_email(self) -> str:
        """Send the link to players whose account is closed, too: the log-in tells them why."""
        email: str = super().clean_email()
        if not self.users:
            self.users = filter_users_by_email(email, is_active=False, prefer_verified=True)
        return email


class ResetPasswordKeyForm(Relabelled, allauth_forms.ResetPasswordKeyForm):
    """Choose a new password through a mailed link."""

    labels: ClassVar = NEW_PASSWORD
    helps: ClassVar = {"password1": PASSWORD_HINT}
