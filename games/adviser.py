"""Hints on request: worked out in a thread of their own, few at a time, each decision once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.utils.translation import get_language, override

from games.engine.view import View, view_for
from games.hints import Hint, hint
from games.live import Live
from games.refusals import Refused

ADVISERS = 1
"""Threads that work hints out; they are not the driver's, so that no computer's move waits."""

MOST_WAITING = 32
"""Hints asked for and not yet worked out in this process; more are refused."""

MOST_ASKED, WITHIN = 20, 60.0
"""How many new hints one player gets in how many seconds."""

KEPT = 512
"""Hints kept for who asks twice, and players remembered."""

Key = tuple[int, int | None, str, tuple[object, ...]]


class Adviser:
    """Gives the hints of this process.

    Args:
        clock: seconds that only go forward.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._threads = ThreadPoolExecutor(ADVISERS, thread_name_prefix="hint")
        self._hints: OrderedDict[Key, asyncio.Future[Hint]] = OrderedDict()
        self._asked: OrderedDict[int, deque[float]] = OrderedDict()
        self._waiting = 0

    async def advise(self, live: Live, *, seat: int, player: int) -> tuple[int, Hint]:
        """Return the version of the match that a hint is for, and the hint for ``seat``.

        Raises:
            Refused: ``hints_off``, ``not_your_turn``, ``no_hint`` or ``too_many``.
        """
        if not live.header.hints:
            raise Refused("hints_off")
        version, view = live.version, view_for(live.state, seat)
        if view.legal.action in {"wait", "over"}:
            raise Refused("not_your_turn")
        language = get_language() or settings.LANGUAGE_CODE
        key = (live.pk, seat, language, _decision(view))
        found = self._hints.get(key)
        if found is None:
            self._allow(player)
            names = tuple(header.name for header in live.header.seats)
            found = self._begin(key, view, names)
        return version, await asyncio.shield(found)

    @property
    def waiting(self) -> int:
        """How many hints are waited for."""
        return self._waiting

    def aclose(self) -> None:
        """Work nothing out any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _begin(self, key: Key, view: View, names: tuple[str, ...]) -> asyncio.Future[Hint]:
        found = asyncio.get_running_loop().run_in_executor(
            self._threads, _said, key[2], view, names
        )
        self._waiting += 1
        self._hints[key] = found
        found.add_done_callback(lambda done: self._done(key, done))
        while len(self._hints) > KEPT:
            self._hints.popitem(last=False)
        return found

    def _done(self, key: Key, done: asyncio.Future[Hint]) -> None:
        self._waiting -= 1
        if done.cancelled() or done.exception() is not None:
            self._hints.pop(key, None)

    def _allow(self, player: int) -> None:
        """Note that ``player`` asks for something new, unless that is too much."""
        now = self._clock()
        times = self._asked.setdefault(player, deque(maxlen=MOST_ASKED))
        self._asked.move_to_end(player)
        while len(self._asked) > KEPT:
            self._asked.popitem(last=False)
        if len(times) == MOST_ASKED and now - times[0] < WITHIN:
            raise Refused("too_many")
        if self._waiting >= MOST_WAITING:
            raise Refused("too_many")
        times.append(now)


def _said(language: str, view: View, names: tuple[str, ...]) -> Hint:
    """Work a hint out, in the asker's language: a thread knows nothing of who asks."""
    with override(language):
        return hint(view, names)


def _decision(view: View) -> tuple[object, ...]:
    """Return what makes one decision of a seat another: not what others lay away meanwhile."""
    return (view.game, view.hand, view.legal, view.cards, view.plays, view.scores)
