"""Mails to players about changes of how they log in, which someone else may have made."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
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
            with translation.override(user.language or translation.get_language()):
                super().send_notification_mail(
                    template_prefix, user, {**(context or {}), "user": user}, row.email
                )
