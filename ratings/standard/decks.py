"""Packs of standard games: random generation, and the text whose hash is the commitment."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

from games.api import NAMES, PACK, Ruleset, parse_cards

HANDS = 32
"""Packs per game. Games take about 9 hands (12 with three seats); the longest of a million, 20."""

_random = secrets.SystemRandom()


def new_packs(number: int = HANDS) -> list[str]:
    """Return random packs from the operating system's generator, as strings of 52 cards."""
    return [_text(_shuffled(PACK)) for _ in range(number)]


def complete_pack(cards: Sequence[int]) -> str:
    """Return a pack that begins with ``cards``; the rest is random."""
    return _text([*cards, *_shuffled([card for card in PACK if card not in set(cards)])])


def new_salt() -> str:
    """Return 256 random bits as text, so that the packs cannot be found by brute force."""
    return secrets.token_hex(32)


def canonical(salt: str, packs: Sequence[str]) -> str:
    """Return the text that is committed to: the salt and each pack on a line."""
    return "\n".join((salt, *packs, ""))


def commitment(salt: str, packs: Sequence[str]) -> str:
    """Return the SHA-256 of the canonical text, in hexadecimal."""
    return hashlib.sha256(canonical(salt, packs).encode("ascii")).hexdigest()


def by_role(pack: str, ruleset: Ruleset) -> list[int]:
    """Return a pack's cards in the order that par needs: pone's cards, then the next seat's, ..."""
    cards, seats = parse_cards(pack), ruleset.players
    dealt = seats * ruleset.dealt
    return [*(card for role in range(seats) for card in cards[role:dealt:seats]), *cards[dealt:]]


def _shuffled(cards: Sequence[int]) -> list[int]:
    mixed = list(cards)
    _random.shuffle(mixed)
    return mixed


def _text(cards: Sequence[int]) -> str:
    return " ".join(NAMES[card] for card in cards)
