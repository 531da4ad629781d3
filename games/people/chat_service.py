"""The write side of the chat at a table: lines, settings, mutes, and deletion of old lines."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from django.db import IntegrityError, transaction

from games.cluster import announce
from games.models import ChatLine, Match, Mute, Player, Report, Seat
from games.models.chat import CHAT_LENGTH
from games.ops import true_time
from games.people import limits
from games.people.chat import PHRASES, Mode, clean, mode_of, others_on
from games.people.player_lock import check_exists, locked_player
from games.wire.refusals import Refused

KEPT = timedelta(days=30)
"""The time for which a line is kept, unless an open report refers to it."""


def write_line(
    *, match: int, player: int, client_id: str, phrase: str = "", text: str = ""
) -> None:
    """Write a line in the chat of a match; a resend with the same id is ignored.

    Args:
        match: primary key.
        player: primary key of the author, who has a seat in the match.
        client_id: the client's id of the line.
        phrase: one of `games.people.chat.PHRASES`, or "".
        text: a free text instead, in unranked matches.

    Raises:
        Refused: ``not_seated``, ``chat_none``, ``chat_off``, ``chat_off_there``, ``phrases_only``,
            ``no_such_phrase``, ``chat_empty``, ``chat_too_long``, ``muted``, ``too_often`` or
            ``id_used``.
    """
    known = ChatLine.objects.filter(match=match, author=player, client_id=client_id).first()
    words = clean(text)
    if known is not None:
        if (known.phrase, known.text) != (phrase, words):
            raise Refused("id_used")
        return
    author = _writer(match, player)
    _check_words(match, phrase, words)
    try:
        limits.consume(limits.named("chat"), str(player))
    except limits.TooOften as cause:
        raise Refused("too_often", f"again in {cause.wait} s") from cause
    line = ChatLine(match_id=match, author=author, phrase=phrase, text=words, client_id=client_id)
    try:
        with locked_player(author):
            line.save(force_insert=True)
            transaction.on_commit(partial(announce.chat, match))
    except IntegrityError:
        return  # the same line was sent over another connection at the same time


def _writer(match: int, player: int) -> Player:
    """Return the author if they may write at this match and somebody can read it."""
    row = Match.objects.get(pk=match)
    author = Player.objects.filter(pk=player, is_active=True).first()
    if author is None or not row.seats.filter(player=player, computer=False).exists():
        raise Refused("not_seated")
    others = others_on(match=row, player=author)
    if mode_of(ranked=row.ranked, people=len(others) + 1) is Mode.NONE:
        raise Refused("chat_none")
    if not author.chat:
        raise Refused("chat_off")
    if not any(other.chat for other in others):
        raise Refused("chat_off_there")
    if author.is_muted:
        raise Refused("muted")
    return author


def _check_words(match: int, phrase: str, words: str) -> None:
    if phrase:
        if phrase not in PHRASES:
            raise Refused("no_such_phrase", phrase)
        if words:
            raise Refused("malformed", "a phrase or a text")
        return
    if Match.objects.filter(pk=match, ranked=True).exists():
        raise Refused("phrases_only")
    if not words:
        raise Refused("chat_empty")
    if len(words) > CHAT_LENGTH:
        raise Refused("chat_too_long")


def switch(*, player: int, on: bool) -> None:
    """Switch a player's chat on or off, for reading and writing at all tables."""
    Player.objects.filter(pk=player).update(chat=on)
    announce_change(player=player)


def announce_change(*, player: int) -> None:
    """Announce at a player's tables that their chat settings have changed."""
    unfinished = [Match.Status.WAITING, Match.Status.PLAYING]
    seats = Seat.objects.filter(player=player, computer=False).order_by("-match_id")
    own = set(seats.filter(match__status__in=unfinished).values_list("match_id", flat=True))
    # The player may still be at the table of a finished match.
    own |= set(seats.values_list("match_id", flat=True)[:5])
    for match in own:
        transaction.on_commit(partial(announce.chat, match))


def mute(*, player: Player, other: Player) -> None:
    """Hide all lines by ``other`` from ``player``.

    Raises:
        Refused: ``not_askable`` for oneself and for computers, or ``not_offered`` for a guest who
            has just logged in to an account.
    """
    if other.pk == player.pk or other.is_computer:
        raise Refused("not_askable")
    with locked_player(player, other):
        check_exists(other)
        Mute.objects.get_or_create(muter=player, muted=other)
        announce_change(player=player.pk)


def unmute(*, player: Player, other: Player) -> None:
    """Show lines by ``other`` to ``player`` again."""
    Mute.objects.filter(muter=player, muted=other).delete()
    announce_change(player=player.pk)


def delete_old_lines(*, kept: timedelta = KEPT) -> int:
    """Delete old lines that no open report refers to; return their number."""
    old = ChatLine.objects.filter(at__lt=true_time.now() - kept)
    named = Report.objects.filter(closed_at__isnull=True).values("lines")
    rows = old.exclude(pk__in=named.exclude(lines=None))
    number = rows.count()
    rows.delete()
    return number
