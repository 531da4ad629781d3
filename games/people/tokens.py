"""Data tokens, for reading the owner's data over the JSON API: creation and authentication."""

from __future__ import annotations

import secrets
from datetime import timedelta
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from games.models import DataToken, Player
from games.ops import true_time
from games.people.player_lock import locked_player
from games.people.resent import CLICKED_WITHIN, made_already
from games.wire.refusals import Refused

MOST_TOKENS = 10
"""Highest number of tokens for one person."""

PREFIX = "cribbage_data_"
"""Prefix of every token, so that scanners can find leaked ones."""

NOTED_EVERY = timedelta(hours=1)
"""Resolution of the stored time of last use; it avoids a write for every read."""


def create_data_token(*, player: Player, name: str) -> tuple[DataToken, str]:
    """Create a token for ``player``; return its row and the token, which is not stored.

    The second of two clicks replaces the token of the first, which nobody has read.

    Raises:
        ValidationError: for players without an account, or with too many tokens.
    """
    if not player.is_person:
        raise ValidationError(_("You need an account to create tokens."), code="no_account")
    token = PREFIX + secrets.token_urlsafe(32)
    with locked_player(player):  # several requests at once cannot all be the last one allowed
        known = made_already(
            player.data_tokens.filter(used_at=None),
            at="created_at",
            within=CLICKED_WITHIN,
            name=name,
        )
        if known is not None:
            known.digest = _digest(token)
            known.save(update_fields=["digest"])
            return known, token
        if player.data_tokens.count() >= MOST_TOKENS:
            text = _("You've reached the limit of %(n)d tokens. Revoke one first.")
            raise ValidationError(text % {"n": MOST_TOKENS}, code="too_many")
        row = DataToken.objects.create(player=player, name=name, digest=_digest(token))
    return row, token


def revoke_data_token(*, player: Player, pk: int) -> bool:
    """Revoke one of ``player``'s tokens; return whether it existed."""
    removed, _rows = DataToken.objects.filter(player=player, pk=pk).delete()
    return bool(removed)


def token_owner(*, token: str) -> Player:
    """Return the player authenticated by a data token.

    Raises:
        Refused: ``bad_token``.
    """
    row = DataToken.objects.select_related("player").filter(digest=_digest(token)).first()
    if row is None or not row.player.is_active:
        raise Refused("bad_token")
    now = true_time.now()
    if row.used_at is None or now - row.used_at > NOTED_EVERY:
        DataToken.objects.filter(pk=row.pk).update(used_at=now)
    return row.player


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
