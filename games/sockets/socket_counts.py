"""Limits on the number of open sockets of one player and of one network address.

Each process counts its own sockets, so with several processes the limits apply to each.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, cast

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest

from games.people import limits

Holder = tuple[str, object]
"""The kind of holder ("player" or "address"), and its key."""

_open: Counter[Holder] = Counter()


def take(holder: Holder, most: int) -> bool:
    """Count one more socket of ``holder``; return False if it has ``most`` already (0: no limit).

    Each socket that was counted has to be returned by `release`.
    """
    if most and _open[holder] >= most:
        return False
    _open[holder] += 1
    return True


def release(holder: Holder) -> None:
    """Count one socket less."""
    _open[holder] -= 1
    if _open[holder] <= 0:
        del _open[holder]


LONGEST_KEPT = 200
"""Maximum number of bytes of headers for which an address is remembered."""


class _Headers(dict[str, str]):
    """Headers by lower-case name, which can be looked up in any case."""

    def get(self, name: str, default: Any = None) -> Any:
        """Return a header, or the default."""
        return super().get(name.lower(), default)


def address_of(scope: dict[str, Any]) -> str:
    """Return the network address of a socket's client, as for a page; "" if it is unknown.

    Behind a proxy it is in a header, which is trusted only as far as the settings allow.
    """
    proxied = getattr(settings, "ALLAUTH_TRUSTED_CLIENT_IP_HEADER", None) or ""
    proxies = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    names = (b"x-forwarded-for",) if proxies else ()
    names = (*names, proxied.lower().encode()) if proxied else names
    said = tuple((name, value) for name, value in scope.get("headers", ()) if name in names)
    client = scope.get("client") or ("", 0)
    # A client may send as much as it likes in a header that its proxy only adds to.
    known = sum(len(value) for _, value in said) <= LONGEST_KEPT
    found = _address if known else _address.__wrapped__
    return found(client[0], said, proxied, proxies)


@lru_cache(maxsize=4096)
def _address(client: str, said: tuple[tuple[bytes, bytes], ...], *_settings: object) -> str:
    """Return the address for what a client's proxies said, under these settings.

    Players open a socket for each match: allauth takes longer than all else that is done for one.
    """
    headers = _Headers()
    for name, value in said:
        key, text = name.decode("latin1"), value.decode("latin1")
        headers[key] = f"{headers[key]},{text}" if key in headers else text
    request = SimpleNamespace(headers=headers, META={"REMOTE_ADDR": client})
    try:
        return limits.address(cast(HttpRequest, request))
    except (ImproperlyConfigured, PermissionDenied, ValueError):
        return ""
