"""The hint service: computes hints on request in its own thread, once for each decision."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.utils.translation import get_language, override

from games.engine.view import View, view_for
from games.live.hints import Hint, hint
from games.live.match_state import MatchState
from games.wire.refusals import Refused

ADVISERS = 1
"""Number of threads for hints; the bot runner has its own, so that hints do not delay moves."""

MOST_WAITING = 32
"""Highest number of hints being computed in this process; further requests are refused."""

MOST_ASKED, WITHIN = 20, 60.0
"""Rate limit: the number of new hints that a player may request, and within how many seconds."""

KEPT = 512
"""Number of hints, and of players' request times, kept in memory."""

Key = tuple[int, int | None, str, tuple[object, ...]]


class HintService:
    """Computes and caches the hints of this process.

    Args:
        clock: returns monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._threads = ThreadPoolExecutor(ADVISERS, thread_name_prefix="hint")
        self._hints: OrderedDict[Key, asyncio.Future[Hint]] = OrderedDict()
        self._asked: OrderedDict[int, deque[float]] = OrderedDict()
        self._waiting = 0

    async def advise(self, live: MatchState, *, seat: int, player: int) -> tuple[int, Hint]:
        """Return the version of the match that a hint is for, and the hint for ``seat``.

        Raises:
            Refused: ``hints_off``, ``not_your_turn``, ``no_hint`` or ``too_many``.
        """
        if not live.meta.hints:
            raise Refused("hints_off")
        version, view = live.version, view_for(live.state, seat)
        if view.legal.action in {"wait", "over"}:
            raise Refused("not_your_turn")
        language = get_language() or settings.LANGUAGE_CODE
        key = (live.pk, seat, language, _decision(view))
        found = self._hints.get(key)
        if found is None:
            self._allow(player)
            names = tuple(seat_meta.name for seat_meta in live.meta.seats)
            found = self._begin(key, view, names)
        return version, await asyncio.shield(found)

    @property
    def waiting(self) -> int:
        """The number of hints being computed."""
        return self._waiting

    def aclose(self) -> None:
        """Stop computing."""
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
        """Count a new request of ``player``, or refuse it."""
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
    """Return a hint in ``language``; worker threads do not inherit the active language."""
    with override(language):
        return hint(view, names)


def _decision(view: View) -> tuple[object, ...]:
    """Return a key that identifies a seat's decision; the others' discards do not change it."""
    return (view.game, view.hand, view.legal, view.cards, view.plays, view.scores)
