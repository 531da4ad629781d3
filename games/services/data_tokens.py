"""Tokens that read their owner's data over the JSON API: made, shown once, revoked, believed."""

from __future__ import annotations

import secrets
from datetime import timedelta
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import DataToken, Player
from games.refusals import Refused

MOST_TOKENS = 10
"""Tokens that one person may have."""

PREFIX = "cribbage_data_"
"""Begins every token, so that one that got into a public place can be found."""

NOTED_EVERY = timedelta(hours=1)
"""How exact the last use is known: reading shall not write each time."""


def create_data_token(*, player: Player, name: str) -> tuple[DataToken, str]:
    """Make a token for ``player``; return its row, and the token, which is never seen again.

    Raises:
        ValidationError: for somebody without an account, or with enough tokens.
    """
    if not player.is_person:
        raise ValidationError(_("Tokens belong to people with an account."), code="no_account")
    if player.data_tokens.count() >= MOST_TOKENS:
        text = _("You have %(n)d tokens; revoke one first.") % {"n": MOST_TOKENS}
        raise ValidationError(text, code="too_many")
    token = PREFIX + secrets.token_urlsafe(32)
    row = DataToken.objects.create(player=player, name=name, digest=_digest(token))
    return row, token


def revoke_data_token(*, player: Player, pk: int) -> bool:
    """Take one of ``player``'s tokens away; return whether there was such a one."""
    removed, _rows = DataToken.objects.filter(player=player, pk=pk).delete()
    return bool(removed)


def reader(*, token: str) -> Player:
    """Return whose data a token reads.

    Raises:
        Refused: ``bad_token``.
    """
    row = DataToken.objects.select_related("player").filter(digest=_digest(token)).first()
    if row is None or not row.player.is_active:
        raise Refused("bad_token")
    now = timezone.now()
    if row.used_at is None or now - row.used_at > NOTED_EVERY:
        DataToken.objects.filter(pk=row.pk).update(used_at=now)
    return row.player


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
