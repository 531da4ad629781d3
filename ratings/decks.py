"""Packs written beforehand: how they are made, and the text that the commitment is made over."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

from games.api import NAMES, PACK, Ruleset, parse_cards

HANDS = 32
"""Packs of a game. Games have 9 hands, with three seats 12, the longest of a million about 20."""

_random = secrets.SystemRandom()


def new_packs(number: int = HANDS) -> list[str]:
    """Return packs from the operating system's generator, as texts of 52 cards."""
    return [_text(_shuffled(PACK)) for _ in range(number)]


def completed(cards: Sequence[int]) -> str:
    """Return a pack that begins with ``cards``, the rest of it by chance."""
    return _text([*cards, *_shuffled([card for card in PACK if card not in set(cards)])])


def new_salt() -> str:
    """Return 256 random bits as text: without them nobody can try all packs."""
    return secrets.token_hex(32)


def canonical(salt: str, packs: Sequence[str]) -> str:
    """Return the text that is committed to: the salt, then each pack, a line each."""
    return "\n".join((salt, *packs, ""))


def commitment(salt: str, packs: Sequence[str]) -> str:
    """Return the SHA-256 of the canonical text, in hexadecimal."""
    return hashlib.sha256(canonical(salt, packs).encode("ascii")).hexdigest()


def by_role(pack: str, ruleset: Ruleset) -> list[int]:
    """Return a pack's cards with those of pone first, then the next seat's, as par wants them."""
    cards, seats = parse_cards(pack), ruleset.players
    dealt = seats * ruleset.dealt
    return [*(card for role in range(seats) for card in cards[role:dealt:seats]), *cards[dealt:]]


def _shuffled(cards: Sequence[int]) -> list[int]:
    mixed = list(cards)
    _random.shuffle(mixed)
    return mixed


def _text(cards: Sequence[int]) -> str:
    return " ".join(NAMES[card] for card in cards)
