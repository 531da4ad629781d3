"""One move: caught up, judged, stored, and only then told.

The engine judges under the match's lock, the key (match, sequence) decides between processes: an
append that another process has forestalled is judged again on what that process wrote.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import perf_counter

from django.db import Error as DatabaseError
from django.utils import timezone

from games import chance, meters, summaries
from games.engine import rules
from games.engine.illegal import IllegalMove
from games.engine.moves import Move, to_text
from games.hub import Hub
from games.live import Live, Matches
from games.refusals import Refused
from games.store import Entry
from games.writer import Writer

logger = logging.getLogger(__name__)

ATTEMPTS = 25
"""How often a move is judged again because others were first; more would be a fault."""


class Judge:
    """Takes moves for the matches of this process.

    Args:
        moved: called with a match after its listeners were told of something new.
        ended: told the primary key of each match whose last move was stored here.
    """

    def __init__(
        self,
        writer: Writer,
        matches: Matches,
        hub: Hub,
        *,
        moved: Callable[[Live], None],
        ended: Callable[[int], None],
    ) -> None:
        self._writer = writer
        self._matches = matches
        self._hub = hub
        self._moved = moved
        self._ended = ended

    async def take(
        self,
        live: Live,
        move: Move,
        *,
        seat: int | None,
        client_id: str = "",
        only_at: int | None = None,
    ) -> int:
        """Store ``move``, and what chance brings after it, and tell; return the version after it.

        A move that this seat has sent before under the same client id is answered again. One that
        is meant for a single version, ``only_at``, is refused where the match has gone on.

        Raises:
            IllegalMove: when the rules do not allow it, also on the newest state.
            Refused: ``not_started``, ``id_used``, ``not_offered``; ``unavailable`` when it could
                not be stored.
        """
        begun = perf_counter()
        try:
            async with live.lock:
                meters.STAGES["wait"].observe(perf_counter() - begun)
                version = await self._take(live, move, seat, client_id, only_at)
        except (IllegalMove, Refused) as refusal:
            meters.MOVES[refusal.code] += 1
            raise
        meters.MOVES["stored"] += 1
        meters.STAGES["whole"].observe(perf_counter() - begun)
        return version

    async def _take(
        self, live: Live, move: Move, seat: int | None, client_id: str, only_at: int | None
    ) -> int:
        if not live.header.playing and live.version == 0:
            raise Refused("not_started")
        told_before = live.version
        try:
            version = await self._append(live, move, seat, client_id, only_at)
            await self._settle(live)
        except DatabaseError as error:
            raise Refused("unavailable", str(error)) from error
        finally:
            self._tell_if_new(live, told_before)
        return version

    async def settle(self, live: Live) -> None:
        """Bring what chance owes to a match, and tell.

        Raises:
            django.db.Error: when it could not be stored.
        """
        async with live.lock:
            told_before = live.version
            try:
                await self._draw(live)
            finally:
                self._tell_if_new(live, told_before)

    async def _settle(self, live: Live) -> None:
        """Bring what chance owes after a stored move; where that fails the driver tries again."""
        try:
            await self._draw(live)
        except DatabaseError:
            logger.exception("match %s waits for chance", live.header.public_id)

    async def _draw(self, live: Live) -> None:
        while live.header.playing:
            move = chance.draw(live.state, live.header.packs)
            if move is None:
                return
            try:
                await self._append(live, move, None, "")
            except IllegalMove:
                continue  # another process has drawn it: the state has moved on

    async def _append(
        self,
        live: Live,
        move: Move,
        seat: int | None,
        client_id: str,
        only_at: int | None = None,
    ) -> int:
        text = to_text(move)
        for _ in range(ATTEMPTS):
            known = live.taken(seat, client_id, text)
            if known is not None:
                return known
            before = live.state
            if only_at not in (None, before.sequence):
                raise Refused("not_offered")
            try:
                with meters.STAGES["judge"].time():
                    step = rules.apply(before, move)
            except IllegalMove:
                if await self._matches.catch_up(live):
                    continue
                raise
            now = timezone.now()
            entry = Entry(live.pk, before.sequence, seat, text, client_id, now)
            effects = summaries.effects(live.pk, before, step.state, now)
            with meters.STAGES["store"].time():
                ours = await self._writer.append(entry, effects)
            if ours:
                live.take(entry, step)
                if effects is not None and effects.match is not None:
                    self._ended(live.pk)
                return step.state.sequence
            await self._matches.catch_up(live)
        raise Refused("unavailable", f"others were first {ATTEMPTS} times")

    def _tell_if_new(self, live: Live, before: int) -> None:
        if live.version > before:
            with meters.STAGES["tell"].time():
                self._hub.tell(live)
                self._hub.nudge(live)
            self._moved(live)
