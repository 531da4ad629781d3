"""Creation of notices for players who are away; `games.correspondence.delivery` sends them.

Only players who asked for notices get them: by mail at a verified address, or by push in the
browsers that they chose.
"""

from __future__ import annotations

from datetime import timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction

from games.correspondence import push
from games.correspondence import turns as correspondence
from games.correspondence.endings import ending
from games.jobs.backend import MAIL, job
from games.log import store
from games.models import MailChoice, Match, Notice, Player, PushSubscription, Seat
from games.ops import true_time

PUSH_AFTER = timedelta(seconds=15)
"""Delay of a push, in which a player who is at the table can be recognized as online."""

AT_ONCE = (Notice.Kind.INVITED, Notice.Kind.DUE)
"""The kinds of notices that are sent without a delay."""


def your_turn(match: Match) -> None:
    """Create the notices for the players who must act in a correspondence match, once per turn."""
    found = correspondence.turn(match)
    turns = Notice.objects.filter(match=match, kind__in=(Notice.Kind.TURN, Notice.Kind.DUE))
    if found is None:
        over = match.status != Match.Status.PLAYING
        (turns if over else turns.filter(sent_at__isnull=True)).delete()
        return
    turns.exclude(asked=found.asked).delete()
    told = _told_of_start(match, found)
    for row in match.seats.filter(seat__in=found.seats).select_related("player"):
        if row.player is not None and row.player_id not in told:
            for way in channels_of(row.player):
                make(row.player, match, way, Notice.Kind.TURN, asked=found.asked)


def _told_of_start(match: Match, turn: correspondence.Turn) -> set[int]:
    """Return the player whose notice of an accepted game stands for their first turn, if any."""
    notices = Notice.objects.filter(match=match, kind=Notice.Kind.TAKEN)
    told = set(notices.values_list("player_id", flat=True))
    if not told or store.first_decision(match.pk) >= turn.asked:
        return told
    notices.delete()
    return set()


def accepted(match: Match) -> None:
    """Create the notice that the game that a player posted in the lobby was accepted."""
    owner = match.created_by
    if match.status == Match.Status.PLAYING and owner is not None:
        for way in channels_of(owner):
            make(owner, match, way, Notice.Kind.TAKEN)


def match_ended(match: Match) -> None:
    """Create the notices of the end of a correspondence match between people, once.

    Players who ended it, or have seen the end already, get none.
    """
    if match.days is None or match.status != Match.Status.FINISHED:
        return
    by = ending(match).by
    if by is not None:
        match.seats.filter(seat=by).update(end_seen=True)
    seats = match.seats.filter(computer=False, player__isnull=False).select_related("player")
    rows = list(seats)
    if len(rows) < 2:
        return
    for row in rows:
        if row.player is not None and not row.end_seen:
            for way in channels_of(row.player):
                make(row.player, match, way, Notice.Kind.ENDED)


def saw_end(*, match: int, player: int) -> None:
    """Store that a player has seen the end of a match (primary keys), so that no notice follows."""
    unseen = Seat.objects.filter(match=match, player=player, computer=False, end_seen=False)
    unseen.filter(match__status=Match.Status.FINISHED).update(end_seen=True)


def invited(player: Player, table: Match) -> None:
    """Create the notice (push only) of an invitation to a table."""
    if Notice.Way.PUSH in channels_of(player):
        make(player, table, Notice.Way.PUSH, Notice.Kind.INVITED)


def forget_invitation(player: Player, table: Match) -> None:
    """Delete the notice of an expired invitation, so that there is one when it is renewed."""
    Notice.objects.filter(player=player, match=table, kind=Notice.Kind.INVITED).delete()


def make(player: Player, match: Match, way: str, kind: str, *, asked: int = 0) -> None:
    """Create a notice once, with the job that sends it."""
    with transaction.atomic():
        notice, made = Notice.objects.get_or_create(
            player=player, match=match, way=way, kind=kind, asked=asked
        )
        if made:
            wait = timedelta() if kind in AT_ONCE else delay_of(way)
            send_notice.using(run_after=true_time.now() + wait).enqueue(notice.pk)


@job(queue=MAIL, tries=5, backoff=timedelta(minutes=2))
def send_notice(key: int) -> None:
    """Send a notice, by primary key."""
    from games.correspondence.delivery import deliver

    deliver(key)


def delay_of(way: str) -> timedelta:
    """Return the delay of a notice, which is repeated while its player is online."""
    return settings.MAIL_AFTER if way == Notice.Way.MAIL else PUSH_AFTER


def channels_of(player: Player) -> list[Notice.Way]:
    """Return the channels that a player has chosen and can receive."""
    ways = []
    if player.is_active and address_of(player) and mail_choice(player) is not None:
        ways.append(Notice.Way.MAIL)
    if (
        player.is_active
        and push.available()
        and PushSubscription.objects.filter(player=player).exists()
    ):
        ways.append(Notice.Way.PUSH)
    return ways


def mail_choice(player: Player) -> MailChoice | None:
    """Return a player's request for mails, if any."""
    return MailChoice.objects.filter(player=player).first()


def address_of(player: Player) -> str:
    """Return a person's verified address, or ""."""
    rows = EmailAddress.objects.filter(user=player, verified=True, user__kind=Player.Kind.PERSON)
    return rows.order_by("-primary", "pk").values_list("email", flat=True).first() or ""
