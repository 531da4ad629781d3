"""Programs that people connect: made, given a token, shut out again, and let in by it."""

from __future__ import annotations

import secrets
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.accounts import checked_name, name_is_free, name_taken
from games.ids import public_id
from games.models import Player, ProgramToken
from games.names import skeleton
from games.refusals import Refused

MOST_PROGRAMS = 5
"""Programs that one person may have."""

PREFIX = "cribbage_"
"""Begins every token, so that one that got into a public place can be found."""


def create_program(*, owner: Player, name: str) -> tuple[Player, str]:
    """Make a program of ``owner``'s; return its player, and its token, which is never seen again.

    Raises:
        ValidationError: for a name that it cannot have, or where the owner has enough of them.
    """
    if not owner.is_person:
        raise ValidationError(_("Programs belong to people with an account."), code="no_account")
    if owner.programs.count() >= MOST_PROGRAMS:
        text = _("You have %(n)d programs; there cannot be more.") % {"n": MOST_PROGRAMS}
        raise ValidationError(text, code="too_many")
    shown = checked_name(name)
    if not name_is_free(shown):
        raise name_taken()
    ident = public_id()
    player = Player(
        username=f"program-{ident}",
        kind=Player.Kind.COMPUTER,
        public_id=ident,
        name=shown,
        name_skeleton=skeleton(shown),
        bot=f"program-{ident}",
        owner=owner,
    )
    player.set_unusable_password()
    try:
        with transaction.atomic():
            player.save(force_insert=True)
    except IntegrityError:
        raise name_taken() from None
    return player, new_token(program=player)


def new_token(*, program: Player) -> str:
    """Return a new token for ``program``; the one before lets nobody in any more."""
    token = PREFIX + secrets.token_urlsafe(32)
    ProgramToken.objects.update_or_create(
        player=program,
        defaults={"digest": _digest(token), "created_at": timezone.now(), "used_at": None},
    )
    return token


def revoke_token(*, program: Player) -> None:
    """Shut ``program`` out until it gets a new token."""
    ProgramToken.objects.filter(player=program).delete()


def admit(*, token: str) -> Player:
    """Return the program that ``token`` lets in, its owner fetched.

    Raises:
        Refused: ``bad_token``.
    """
    row = ProgramToken.objects.select_related("player__owner").filter(digest=_digest(token)).first()
    if row is None or row.player.owner is None or not row.player.owner.is_active:
        raise Refused("bad_token")
    row.used_at = timezone.now()
    row.save(update_fields=["used_at"])
    return row.player


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
