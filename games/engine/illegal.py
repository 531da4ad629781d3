"""The exception for moves that the rules do not allow."""

from __future__ import annotations


class IllegalMove(Exception):
    """A move that the rules do not allow; the state is unchanged.

    Attributes:
        code: a short name for programs, such as ``over_31``.
        message: a sentence for people: what was tried and what is allowed.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
