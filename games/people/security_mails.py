"""Mails to players about changes of how they log in, which someone else may have made."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.account.models import EmailAddress
from allauth.account.signals import email_removed
from django.utils import translation


class SecurityMails(DefaultAccountAdapter):
    """Part of the site's adapter: these mails go to confirmed addresses, in the player's language.

    Allauth says when, with ACCOUNT_EMAIL_NOTIFICATIONS.
    """

    def send_notification_mail(
        self,
        template_prefix: str,
        user: Any,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Mail a player what has changed: to one of their addresses, or to the main one."""
        rows = EmailAddress.objects.filter(user=user, verified=True)
        row = (rows.filter(email=email) if email else rows.order_by("-primary", "pk")).first()
        if row is not None:
            self._notify(template_prefix, user, context or {}, row.email)

    def notify_removed(self, user: Any, address: EmailAddress) -> None:
        """Mail a player at the address that was removed, unless it was never confirmed.

        It may have been the only one, so that no other mail says so.
        """
        if address.verified:
            context = {"deleted_email": address.email}
            self._notify("account/email/email_removed", user, context, address.email)

    def _notify(self, prefix: str, user: Any, context: dict[str, Any], email: str) -> None:
        with translation.override(user.language or translation.get_language()):
            super().send_notification_mail(prefix, user, {**context, "user": user}, email)


def listen() -> None:
    """Tell an address that it was removed."""
    email_removed.connect(tell_removed, dispatch_uid="games.people.security_mails.removed")


def tell_removed(*, user: Any, email_address: EmailAddress, **_: Any) -> None:
    """Tell an address that it was removed; a receiver of allauth's ``email_removed``."""
    get_adapter().notify_removed(user, email_address)
