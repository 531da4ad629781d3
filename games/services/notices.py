"""What a player asks to be told while he is away, and in which browsers."""

from __future__ import annotations

from typing import Any

from games import notify, push
from games.models import MailChoice, Notice, Player, PushSubscription
from games.refusals import Refused

MOST_BROWSERS = 10
"""Browsers of one player; the one that asked first is forgotten for a further one."""


def choose_mails(*, player: Player, wanted: bool, language: str) -> None:
    """Have a player told by mail when it is his turn, or no more.

    Raises:
        Refused: ``no_address`` for mails to somebody without a verified address.
    """
    if not wanted:
        MailChoice.objects.filter(player=player).delete()
        waiting = Notice.objects.filter(player=player, claimed_at__isnull=True)
        waiting.filter(way=Notice.Way.MAIL).delete()
        return
    if not notify.address_of(player):
        raise Refused("no_address")
    MailChoice.objects.update_or_create(player=player, defaults={"language": language})


def subscribe(*, player: Player, browser: dict[str, object], language: str) -> PushSubscription:
    """Note a browser; whose it was before, it is the player's now.

    Args:
        player: who asked in it.
        browser: ``endpoint`` and ``keys`` (``p256dh``, ``auth``), as a push manager gives them.
        language: of the page.

    Raises:
        Refused: ``no_push`` where the site has no key; ``bad_browser`` for an address that is no
            known push service's, and for keys that are none.
    """
    if not push.available():
        raise Refused("no_push")
    endpoint, keys = browser.get("endpoint"), browser.get("keys")
    public_key, secret = _texts(keys)
    if not isinstance(endpoint, str) or len(endpoint) > 600 or not push.is_push_service(endpoint):
        raise Refused("bad_browser", "endpoint")
    if not push.are_keys(public_key, secret):
        raise Refused("bad_browser", "keys")
    row, _made = PushSubscription.objects.update_or_create(
        endpoint=endpoint,
        defaults={
            "player": player,
            "public_key": public_key,
            "secret": secret,
            "language": language,
        },
    )
    older = PushSubscription.objects.filter(player=player).order_by("-pk")[push.MOST_BROWSERS :]
    PushSubscription.objects.filter(pk__in=list(older.values_list("pk", flat=True))).delete()
    return row


def _texts(keys: object) -> tuple[str, str]:
    told: dict[str, Any] = keys if isinstance(keys, dict) else {}
    public_key, secret = told.get("p256dh"), told.get("auth")
    if not isinstance(public_key, str) or not isinstance(secret, str):
        return "", ""
    return public_key.rstrip("="), secret.rstrip("=")
