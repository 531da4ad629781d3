"""A learner's progress with the counting tutor, stored in the session without an account."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.sessions.backends.base import SessionBase

from games.learn import tutor

KEY = "counting"
ENOUGH = 5
"""Hands counted without help after which a level is mastered."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress at a level: hands counted, and hands counted without help."""

    level: tutor.Level
    done: int
    alone: int

    @property
    def next_hand(self) -> int:
        """The number of the next hand."""
        return self.done + 1

    @property
    def known(self) -> bool:
        """Whether the level is mastered."""
        return self.alone >= ENOUGH


def progress(session: SessionBase) -> list[Progress]:
    """Return the progress at every level, in order."""
    kept = session.get(KEY, {})
    return [_progress_at(kept, level) for level in tutor.LEVELS]


def note(session: SessionBase, asked: tutor.Exercise, *, alone: bool) -> None:
    """Record that a hand was fully counted, unless it was recorded before."""
    kept = session.get(KEY, {})
    before = _progress_at(kept, asked.level)
    if asked.number == before.next_hand:
        session[KEY] = kept | {str(asked.level.number): [before.done + 1, before.alone + alone]}


def _progress_at(kept: dict[str, list[int]], level: tutor.Level) -> Progress:
    done, alone = kept.get(str(level.number), (0, 0))
    return Progress(level, done, alone)
