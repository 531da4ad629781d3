"""Allauth's forms for passkeys and two-step login with the site's labels (`MFA_FORMS`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from allauth.core import context
from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as base_forms
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp_forms
from allauth.mfa.webauthn import forms as webauthn_forms
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from fido2.webauthn import AuthenticationResponse, RegistrationResponse

from games.models import Player
from games.models.advisory_lock import Turn, take_turn
from games.pages.people.account_forms import Relabelled
from games.people.player_lock import lock_rows

ANSWERED = 600
"""Seconds for which an answered challenge is remembered; a request takes much less."""


def _use(user: Player, code: str) -> bool:
    """Note that a code of a player's app was used; return whether that was the first time.

    Allauth forgets a code after one period, but the tolerance lets it hold for longer.
    """
    holds = app_settings.TOTP_PERIOD * (2 * app_settings.TOTP_TOLERANCE + 1)
    digits = "".join(filter(str.isdigit, code))
    return bool(cache.add(f"totp:{user.pk}:{digits}", True, timeout=holds))


class _Code:
    """Form mixin that checks a code of an app, or a recovery code."""

    def clean_code(self) -> str:
        """Return the code; an app's counts once."""
        wrong = get_adapter().validation_error("incorrect_code")
        try:
            code = str(super().clean_code())  # type: ignore[misc]
        except Authenticator.DoesNotExist:
            # The recovery codes have been replaced, or turned off, at this moment.
            raise wrong from None
        found: Authenticator = self.authenticator  # type: ignore[attr-defined]
        if found.type == Authenticator.Type.TOTP and not _use(found.user, code):
            raise wrong
        return code


class CodeForm(Relabelled, _Code, base_forms.AuthenticateForm):
    """The second step of a login: a code of the app, or a recovery code."""

    labels: ClassVar = {"code": _("Code")}


class CodeAgainForm(Relabelled, _Code, base_forms.ReauthenticateForm):
    """A code that confirms the identity of a player who is logged in."""

    labels: ClassVar = {"code": _("Code")}


class ActivateAppForm(Relabelled, totp_forms.ActivateTOTPForm):
    """The first code of a new authenticator app; it cannot be used for a login afterwards."""

    labels: ClassVar = {"code": _("Code from the app")}

    def clean_code(self) -> str:
        """Return the code."""
        code = str(super().clean_code())
        _use(self.user, code)  # perhaps used already, by the first of two clicks
        return code


@contextmanager
def _well_formed() -> Iterator[None]:
    """Refuse a malformed credential, which no browser sends: allauth fails on some."""
    try:
        yield
    except (KeyError, TypeError, ValueError):
        raise get_adapter().validation_error("incorrect_code") from None


class _Credential:
    """Form mixin that checks a passkey."""

    def clean_credential(self) -> Authenticator:
        """Return the passkey; its answer to a challenge counts once.

        The session forgets the challenge only at the end of the request, so that the same answer,
        sent several times at the same moment, would log in as often.
        """
        with _well_formed():
            found: Authenticator = super().clean_credential()  # type: ignore[misc]
        credential: Any = self.cleaned_data["credential"]  # type: ignore[attr-defined]
        answer: Any = AuthenticationResponse.from_dict(credential)
        challenge = answer.response.client_data.challenge.hex()
        if not cache.add(f"passkey:{challenge}", True, timeout=ANSWERED):
            raise get_adapter().validation_error("incorrect_code")
        return found


class PasskeyLoginForm(_Credential, webauthn_forms.LoginWebAuthnForm):
    """A login with a passkey alone, in a transaction."""

    def clean_credential(self) -> Authenticator:
        """Return the passkey, which cannot be removed before the login has ended."""
        found = super().clean_credential()
        visitor = context.request.user
        lock_rows(*(each for each in (visitor, found.user) if isinstance(each, Player)))
        if not Authenticator.objects.filter(pk=found.pk).exists():
            raise get_adapter().validation_error("incorrect_code")
        return found


class PasskeyForm(_Credential, webauthn_forms.AuthenticateWebAuthnForm):
    """The second step of a login with a passkey."""


class PasskeyAgainForm(_Credential, webauthn_forms.ReauthenticateWebAuthnForm):
    """A passkey that confirms the identity of a player who is logged in."""


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

    def clean(self) -> dict[str, Any]:
        """Return the fields, if the passkey was made just now and no other account has it.

        A passkey that the player has already is no error: the first of two clicks added it, and
        used up its challenge.
        """
        with _well_formed():
            try:
                fields = super().clean() or {}
            except ValidationError:
                fields = self.cleaned_data
                if not self.is_known():
                    raise
            if "credential" in fields:
                _check_id(fields["credential"])
        if "credential" in fields:
            take_turn(Turn.NEW_PASSKEY)
            if self._same(fields).exclude(user=self.user).exists():
                raise ValidationError(
                    _("This passkey belongs to another account. Create a new one."), "taken"
                )
        return fields

    def is_known(self) -> bool:
        """Return whether the player has this passkey already: the first of two clicks added it."""
        return self._same(self.cleaned_data).filter(user=self.user).exists()

    def _same(self, fields: dict[str, Any]) -> QuerySet[Any]:
        """Return the same passkey as it is stored, of any account."""
        rows: QuerySet[Any] = Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN)
        return rows.filter(data__credential__id=fields["credential"]["id"])


def _check_id(credential: dict[str, Any]) -> None:
    """Check that a new passkey is stored under the id that it was made with.

    Raises:
        ValueError: if it is not.
    """
    made = RegistrationResponse.from_dict(credential)
    own = made.response.attestation_object.auth_data.credential_data
    if own is None or made.raw_id != own.credential_id or made.id != credential["id"]:
        raise ValueError


class EditPasskeyForm(Relabelled, webauthn_forms.EditWebAuthnForm):
    """A new name for a passkey."""

    labels: ClassVar = {"name": _("Name of this device")}
