"""Random public ids for addresses, which reveal no row counts and cannot be guessed."""

import secrets

# No 0, O, 1, l, I or vowels, so that an id can be read aloud and never spells a word.
ALPHABET = "23456789bcdfghjkmnpqrstvwxyz"
PUBLIC_ID_LENGTH = 10
INVITE_LENGTH = 16


def public_id() -> str:
    """Return a random id of 10 characters (28^10, about 3e14 possibilities)."""
    return _random(PUBLIC_ID_LENGTH)


def invite_token() -> str:
    """Return a random token of 16 characters, which lets its bearer join a match."""
    return _random(INVITE_LENGTH)


def _random(length: int) -> str:
    """Return random letters, each as likely as any other; bytes that would favour some are left."""
    most = 256 - 256 % len(ALPHABET)
    letters = ""
    while len(letters) < length:
        fresh = secrets.token_bytes(length)  # one call takes as long for all as for one
        letters += "".join(ALPHABET[byte % len(ALPHABET)] for byte in fresh if byte < most)
    return letters[:length]
