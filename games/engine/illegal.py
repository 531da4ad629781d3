"""The one way in which the rules say no."""

from __future__ import annotations


class IllegalMove(Exception):
    """A move that the rules do not allow; the state is as it was.

    Attributes:
        code: a short name for programs, as ``over_31``.
        message: a sentence for people: what was tried and what is allowed.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
