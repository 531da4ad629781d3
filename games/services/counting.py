"""How far a learner has come with the counting tutor: kept in his session, no account needed."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.sessions.backends.base import SessionBase

from games import tutor

KEY = "counting"
ENOUGH = 5
"""Hands counted without help after which a level sits."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How a level stands: hands counted, those of them without help, the hand to go on with."""

    level: tutor.Level
    done: int
    alone: int

    @property
    def next_hand(self) -> int:
        """The number of the hand that comes next."""
        return self.done + 1

    @property
    def known(self) -> bool:
        """Whether the level sits."""
        return self.alone >= ENOUGH


def progress(session: SessionBase) -> list[Progress]:
    """Return how every level stands, the first first."""
    kept = session.get(KEY, {})
    return [_of(kept, level) for level in tutor.LEVELS]


def note(session: SessionBase, asked: tutor.Exercise, *, alone: bool) -> None:
    """Note that a hand was counted to its end; one that was counted before changes nothing."""
    kept = session.get(KEY, {})
    before = _of(kept, asked.level)
    if asked.number == before.next_hand:
        session[KEY] = kept | {str(asked.level.number): [before.done + 1, before.alone + alone]}


def _of(kept: dict[str, list[int]], level: tutor.Level) -> Progress:
    done, alone = kept.get(str(level.number), (0, 0))
    return Progress(level, done, alone)
