"""Notification settings of a player: mails, and browsers for push messages."""

from __future__ import annotations

from typing import Any

from games.correspondence import notify, push
from games.models import MailChoice, Notice, Player, PushSubscription
from games.people.player_lock import locked_player
from games.wire.refusals import Refused


def choose_mails(*, player: Player, wanted: bool, language: str) -> None:
    """Switch mails about a player's turns on or off.

    Raises:
        Refused: ``no_address`` for a player without a verified address.
    """
    if not wanted:
        MailChoice.objects.filter(player=player).delete()
        waiting = Notice.objects.filter(player=player, sent_at__isnull=True)
        waiting.filter(way=Notice.Way.MAIL).delete()
        return
    if not notify.address_of(player):
        raise Refused("no_address")
    with locked_player(player):
        MailChoice.objects.update_or_create(player=player, defaults={"language": language})


def subscribe(*, player: Player, browser: dict[str, object], language: str) -> PushSubscription:
    """Subscribe a browser to push messages; a previous player's subscription is replaced.

    Args:
        player: the player in that browser.
        browser: ``endpoint`` and ``keys`` (``p256dh``, ``auth``) from its push manager.
        language: the language of the page.

    Raises:
        Refused: ``no_push`` if the site has no key; ``bad_browser`` for an unknown push service or
            invalid keys.
    """
    if not push.available():
        raise Refused("no_push")
    endpoint, keys = browser.get("endpoint"), browser.get("keys")
    public_key, secret = _texts(keys)
    if not isinstance(endpoint, str) or len(endpoint) > 600 or not push.is_push_service(endpoint):
        raise Refused("bad_browser", "endpoint")
    if not push.are_keys(public_key, secret):
        raise Refused("bad_browser", "keys")
    with locked_player(player):
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
    values: dict[str, Any] = keys if isinstance(keys, dict) else {}
    public_key, secret = values.get("p256dh"), values.get("auth")
    if not isinstance(public_key, str) or not isinstance(secret, str):
        return "", ""
    return public_key.rstrip("="), secret.rstrip("=")
