"""Correspondence matches for tests, aged by changing their times, and their notices."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.db.models import QuerySet
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.correspondence import notify
from games.engine import rules
from games.engine.moves import Decision, Discard, parse_move, to_text
from games.engine.state import Ruleset, State
from games.jobs.backend import MAIL, key_of
from games.jobs.worker import work_off
from games.live import dealing
from games.log import store
from games.log.store import Entry
from games.models import MailChoice, Match, Move, Notice, Player
from games.people.accounts import create_guest
from games.tables.tables import create_match, join_match

A_CARD = re.compile(r"\b(?:[A2-9TJQK]|10)[CDHS♣♦♥♠]|\bof (?:clubs|diamonds|hearts|spades)\b")
"""The name of a card, short or long."""


def make_person(name: str, *, mails: bool = True) -> Player:
    """Create a person with a verified address, by default subscribed to mails."""
    person = Player.objects.create_user(name, f"{name}@example.org")
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    if mails:
        MailChoice.objects.create(player=person, language="en")
    return person


def begin(*people: Player, days: int | None = 3) -> Match:
    """Start a match, by correspondence or live, and deal its first hand, without any sockets."""
    seated = people or (create_guest(), create_guest())
    match = create_match(creator=seated[0], ruleset=Ruleset(players=len(seated)), days=days)
    for person in seated[1:]:
        join_match(player=person, invite=match.invite)
    settle(match)
    return Match.objects.get(pk=match.pk)


def state_of(match: Match) -> State:
    """Return a match's state."""
    moves = [parse_move(entry.text) for entry in store.whole(match.pk)]
    return rules.fold(Ruleset.from_dict(match.ruleset), moves)


def settle(match: Match) -> None:
    """Write all pending chance moves."""
    state = state_of(match)
    while (move := dealing.draw(state, ())) is not None:
        _write(match, state, None, to_text(move))
        state = rules.apply(state, move).state


def act(match: Match, move: Decision) -> None:
    """Write a player's move and the chance moves after it."""
    _write(match, state_of(match), move.seat, to_text(move))
    settle(match)


def discard(match: Match, seat: int) -> None:
    """Discard the first cards of a seat: two, or one where three play."""
    state = state_of(match)
    assert state.hand is not None
    act(match, Discard(seat, tuple(state.hand.dealt[seat][: state.ruleset.thrown])))


def _write(match: Match, state: State, seat: int | None, text: str) -> None:
    entry = Entry(match.pk, state.sequence, seat, text, "", timezone.now())
    assert store.append([entry])


def pass_time(match: Match, time: timedelta) -> None:
    """Make a match look as if this much time had passed since its last entry."""
    for row in Move.objects.filter(match=match):
        Move.objects.filter(pk=row.pk).update(at=row.at - time)
    Match.objects.filter(pk=match.pk).update(started_at=timezone.now() - time)


def due(**wanted: Any) -> QuerySet[DBTaskResult[Any, Any]]:
    """Make the jobs of these unsent notices due; return them."""
    notices = Notice.objects.filter(sent_at__isnull=True, **wanted)
    keys = [key_of(notify.send_notice.module_path, (notice.pk,)) for notice in notices]
    jobs = DBTaskResult.objects.filter(pk__in=keys, status="READY")
    jobs.update(run_after=timezone.now())
    return jobs


def deliver(**wanted: Any) -> None:
    """Deliver these notices, as if their time had come."""
    due(**wanted)
    work_off([MAIL])
