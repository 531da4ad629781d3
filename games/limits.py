"""How often somebody may do what costs the site something.

A counter in the cache for each thing, somebody and window of time; with Redis all processes count
together, without it each for itself. While Redis is away nothing is refused.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from allauth.core.internal.ratelimit import get_ip
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext


@dataclass(frozen=True, slots=True)
class Limit:
    """So many times in a window of time; 0 times means that there is no limit.

    Attributes:
        name: of the thing that is counted.
        times: how often it may be done.
        seconds: how long the window is; the next one begins at a whole multiple of it.
    """

    name: str
    times: int
    seconds: int


class TooOften(Exception):
    """It was done too often; ``wait`` is in how many seconds it may be done again."""

    def __init__(self, wait: int) -> None:
        super().__init__(f"again in {wait} s")
        self.wait = wait

    @property
    def message(self) -> str:
        """The sentence for people."""
        if self.wait <= 90:
            seconds = ngettext("%(n)d second", "%(n)d seconds", self.wait) % {"n": self.wait}
            return _("That was too often. Please try again in %(time)s.") % {"time": seconds}
        number = math.ceil(self.wait / 60)
        minutes = ngettext("%(n)d minute", "%(n)d minutes", number) % {"n": number}
        return _("That was too often. Please try again in %(time)s.") % {"time": minutes}


def named(name: str) -> Limit:
    """Return the limit of that name, as the settings have it."""
    times, seconds = settings.LIMITS[name]
    return Limit(name, times, seconds)


def take(limit: Limit, who: str) -> None:
    """Count one more time for ``who``.

    Raises:
        TooOften: when the window's times are used up; what is refused is not counted.
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
            return  # it has just run out, or the shared cache is away
    if used > limit.times:
        raise TooOften(max(1, math.ceil((window + 1) * limit.seconds - now)))


def address(request: HttpRequest) -> str:
    """Return the network address that a request comes from; of IPv6 the part that a line has.

    A proxy's word is believed only where the settings name one, as for allauth's own limits.
    """
    return str(get_ip(request))
