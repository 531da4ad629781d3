"""Programs (people's own computer players): creation, tokens and authentication."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.cluster import announce
from games.models import Player, ProgramToken
from games.models.ids import public_id
from games.models.names import skeleton
from games.ops import true_time
from games.people.accounts import checked_name, name_is_free, name_taken
from games.people.guests import free_of_guests
from games.people.player_lock import locked_player
from games.people.resent import CLICKED_WITHIN, made_already
from games.wire.refusals import Refused

MOST_PROGRAMS = 5
"""Highest number of programs for one person."""

PREFIX = "cribbage_"
"""Prefix of every token, so that scanners can find leaked ones."""


def create_program(*, owner: Player, name: str) -> tuple[Player, str]:
    """Create a program of ``owner``; return its player and its token, which is not stored.

    The second of two clicks gets the program of the first, with a new token.

    Raises:
        ValidationError: for a name that is not available, for a muted owner, whose own name can't
            change either, or if the owner has too many programs.
    """
    if not owner.is_person:
        raise ValidationError(_("You need an account to add programs."), code="no_account")
    if owner.is_muted:
        raise ValidationError(_("You're muted, so you can't add a program yet."), code="muted")
    shown = checked_name(name)
    ident = public_id()
    player = Player(
        username=f"program-{ident}",
        kind=Player.Kind.COMPUTER,
        public_id=ident,
        name=shown,
        name_skeleton=skeleton(shown),
        bot=f"program-{ident}",
        owner=owner,
        date_joined=true_time.now(),
    )
    player.set_unusable_password()
    with locked_player(owner):  # several requests at once cannot all be the last one allowed
        known = made_already(
            owner.programs.all(), at="date_joined", within=CLICKED_WITHIN, name=shown
        )
        if known is not None:
            return known, new_token(program=known)
        if not name_is_free(shown):
            raise name_taken()
        if owner.programs.count() >= MOST_PROGRAMS:
            text = _("You've reached the limit of %(n)d programs. Give one of them a new token.")
            raise ValidationError(text % {"n": MOST_PROGRAMS}, code="too_many")
        try:
            with transaction.atomic():
                player.save(force_insert=True)
        except IntegrityError:
            raise name_taken() from None
        free_of_guests(shown)
        return player, new_token(program=player)


def new_token(*, program: Player) -> str:
    """Return a new token for ``program``, which replaces the previous one and ends its sockets."""
    token = PREFIX + secrets.token_urlsafe(32)
    ProgramToken.objects.update_or_create(
        player=program,
        defaults={"digest": token_digest(token), "created_at": true_time.now(), "used_at": None},
    )
    transaction.on_commit(lambda: announce.player_ended(program.pk))
    return token


def revoke_token(*, program: Player) -> None:
    """Revoke the token of ``program``, which then cannot log in until it gets a new one."""
    ProgramToken.objects.filter(player=program).delete()
    transaction.on_commit(lambda: announce.player_ended(program.pk))


def authenticate_program(*, token: str) -> Player:
    """Return the program authenticated by ``token``, with its owner fetched.

    Raises:
        Refused: ``bad_token``.
    """
    row = (
        ProgramToken.objects.select_related("player__owner")
        .filter(digest=token_digest(token))
        .first()
    )
    if row is None or row.player.owner is None or not row.player.owner.is_active:
        raise Refused("bad_token")
    row.used_at = true_time.now()
    row.save(update_fields=["used_at"])
    return row.player


def token_digest(token: str) -> str:
    """Return the digest of a token, which is all that is stored of it."""
    return sha256(token.encode()).hexdigest()


def programs_of(digests: Sequence[str]) -> dict[str, Player]:
    """Return the programs of valid tokens, by the tokens' digests; one query for all of them."""
    rows = ProgramToken.objects.select_related("player__owner").filter(digest__in=digests)
    return {
        row.digest: row.player
        for row in rows
        if row.player.owner is not None and row.player.owner.is_active
    }
