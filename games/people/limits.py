"""Rate limits for expensive actions.

The cache holds a counter for each limit, subject and time window. With Redis all processes share
the counters, otherwise each process has its own, as while Redis is unavailable.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

IPV6_PREFIX = 64
"""Prefix length of the IPv6 network that a provider assigns to one customer."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A rate limit: a maximum number of actions in a time window.

    Attributes:
        name: the action that is counted.
        times: how often it may be done in a window; 0 means no limit.
        seconds: length of the window; windows start at multiples of it.
    """

    name: str
    times: int
    seconds: int


class TooOften(Exception):
    """A rate limit was exceeded; ``wait`` is the number of seconds until it resets."""

    def __init__(self, wait: int) -> None:
        super().__init__(f"again in {wait} s")
        self.wait = wait

    @property
    def message(self) -> str:
        """The message for people."""
        if self.wait <= 90:
            seconds = ngettext("%(n)d second", "%(n)d seconds", self.wait) % {"n": self.wait}
            return _("You're going too fast. Try again in %(time)s.") % {"time": seconds}
        number = math.ceil(self.wait / 60)
        minutes = ngettext("%(n)d minute", "%(n)d minutes", number) % {"n": number}
        return _("You're going too fast. Try again in %(time)s.") % {"time": minutes}


def named(name: str) -> Limit:
    """Return a limit from the settings by name."""
    times, seconds = settings.LIMITS[name]
    return Limit(name, times, seconds)


def consume(limit: Limit, who: str) -> None:
    """Count one action of ``who``.

    Raises:
        TooOften: if the limit is used up.
    """
    if not limit.times:
        return
    now = time.time()
    window = int(now // limit.seconds)
    key = f"limit:{limit.name}:{window}:{who}"
    used = 1
    if not cache.add(key, 1, timeout=limit.seconds + 1):
        try:
            used = cache.incr(key)
        except ValueError:
            return  # it has just expired, or the shared cache has just gone or come back
    if used > limit.times:
        raise TooOften(max(1, math.ceil((window + 1) * limit.seconds - now)))


def address(request: HttpRequest) -> str:
    """Return the network address of a request's client; for IPv6, its /64 network.

    Proxy headers are trusted only if the settings configure a proxy, as for allauth's own limits.
    """
    client = ip_address(get_adapter().get_client_ip(request))
    if isinstance(client, IPv6Address):
        return str(ip_network((client, IPV6_PREFIX), strict=False).network_address)
    return str(client)
