"""Random names for rows that appear in addresses, so that nobody can count or guess them."""

import secrets

# No 0 O 1 l I, nor vowels, so that an id can be read out and never spells a word.
ALPHABET = "23456789bcdfghjkmnpqrstvwxyz"
PUBLIC_ID_LENGTH = 10
INVITE_LENGTH = 16


def public_id() -> str:
    """Return an id of 10 characters (28^10, 3e14 of them)."""
    return _random(PUBLIC_ID_LENGTH)


def invite_token() -> str:
    """Return a token of 16 characters: who has it may join, so that it must not be guessed."""
    return _random(INVITE_LENGTH)


def _random(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))
