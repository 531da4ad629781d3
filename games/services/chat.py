"""The chat at a table: written, switched off, somebody not read; and forgotten after some days."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from django.db import IntegrityError, transaction
from django.utils import timezone

from games import announce, limits
from games.chat import PHRASES, Mode, clean, mode_of, others_on
from games.models import ChatLine, Match, Mute, Player, Report, Seat
from games.models.chat import CHAT_LENGTH
from games.refusals import Refused

KEPT = timedelta(days=30)
"""How long a line is kept, unless a report that is open names it."""


def say(*, match: int, player: int, client_id: str, phrase: str = "", text: str = "") -> None:
    """Write a line at a match; sent again under the same id it is kept once.

    Args:
        match: primary key.
        player: primary key of who writes; he sits there.
        client_id: the sender's own id of the line.
        phrase: one of `games.chat.PHRASES`, or "".
        text: a text of his own instead, where the match is not ranked.

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
        limits.take(limits.named("chat"), str(player))
    except limits.TooOften as cause:
        raise Refused("too_often", f"again in {cause.wait} s") from cause
    line = ChatLine(match_id=match, author=author, phrase=phrase, text=words, client_id=client_id)
    try:
        with transaction.atomic():
            line.save(force_insert=True)
            transaction.on_commit(partial(announce.chat, match))
    except IntegrityError:
        return  # the same line, by another connection at the same moment


def _writer(match: int, player: int) -> Player:
    """Return who writes, if he may write at this match and somebody would read it."""
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
    """Let a player read and write at tables, or do neither; it stays so until he changes it."""
    Player.objects.filter(pk=player).update(chat=on)
    tell(player=player)


def tell(*, player: int) -> None:
    """Say at the tables of a player that something about his chat has changed."""
    unfinished = [Match.Status.WAITING, Match.Status.PLAYING]
    seats = Seat.objects.filter(player=player, computer=False).order_by("-match_id")
    own = set(seats.filter(match__status__in=unfinished).values_list("match_id", flat=True))
    # Who looks at the end of a match is still at the table.
    own |= set(seats.values_list("match_id", flat=True)[:5])
    for match in own:
        transaction.on_commit(partial(announce.chat, match))


def mute(*, player: Player, other: Player) -> None:
    """Let ``player`` read nothing more that ``other`` writes, at this table and at later ones.

    Raises:
        Refused: ``not_askable`` for oneself and for computers.
    """
    if other.pk == player.pk or other.is_computer:
        raise Refused("not_askable")
    Mute.objects.get_or_create(muter=player, muted=other)
    tell(player=player.pk)


def unmute(*, player: Player, other: Player) -> None:
    """Let ``player`` read again what ``other`` writes."""
    Mute.objects.filter(muter=player, muted=other).delete()
    tell(player=player.pk)


def forget(*, kept: timedelta = KEPT) -> int:
    """Delete the lines that are older; return how many. What an open report names stays."""
    old = ChatLine.objects.filter(at__lt=timezone.now() - kept)
    named = Report.objects.filter(closed_at__isnull=True).values("lines")
    rows = old.exclude(pk__in=named.exclude(lines=None))
    number = rows.count()
    rows.delete()
    return number
