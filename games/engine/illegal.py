"""The exception for moves that the rules do not allow."""

from __future__ import annotations

from games.engine.faults import EngineError


class IllegalMove(EngineError):
    """A move that the rules do not allow; the state is unchanged."""
