"""The mails about accounts: confirmation of addresses, forgotten passwords, and other log-ins.

Allauth says when to send which; the words and the looks, as text and HTML, are the site's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from allauth.account import app_settings
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from games.ops import true_time
from games.people.time_zones import local_moment


@dataclass(frozen=True)
class Letter:
    """The content of a mail in the active language: a few sentences, and one link as a button."""

    subject: str
    lines: tuple[str, ...]
    button: str
    url: str
    note: str = ""

    def message(
        self, *, to: str, sender: str, headers: dict[str, str] | None
    ) -> EmailMultiAlternatives:
        """Return the mail, as plain text and as HTML."""
        text = self._render("mail/letter.txt")
        automatic = {"Auto-Submitted": "auto-generated"}  # no answers from absent readers
        message = EmailMultiAlternatives(
            self.subject, text, sender, [to], headers={**automatic, **(headers or {})}
        )
        message.attach_alternative(self.html(), "text/html")
        return message

    def html(self, *, stop: str = "") -> str:
        """Return the HTML part, which loads nothing from the network.

        Args:
            stop: the address of the page that stops such mails, if players have asked for them.
        """
        return self._render("mail/letter.html", stop=stop)

    def _render(self, template: str, **further: str) -> str:
        home = f"{settings.SITE_URL}/"
        return render_to_string(template, {"letter": self, "site": home, **further}).strip()


def letter(template_prefix: str, context: dict[str, Any]) -> Letter | None:
    """Return the mail that allauth calls by this prefix; None if the site never sends it."""
    make = _LETTERS.get(template_prefix.rpartition("/")[2])
    if make is None:
        return None
    made = make(context)
    return replace(made, url=_at_site(made.url))


def _at_site(address: str) -> str:
    """Return an address of allauth's at the site's own host and port.

    Allauth takes those of the request. An attacker who requests a password reset for somebody else
    could choose them, and the mail would lead to the attacker's site.
    """
    return settings.SITE_URL + urlsplit(address).path


def _welcome(context: dict[str, Any]) -> Letter:
    name = context["user"].name
    welcome = _("Welcome to Cribbage, %(name)s!") % {"name": name}
    return _confirmation(context, welcome, _("Confirm your address so you can always get back in."))


def _address(context: dict[str, Any]) -> Letter:
    text = _("Confirm this address to add it to your account, %(name)s.")
    return _confirmation(context, text % {"name": context["user"].name})


def _confirmation(context: dict[str, Any], *lines: str) -> Letter:
    return Letter(
        subject=_("Confirm your email address"),
        lines=(
            *lines,
            _until(context, timedelta(days=app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS)),
        ),
        button=_("Confirm address"),
        url=context["activate_url"],
        note=_("Not you? Ignore this email."),
    )


def _reset(context: dict[str, Any]) -> Letter:
    text = _("Choose a new password for %(name)s.") % {"name": context["user"].name}
    return Letter(
        subject=_("Reset your password"),
        lines=(text, _until(context, timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT))),
        button=_("Choose a new password"),
        url=context["password_reset_url"],
        note=_("Not you? Ignore this email. Your password stays the same."),
    )


def _unknown(context: dict[str, Any]) -> Letter:
    text = _("You asked for a new password, but %(email)s has no account.")
    return Letter(
        subject=_("No account with this address"),
        lines=(
            text % {"email": context["email"]},
            _("Try another address, or create an account."),
        ),
        button=_("Sign up"),
        url=context["signup_url"],
        note=_("Not you? Ignore this email."),
    )


def _known(context: dict[str, Any]) -> Letter:
    text = _("You tried to use %(email)s, but it already belongs to an account.")
    return Letter(
        subject=_("You already have an account"),
        lines=(
            text % {"email": context["email"]},
            _("Log in to that account, or reset its password here."),
        ),
        button=_("Reset your password"),
        url=context["password_reset_url"],
        note=_("Not you? Ignore this email. Your account is safe."),
    )


def _removed(context: dict[str, Any]) -> Letter:
    return _notice(
        context,
        _deleted(context),
        # No new password can be asked for at this address any more.
        advice=_("Not you? Log in now, choose a new password and add your address again."),
        button=_("Log in"),
        url=reverse("account_login"),
    )


def _deleted(context: dict[str, Any]) -> str:
    return _("%(email)s is removed.") % {"email": context["deleted_email"]}


def _changed(said: Callable[[dict[str, Any]], str]) -> Callable[[dict[str, Any]], Letter]:
    """Return what makes the mail about a change of how to log in, of its sentence."""
    return lambda context: _notice(
        context,
        said(context),
        advice=_("Not you? Choose a new password now."),
        button=_("Choose a new password"),
        url=reverse("account_reset_password"),
    )


def _notice(
    context: dict[str, Any], sentence: str, *, advice: str, button: str, url: str
) -> Letter:
    known = _("Was that you, %(name)s? Then there's nothing to do.")
    return Letter(
        subject=sentence.removesuffix("."),
        lines=(sentence, known % {"name": context["user"].name}, advice),
        button=button,
        url=url,
    )


def _until(context: dict[str, Any], lifetime: timedelta) -> str:
    """Return until when the link of a mail works: its time begins now, however late it is sent."""
    end = local_moment(true_time.now() + lifetime, context["user"])
    return _("The link works until %(when)s (%(zone)s).") % end


_LETTERS: dict[str, Callable[[dict[str, Any]], Letter]] = {
    "email_confirmation_signup": _welcome,
    "email_confirmation": _address,
    "password_reset_key": _reset,
    "unknown_account": _unknown,
    "account_already_exists": _known,
    "password_changed": _changed(lambda _context: _("Password changed.")),
    "password_set": _changed(lambda _context: _("Password changed.")),
    "password_reset": _changed(lambda _context: _("Password changed.")),
    "email_changed": _changed(lambda _context: _("Main address changed.")),
    "email_deleted": _changed(_deleted),
    "email_removed": _removed,
    "totp_activated": _changed(lambda _context: _("Authenticator app turned on.")),
    "totp_deactivated": _changed(lambda _context: _("Authenticator app turned off.")),
    "recovery_codes_generated": _changed(lambda _context: _("New recovery codes are ready.")),
    "webauthn_added": _changed(lambda _context: _("Passkey added.")),
    "webauthn_removed": _changed(lambda _context: _("Passkey removed.")),
}
