"""Networks from which players enter ranked games: recorded as keyed hashes, kept for a month.

Identities of one network may be one person's (`ratings.standard.identities.maybe_same`). This is
never proof of anything.
"""

from __future__ import annotations

from datetime import timedelta
from ipaddress import ip_address, ip_network

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from games.api import BATCH, Player, job
from ratings.models import NetworkUse

PREFIXES = {4: 24, 6: 56}
"""IP version -> length of the prefix: a customer who asks the provider for another address usually
gets one with the same prefix."""
KEPT = timedelta(days=30)
"""Time after which a row is deleted."""
REFRESHED_AFTER = timedelta(minutes=10)
"""Age from which the time of a row is renewed."""
_DIGITS = 32


def digest_of(address: str) -> str:
    """Return the keyed hash of an address's network; "" for a private address.

    Private addresses say nothing about people: all players on a local network have them, and behind
    a proxy that is not configured, all requests seem to come from the proxy.
    """
    found = ip_address(address)
    if not found.is_global:
        return ""
    network = ip_network((found, PREFIXES[found.version]), strict=False)
    mac = salted_hmac("ratings.matchmaking.networks", str(network), algorithm="sha256")
    return mac.hexdigest()[:_DIGITS]


def record_network(*, player: Player, address: str) -> None:
    """Record that a player enters ranked games from an address."""
    digest = digest_of(address)
    if not digest:
        return
    now = timezone.now()
    rows = NetworkUse.objects.filter(player=player, digest=digest)
    if rows.filter(seen_at__gt=now - REFRESHED_AFTER).exists() or rows.update(seen_at=now):
        return
    try:
        with transaction.atomic():
            NetworkUse.objects.create(player=player, digest=digest, seen_at=now)
    except IntegrityError:
        pass  # a concurrent request has stored it


def merge(*, guest: int, account: int) -> None:
    """Move a guest's rows to the account that they log in to."""
    known = NetworkUse.objects.filter(player_id=account).values_list("digest", flat=True)
    NetworkUse.objects.filter(player_id=guest, digest__in=list(known)).delete()
    NetworkUse.objects.filter(player_id=guest).update(player_id=account)


def delete_old() -> int:
    """Delete the rows that are older than `KEPT`; return how many."""
    number, _by_table = NetworkUse.objects.filter(seen_at__lt=timezone.now() - KEPT).delete()
    return number


@job(queue=BATCH)
def forget_networks() -> None:
    """Delete old rows; every night."""
    delete_old()
