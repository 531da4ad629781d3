"""Social commands at a live table: chat, mute, block, invite friends."""

from __future__ import annotations

from channels.db import database_sync_to_async

from games.live.table import Table
from games.models import Match, Player
from games.people import chat_service, friendships
from games.people import friends as circle
from games.people.friends import Invitable
from games.tables import invitations
from games.wire.protocol import BlockSeat, Invite, MuteSeat, Say, SwitchChat
from games.wire.refusals import Refused


async def handle_command(
    *, table: Table, player: int, command: Say | SwitchChat | MuteSeat | BlockSeat | Invite
) -> None:
    """Carry out a social command of a player at a table.

    Raises:
        Refused: see `games.people.chat_service`, `games.people.friendships` and
            `games.tables.invitations`; ``not_askable`` for a seat without a person.
    """
    await database_sync_to_async(_handle_command)(table, player, command)


def _handle_command(
    table: Table, player: int, command: Say | SwitchChat | MuteSeat | BlockSeat | Invite
) -> None:
    match command:
        case Say(phrase=phrase, text=text, id=ident):
            chat_service.write_line(
                match=table.pk,
                player=player,
                client_id=ident,
                phrase=phrase or "",
                text=text or "",
            )
        case SwitchChat(on=on):
            chat_service.switch(player=player, on=on)
        case MuteSeat(seat=seat, on=on):
            change = chat_service.mute if on else chat_service.unmute
            change(player=Player.objects.get(pk=player), other=_at(table, seat))
        case BlockSeat(seat=seat):
            friendships.block(player=Player.objects.get(pk=player), other=_at(table, seat))
        case Invite(player=friend):
            found = Player.objects.filter(public_id=friend).first()
            if found is None:
                raise Refused("no_such_player")
            invitations.invite_to(
                player=Player.objects.get(pk=player),
                friend=found,
                match=Match.objects.get(pk=table.pk),
            )


def _at(table: Table, seat: int) -> Player:
    """Return the person in a seat."""
    seats = table.meta.seats
    key = seats[seat].player if seat < len(seats) and not seats[seat].computer else None
    if key is None:
        raise Refused("not_askable")
    return Player.objects.get(pk=key)


async def invitable(*, table: Table, player: int) -> list[Invitable]:
    """Return the friends who can be invited now; none except for a waiting table's creator."""
    meta = table.meta
    if meta.creator != player or meta.status != Match.Status.WAITING:
        return []
    return await database_sync_to_async(circle.invitable)(match=table.pk, player=player)
