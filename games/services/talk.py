"""What people do at a live table besides playing: write, mute, block, ask friends to it."""

from __future__ import annotations

from channels.db import database_sync_to_async

from games import friends as circle
from games.friends import Invitable
from games.live import Live
from games.models import Match, Player
from games.protocol import BlockSeat, Invite, MuteSeat, Say, SwitchChat
from games.refusals import Refused
from games.services import chat, friends


async def obey(
    *, live: Live, player: int, command: Say | SwitchChat | MuteSeat | BlockSeat | Invite
) -> None:
    """Do what somebody at a table asks; see the services for what they refuse.

    Raises:
        Refused: from `games.services.chat` and `games.services.friends`; ``not_askable`` for a
            seat where nobody sits.
    """
    await database_sync_to_async(_obey)(live, player, command)


def _obey(
    live: Live, player: int, command: Say | SwitchChat | MuteSeat | BlockSeat | Invite
) -> None:
    match command:
        case Say(phrase=phrase, text=text, id=ident):
            chat.say(match=live.pk, player=player, client_id=ident, phrase=phrase, text=text)
        case SwitchChat(on=on):
            chat.switch(player=player, on=on)
        case MuteSeat(seat=seat, on=on):
            change = chat.mute if on else chat.unmute
            change(player=Player.objects.get(pk=player), other=_at(live, seat))
        case BlockSeat(seat=seat):
            friends.block(player=Player.objects.get(pk=player), other=_at(live, seat))
        case Invite(player=friend):
            found = Player.objects.filter(public_id=friend).first()
            if found is None:
                raise Refused("no_such_player")
            friends.invite_to(
                player=Player.objects.get(pk=player),
                friend=found,
                match=Match.objects.get(pk=live.pk),
            )


def _at(live: Live, seat: int) -> Player:
    """Return the person in a seat."""
    seats = live.header.seats
    key = seats[seat].player if seat < len(seats) and not seats[seat].computer else None
    if key is None:
        raise Refused("not_askable")
    return Player.objects.get(pk=key)


async def invitable(*, live: Live, player: int) -> list[Invitable]:
    """Return which friends could be asked to this table now; for its creator, while it waits."""
    header = live.header
    if header.creator != player or header.status != Match.Status.WAITING:
        return []
    return await database_sync_to_async(circle.invitable)(match=live.pk, player=player)
