"""Correspondence matches for tests: started, dealt, and aged by changing their times."""

from __future__ import annotations

from datetime import timedelta

from allauth.account.models import EmailAddress
from django.utils import timezone

from games.engine import rules
from games.engine.moves import Decision, Discard, parse_move, to_text
from games.engine.state import Ruleset, State
from games.live import dealing
from games.log import store
from games.log.store import Entry
from games.models import MailChoice, Match, Move, Player
from games.people.accounts import create_guest
from games.tables.tables import create_match, join_match


def make_person(name: str, *, mails: bool = True) -> Player:
    """Create a person with a verified address, by default subscribed to mails."""
    person = Player.objects.create_user(name, f"{name}@example.org")
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    if mails:
        MailChoice.objects.create(player=person, language="en")
    return person


def begin(*people: Player, days: int = 3) -> Match:
    """Start a correspondence match and deal its first hand, without any sockets."""
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
    """Discard the first two cards of a seat."""
    hand = state_of(match).hand
    assert hand is not None
    act(match, Discard(seat, tuple(hand.dealt[seat][:2])))


def _write(match: Match, state: State, seat: int | None, text: str) -> None:
    entry = Entry(match.pk, state.sequence, seat, text, "", timezone.now())
    assert store.append([entry])


def pass_time(match: Match, time: timedelta) -> None:
    """Make a match look as if this much time had passed since its last entry."""
    for row in Move.objects.filter(match=match):
        Move.objects.filter(pk=row.pk).update(at=row.at - time)
    Match.objects.filter(pk=match.pk).update(started_at=timezone.now() - time)
