"""Delivery of notices: mail and push. A job calls it for each notice, and repeats it on failure."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from smtplib import SMTPException

from games.cluster import online_status
from games.correspondence import local_hours, notice_texts, notify, push, turns
from games.log import store
from games.models import Match, Notice, PushSubscription
from games.ops import true_time
from games.people.friends import INVITATION_KEPT
from games.people.message_ids import message_id
from games.people.refused_mails import FULL_FOR, full_again_at, refusal_for_good

logger = logging.getLogger(__name__)

WAITS_FOR_PAGES = timedelta(hours=1)
"""The time for which a player's open page delays a message about their turn.

A player with an open page may see the turn by themselves, or may have left the page open.
"""


class NotSentError(Exception):
    """The mail server or all push services refused a message."""


class FullError(Exception):
    """The player's mailbox is full; ``again`` is when to try again."""

    def __init__(self, again: datetime) -> None:
        super().__init__("the mailbox is full")
        self.again = again


def deliver(key: int) -> None:
    """Send a notice, postpone it, or delete it if it is obsolete or unwanted.

    Raises:
        NotSentError: if it could not be sent; the job is repeated.
    """
    rows = Notice.objects.select_related("player", "match__created_by")
    notice = rows.filter(pk=key, sent_at__isnull=True).first()
    if notice is None:
        return
    subject = _current_subject(notice)
    if subject is None or notice.way not in notify.channels_of(notice.player):
        notice.delete()
    elif (later := _postponed(notice)) is not None:
        notify.send_notice.using(run_after=later).enqueue(key)
    else:
        try:
            sent = _send(notice)
        except FullError as full:
            notify.send_notice.using(run_after=full.again).enqueue(key)
            return
        if not sent:
            raise NotSentError(notice.way)
        # Marked afterwards: a worker killed while a mail server is slow must not lose the message.
        Notice.objects.filter(pk=key).update(sent_at=true_time.now())


def _postponed(notice: Notice) -> datetime | None:
    """Return when to look again: the player is online, or it is night for them."""
    if _may_see(notice) and online_status.online([notice.player_id]):
        # At least that, since an operator may have mails sent without a delay.
        return true_time.now() + max(notify.delay_of(notice.way), notify.PUSH_AFTER)
    return local_hours.quiet_until(notice.player)


def _may_see(notice: Notice) -> bool:
    """Return whether an open page may show what a notice says, as all pages show invitations."""
    if notice.kind == Notice.Kind.INVITED:
        return True
    begun = store.decision_requested_at(notice.match_id) or notice.match.started_at
    return begun is None or true_time.now() < begun + WAITS_FOR_PAGES


def _current_subject(notice: Notice) -> turns.Turn | Match | None:
    """Return the turn or table that a notice is about; None if it is obsolete."""
    if notice.kind == Notice.Kind.INVITED:
        asked = notice.match.invitations.filter(
            invited=notice.player,
            declined_at__isnull=True,
            made_at__gt=true_time.now() - INVITATION_KEPT,
        )
        waits = notice.match.status == Match.Status.WAITING
        return notice.match if waits and asked.exists() else None
    if notice.kind == Notice.Kind.TAKEN:
        return notice.match if _awaits_first_move(notice) else None
    if notice.kind == Notice.Kind.ENDED:
        unseen = notice.match.seats.filter(player=notice.player, end_seen=False)
        over = notice.match.status == Match.Status.FINISHED
        return notice.match if over and unseen.exists() else None
    found = turns.turn(notice.match)
    if found is None or found.asked != notice.asked:
        return None
    own = notice.match.seats.filter(player=notice.player, seat__in=found.seats)
    seats = list(own.values_list("seat", flat=True))
    if notice.kind == Notice.Kind.DUE:
        seats = [seat for seat in seats if not (found.late(seat) or found.away_of(seat))]
    return found if seats else None


def _awaits_first_move(notice: Notice) -> bool:
    """Return whether an accepted game goes on, and its owner has not moved in it yet."""
    match = notice.match
    seats = match.seats.filter(player=notice.player).values_list("seat", flat=True)
    playing = match.status == Match.Status.PLAYING
    return playing and not any(store.has_decided(match.pk, seat) for seat in seats)


def _send(notice: Notice) -> bool:
    """Send a notice; return False if it has to be tried again.

    Raises:
        FullError: if the player's mailbox is full.
    """
    if notice.way == Notice.Way.MAIL:
        return _send_mail(notice)
    browsers = list(PushSubscription.objects.filter(player=notice.player))
    topic = notice.match.public_id
    results = [
        push.send(
            browser, notice_texts.push_payload(notice, language=browser.language), topic=topic
        )
        for browser in browsers
    ]
    return any(results)


def _send_mail(notice: Notice) -> bool:
    choice = notify.mail_choice(notice.player)
    over = notice.kind == Notice.Kind.ENDED
    due = None if over else turns.deadline_of(notice.match, notice.player)
    letter = notice_texts.mail_message(
        player=notice.player,
        match=notice.match,
        to=notify.address_of(notice.player),
        due=due,
        kind=notice.kind,
        language=choice.language if choice is not None else "",
    )
    about = (notice.match.public_id, notice.player_id, notice.kind, notice.asked)
    letter.extra_headers["Message-ID"] = message_id("notice", *about)
    try:
        return bool(letter.send())
    except (SMTPException, OSError) as error:
        logger.warning("a mail could not be sent: %s", type(error).__name__)
        again = full_again_at(error, until=due or _ended_at(notice.match) + FULL_FOR)
        if again is not None:
            raise FullError(again) from None
        return refusal_for_good(error) is not None


def _ended_at(match: Match) -> datetime:
    return match.finished_at or match.created_at
