"""Allauth's adapter for passkeys and two-step login, in the site's words (`MFA_ADAPTER`).

And the step of a login in which it asks for a code or passkey.
"""

import base64
import logging
import secrets
from typing import Any, ClassVar

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.stages import AuthenticateStage
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Player
from games.people.sealing import seal, unseal

logger = logging.getLogger(__name__)

_SALT = b"games.people.two_factor"


class TwoFactorAdapter(DefaultMFAAdapter):
    """Adapter with the site's own sentences, and players' names instead of their addresses."""

    error_messages: ClassVar = {
        **DefaultMFAAdapter.error_messages,
        "add_email_blocked": gettext_lazy("Turn off two-step login first."),
        "cannot_generate_recovery_codes": gettext_lazy("Add a passkey or an app first."),
        "incorrect_code": gettext_lazy("Wrong code. Try again."),
        "unverified_email": gettext_lazy("Confirm your email address first."),
    }

    def encrypt(self, text: str) -> str:
        """Return the key of an app or of recovery codes as the database keeps it."""
        return seal(text, salt=_SALT)

    def decrypt(self, encrypted_text: str) -> str:
        """Return such a key; if the site's key was lost, a random one that no code fits."""
        text = unseal(encrypted_text, salt=_SALT)
        if text is None:
            logger.warning("a second step was stored under another SECRET_KEY, and fits no code")
            return base64.b32encode(secrets.token_bytes(20)).decode()
        return text

    def generate_authenticator_name(self, user: Any, type: Any) -> str:  # noqa: A002 - allauth's
        """Return the name of a passkey that its owner has not named."""
        return _("My device")

    def _get_user_identifier(self, user: Any) -> str:
        return str(user.name)


class SecondStep(AuthenticateStage):
    """The second step of a login, which ends with the password that was given for the first one.

    Allauth takes it for a quarter of an hour, whatever becomes of the password meanwhile.
    """

    def handle(self) -> tuple[Any, bool]:
        """Have the session remember the password, as that of a finished login does."""
        if self.login.user is not None:
            self.state["password"] = self.login.user.get_session_auth_hash()
        handled: tuple[Any, bool] = super().handle()
        return handled

    def is_of(self, player: Player) -> bool:
        """Return whether a player, as stored now, still has the password of the first step."""
        return bool(self.state.get("password") == player.get_session_auth_hash())
