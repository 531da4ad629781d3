"""Allauth's forms for passkeys and two-step login with the site's labels (`MFA_FORMS`)."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.mfa.base import forms as base_forms
from allauth.mfa.totp import forms as totp_forms
from allauth.mfa.webauthn import forms as webauthn_forms
from django.utils.translation import gettext_lazy as _

from games.pages.people.account_forms import Relabelled


class CodeForm(Relabelled, base_forms.AuthenticateForm):
    """The second step of a login: a code of the app, or a recovery code."""

    labels: ClassVar = {"code": _("Code")}


class CodeAgainForm(Relabelled, base_forms.ReauthenticateForm):
    """A code to confirm who one is."""

    labels: ClassVar = {"code": _("Code")}


class ActivateAppForm(Relabelled, totp_forms.ActivateTOTPForm):
    """The first code of a new authenticator app."""

    labels: ClassVar = {"code": _("Code from the app")}


class AddPasskeyForm(Relabelled, webauthn_forms.AddWebAuthnForm):
    """A new passkey."""

    labels: ClassVar = {
        "name": _("Name of this device"),
        "passwordless": _("Log in without a password"),
    }
    helps: ClassVar = {"passwordless": _("Untick for a plain security key (second step only).")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        initial = kwargs.setdefault("initial", {})
        initial.setdefault("passwordless", True)
        initial.setdefault("name", "")
        super().__init__(*args, **kwargs)


class EditPasskeyForm(Relabelled, webauthn_forms.EditWebAuthnForm):
    """A new name for a passkey."""

    labels: ClassVar = {"name": _("Name of this device")}
