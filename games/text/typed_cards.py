"""Lists of cards as people type or paste them, with suits as letters or signs."""

from __future__ import annotations

from games.engine.cards import SUIT_SIGNS

UNSEEN = "\ufe0e\ufe0f\u200b\ufeff"
"""Characters without width: phones put one after each suit sign, and pasted texts may begin with
one."""

_PLAIN = (
    {ord(sign): suit for suit, signs in SUIT_SIGNS.items() for sign in signs}
    | dict.fromkeys(map(ord, ",;"), " ")
    | dict.fromkeys(map(ord, UNSEEN))
)


def typed_words(text: str) -> list[str]:
    """Return the words of a typed list, with suits as letters: "5♥, 10c" -> ["5H", "10c"]."""
    return text.translate(_PLAIN).split()
