"""Mails and push messages about made-up players, for the page of all texts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from allauth.account.adapter import get_adapter
from django.contrib.sites.shortcuts import get_current_site
from django.core.mail import EmailMessage
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import get_language

from games.correspondence import reminders
from games.correspondence.notice_texts import mail_message, push_payload
from games.engine.state import Ruleset
from games.models import Match, Notice, Player, Reminder, Seat
from games.people.accounts import create_guest

ADDRESS = "ann@example.org"
ACCOUNT_MAILS = (
    "email_confirmation_signup",
    "email_confirmation",
    "password_reset_key",
    "unknown_account",
    "account_already_exists",
    "password_changed",
    "email_changed",
    "email_deleted",
    "email_removed",
    "totp_activated",
    "totp_deactivated",
    "recovery_codes_generated",
    "webauthn_added",
    "webauthn_removed",
)
"""The mails that allauth sends with the site's settings."""

NOTICE_MAILS = (
    ("your_turn", Notice.Kind.TURN),
    ("accepted", Notice.Kind.TAKEN),
    ("time_running_out", Notice.Kind.DUE),
    ("match_over", Notice.Kind.ENDED),
)
"""The mails about correspondence matches: a name for each, and the kind of the notice."""

REMINDERS = ("reminder", "begun")
"""The mails about tournaments: that one begins soon, and that a match has begun."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail: its name in the code, its subject, its plain text, and its HTML or ""."""

    name: str
    subject: str
    text: str
    html: str


@dataclass(frozen=True, slots=True)
class Push:
    """A push message: its kind, title and text."""

    kind: str
    title: str
    body: str


def letters(request: HttpRequest) -> list[Letter]:
    """Return every mail of the site in the active language, to a player called Ann."""
    with _table() as (ann, match):
        due = timezone.now() + timedelta(days=3)
        language = get_language() or "en"
        turns = [
            (
                name,
                mail_message(
                    player=ann, match=match, to=ADDRESS, due=due, language=language, kind=kind
                ),
            )
            for name, kind in NOTICE_MAILS
        ]
        begins = [
            (name, reminders.mail_message(_reminder(ann, name), to=ADDRESS, language=language))
            for name in REMINDERS
        ]
        account = [(name, _account_mail(request, ann, name)) for name in ACCOUNT_MAILS]
        return [_letter(name, mail) for name, mail in [*turns, *begins, *account]]


def pushes() -> list[Push]:
    """Return every push message of the site in the active language, to a player called Ann."""
    with _table() as (ann, match):
        notices = [Notice(player=ann, match=match, kind=kind) for kind in Notice.Kind]
        language = get_language() or "en"
        payloads = [(str(each.kind), push_payload(each, language=language)) for each in notices]
        payloads += [
            (name, reminders.push_payload(_reminder(ann, name), language=language))
            for name in REMINDERS
        ]
        return [Push(kind, said["title"], said["body"]) for kind, said in payloads]


@contextmanager
def _table() -> Iterator[tuple[Player, Match]]:
    """Yield Ann, and her match against Bob; nothing of it stays in the database."""
    with transaction.atomic():
        ann, bob = create_guest(), create_guest()
        ann.name, bob.name = "Ann", "Bob"  # accounts may have these names
        Player.objects.bulk_update([ann, bob], ["name"])
        match = Match.objects.create(
            ruleset=Ruleset().to_dict(), created_by=bob, status=Match.Status.FINISHED, winner=0
        )
        Seat.objects.create(match=match, seat=0, player=ann, score=121)
        Seat.objects.create(match=match, seat=1, player=bob, score=98)
        yield ann, match
        transaction.set_rollback(True)


def _reminder(player: Player, name: str) -> Reminder:
    """Return a reminder of a made-up tournament, which is not stored."""
    until = timezone.now() + timedelta(minutes=15)
    return Reminder(
        player=player, key="event-1", title="Cribbage Cup", address="/tournaments/made-up/",
        until=until, begun=name == "begun",
    )  # fmt: skip


def _account_mail(request: HttpRequest, player: Player, name: str) -> EmailMessage:
    home = request.build_absolute_uri("/")
    context = {
        "request": request,
        "user": player,
        "username": player.name,
        "email": ADDRESS,
        "deleted_email": ADDRESS,
        "current_site": get_current_site(request),
        "key": "made-up-key",
        "activate_url": f"{home}accounts/confirm-email/made-up-key/",
        "password_reset_url": f"{home}accounts/password/reset/key/made-up-key/",
        "signup_url": f"{home}accounts/signup/",
    }
    mail: EmailMessage = get_adapter(request).render_mail(f"account/email/{name}", ADDRESS, context)
    return mail


def _letter(name: str, mail: EmailMessage) -> Letter:
    parts = getattr(mail, "alternatives", None) or [("", "")]
    return Letter(name, str(mail.subject), str(mail.body).strip(), str(parts[0][0]))
