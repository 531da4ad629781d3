"""Texts of mails and pushes in the reader's language; they never name a card."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import formats, timezone, translation
from django.utils.translation import gettext as _

from games.correspondence import local_hours
from games.models import Match, Notice, Player
from games.people.way_back import way_back_to

_SALT = "games.notices.stop"


def mail_message(
    *,
    player: Player,
    match: Match,
    to: str,
    due: datetime,
    language: str,
    kind: str = Notice.Kind.TURN,
) -> EmailMultiAlternatives:
    """Return the mail that tells a player it is their turn, as plain text and as HTML.

    For ``kind`` TAKEN it says that their game was accepted.
    """
    with translation.override(player.language or language):
        local = timezone.localtime(due, local_hours.zone_of(player))
        when = f"{formats.date_format(local)}, {formats.date_format(local, 'H:i')}"
        stop = settings.SITE_URL + reverse("games:notices_stop", args=[stop_token(player)])
        parts = {
            "title": _title(kind, match, player),
            "said": _said(kind, match, player),
            "until": _("You have until %(when)s (%(zone)s).")
            % {"when": when, "zone": local_hours.zone_text(local)},
            "address": account_address(reverse("games:table", args=[match.public_id])),
            "stop": stop,
        }
        ending = _("Stop these emails: %(address)s") % {"address": stop}
        letter = EmailMultiAlternatives(
            subject=parts["title"],
            body="\n\n".join([parts["said"], parts["until"], parts["address"], ending]) + "\n",
            to=[to],
            headers={
                "List-Unsubscribe": f"<{stop}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
                "Auto-Submitted": "auto-generated",
            },
        )
        attach_html(letter, {**parts, "link": _("Play your turn")})
        return letter


def attach_html(letter: EmailMultiAlternatives, parts: dict[str, str]) -> None:
    """Add the HTML part of a mail that players have asked for.

    Args:
        letter: the mail.
        parts: ``title``, the sentences ``said`` and ``until``, the addresses ``address`` and
            ``stop``, and ``link``, the text of the first one.
    """
    html = render_to_string("games/correspondence/notice_mail.html", parts)
    letter.attach_alternative(html, "text/html")


def push_payload(notice: Notice, *, language: str) -> dict[str, str]:
    """Return the payload of a push message, which the browser's service worker shows."""
    match, player = notice.match, notice.player
    with translation.override(player.language or language):
        if notice.kind != Notice.Kind.INVITED:
            title = _title(notice.kind, match, player)
            address = reverse("games:table", args=[match.public_id])
        else:
            name = match.created_by.name if match.created_by is not None else ""
            title = _("%(name)s invites you to a table") % {"name": name}
            address = reverse("games:join", args=[match.invite])
        return {
            "title": title,
            "body": _("Cribbage"),
            "url": address,
            "tag": f"{notice.kind}-{match.public_id}",
        }


def _title(kind: str, match: Match, player: Player) -> str:
    if kind == Notice.Kind.TAKEN:
        return _("%(name)s accepted your game") % {"name": opponents(match, player)}
    return turn_title(match, player)


def _said(kind: str, match: Match, player: Player) -> str:
    names = opponents(match, player)
    if kind == Notice.Kind.TAKEN:
        return _("%(name)s accepted your game. Your first hand is waiting.") % {"name": names}
    return _("It's your turn against %(names)s.") % {"names": names}


def turn_title(match: Match, player: Player) -> str:
    """Return the title for a turn: "Your turn against Ann"."""
    return _("Your turn against %(names)s") % {"names": opponents(match, player)}


def opponents(match: Match, player: Player) -> str:
    """Return the names of the opponents of ``player`` as one text."""
    rows = match.seats.exclude(player=player, computer=False).order_by("seat")
    names = [name or "" for name in rows.values_list("player__name", flat=True)]
    if len(names) < 2:
        return "".join(names)
    return _("%(one)s and %(other)s") % {"one": names[0], "other": names[1]}


def account_address(path: str) -> str:
    """Return the address, for a mail, of a page that its reader may have to log in for.

    It is that of the log-in page, which leads on at once if the reader is logged in already.
    """
    return settings.SITE_URL + reverse("account_login") + way_back_to(path)


def stop_token(player: Player) -> str:
    """Return a signed token that allows unsubscribing a player from mails, and nothing else."""
    return signing.Signer(salt=_SALT).sign(player.public_id)


def public_id_of_token(token: str) -> str:
    """Return the public id of the player whom an unsubscribe token belongs to.

    Raises:
        BadSignature: if this site has not signed it.
    """
    return signing.Signer(salt=_SALT).unsign(token)
