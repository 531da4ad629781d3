"""Texts of mails and pushes in the reader's language; they never name a card."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from games.correspondence.endings import ending
from games.models import Match, Notice, Player
from games.people.account_mails import Letter
from games.people.time_zones import local_moment
from games.people.way_back import way_back_to

_SALT = "games.notices.stop"


def mail_message(
    *,
    player: Player,
    match: Match,
    to: str,
    due: datetime | None,
    language: str,
    kind: str = Notice.Kind.TURN,
) -> EmailMultiAlternatives:
    """Return the mail that tells a player it is their turn, as plain text and as HTML.

    For other kinds it says that their game was accepted (TAKEN), that their time is running out
    (DUE), or how the match ended (ENDED, without ``due``).
    """
    with translation.override(player.language or language):
        stop = settings.SITE_URL + reverse("games:notices_stop", args=[stop_token(player)])
        parts = {
            "title": _title(kind, match, player),
            "said": _said(kind, match, player),
            "until": _until(due, player),
            "address": account_address(reverse("games:table", args=[match.public_id])),
            "stop": stop,
        }
        ending = _("Stop these emails: %(address)s") % {"address": stop}
        paragraphs = (parts["said"], parts["until"], parts["address"], ending)
        letter = EmailMultiAlternatives(
            subject=parts["title"],
            body="\n\n".join(filter(None, paragraphs)) + "\n",
            to=[to],
            headers=headers(stop),
        )
        over = kind == Notice.Kind.ENDED
        attach_html(letter, {**parts, "link": _("See the result") if over else _("Play your turn")})
        return letter


def _until(due: datetime | None, player: Player) -> str:
    if due is None:
        return ""
    return _("You have until %(when)s (%(zone)s).") % local_moment(due, player)


def headers(stop: str) -> dict[str, str]:
    """Return the headers of a mail that players can stop at the address `stop` (RFC 8058)."""
    return {
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }


def attach_html(letter: EmailMultiAlternatives, parts: dict[str, str]) -> None:
    """Add the HTML part of a mail that players have asked for.

    Args:
        letter: the mail.
        parts: ``title``, the sentences ``said`` and ``until``, the addresses ``address`` and
            ``stop``, and ``link``, the text of the first one.
    """
    lines = tuple(filter(None, (parts["said"], parts.get("until", ""))))
    page = Letter(parts["title"], lines, parts["link"], parts["address"])
    letter.attach_alternative(page.html(stop=parts["stop"]), "text/html")


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
    if kind == Notice.Kind.DUE:
        return _("Your time against %(names)s is running out") % {"names": opponents(match, player)}
    if kind == Notice.Kind.ENDED:
        return result_title(match, player)
    return turn_title(match, player)


def _said(kind: str, match: Match, player: Player) -> str:
    names = opponents(match, player)
    if kind == Notice.Kind.TAKEN:
        return _("%(name)s accepted your game. Your first hand is waiting.") % {"name": names}
    if kind == Notice.Kind.DUE:
        return _("It's still your turn against %(names)s.") % {"names": names}
    if kind == Notice.Kind.ENDED:
        return f"{result_title(match, player)}. {_score(match, player)}".strip()
    return _("It's your turn against %(names)s.") % {"names": names}


def turn_title(match: Match, player: Player) -> str:
    """Return the title for a turn: "Your turn against Ann"."""
    return _("Your turn against %(names)s") % {"names": opponents(match, player)}


def result_title(match: Match, player: Player) -> str:
    """Return how a finished match ended, for one of its players: "You won against Ann"."""
    end, names = ending(match), opponents(match, player)
    if match.winner is None:
        return _("Your match against %(names)s was drawn") % {"names": names}
    winner = match.seats.select_related("player").get(seat=match.winner)
    if winner.player_id == player.pk:
        if end.resigned is not None:
            return _("You won: %(name)s resigned") % {"name": names}
        return _("You won against %(names)s") % {"names": names}
    if end.claimed:
        return _("You lost on time against %(names)s") % {"names": names}
    if match.seats.count() == 2:
        return _("You lost against %(names)s") % {"names": names}
    return _("%(name)s won your match") % {"name": winner.shown_name}


def _score(match: Match, player: Player) -> str:
    """Return the final score in a sentence, and who played it to the end; "" if one resigned."""
    if match.ended_by == Match.EndedBy.RESIGNED:
        return ""
    rows = list(match.seats.order_by("seat"))
    own = next(row for row in rows if row.player_id == player.pk and not row.computer)
    several = match.ruleset.get("games", 1) > 1
    seats = [rows[(own.seat + step) % len(rows)] for step in range(len(rows))]
    points = [row.match_points if several else row.score for row in seats]
    said = _("Final score, yours first: %(score)s.") % {"score": " : ".join(map(str, points))}
    if own.stand_in_id is not None:
        said += " " + _("The computer played to the end for you.")
    return said


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
