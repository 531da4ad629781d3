"""Forms that are sent several times at once: limits hold, and nothing is made twice."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from games.correspondence import notices, push
from games.engine.state import Ruleset
from games.models import MailChoice, Match, Player
from games.models.ids import public_id
from games.people import accounts, friendships, guests, programs, tokens
from games.people.accounts import create_guest
from games.people.friends import accepted
from games.people.player_lock import LoggedOut
from games.safety.erasure import erase
from games.tables import invitations
from games.tables.quick_match import quick_match
from games.tables.tables import create_match
from games.wire.refusals import Refused
from tests.support.at_once import at_once, refusable, waits_for_lock
from tests.support.letters import make_person
from tests.support.waiting import DEADLINE, wait_for

pytestmark = pytest.mark.django_db(transaction=True)

TIMES = 4
TOGGLES = 25
WAITING_TABLES = 10
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the last of several clicks come as late as a busy machine sends it."""
    monkeypatch.setattr("games.tables.quick_match.CLICKED_WITHIN", HOUR)


def person(name: str) -> Player:
    return Player.objects.create_user(name, kind=Player.Kind.PERSON, name=name)


def meeting(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is called only when all threads of a test have come to it."""
    barrier = Barrier(TIMES)

    def called(*args: Any) -> Any:
        barrier.wait(DEADLINE)
        return function(*args)

    return called


def test_a_person_gets_no_more_tokens_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person("Ann")
    for number in range(tokens.MOST_TOKENS - 1):
        tokens.create_data_token(player=ann, name=f"mine {number}")
    # What a token needs is made before the lock is taken, which only one of them holds.
    monkeypatch.setattr(secrets, "token_urlsafe", meeting(secrets.token_urlsafe))
    at_once(
        *[
            refusable(
                lambda name=name: tokens.create_data_token(player=ann, name=name), ValidationError
            )
            for name in ("One", "Two", "Three", "Four")
        ]
    )
    assert ann.data_tokens.count() == tokens.MOST_TOKENS


@pytest.mark.parametrize("new", [True, False])
def test_a_guest_does_not_keep_a_name_that_an_account_takes_meanwhile(
    monkeypatch: pytest.MonkeyPatch, *, new: bool
) -> None:
    """The guest has checked the name and not stored it when the account is stored."""
    bea, guest, check = person("Bea"), create_guest(name="Cat"), guests.check_guest_name
    with ThreadPoolExecutor() as pool:

        def checked(name: str) -> None:
            check(name)
            taken = pool.submit(at_once, lambda: accounts.rename(player=bea, name=name))
            wait_for(lambda: taken.done() or waits_for_lock())

        monkeypatch.setattr(accounts, "check_guest_name", checked)
        if new:
            create_guest(name="Bill")
        else:
            accounts.rename(player=guest, name="Bill")
    assert Player.objects.get(name="Bill") == bea


def test_a_person_gets_no_more_programs_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person("Ann")
    for number in range(programs.MOST_PROGRAMS - 1):
        programs.create_program(owner=ann, name=f"Mine {number}")
    monkeypatch.setattr(programs, "public_id", meeting(public_id))
    at_once(
        *[
            refusable(
                lambda name=name: programs.create_program(owner=ann, name=name), ValidationError
            )
            for name in ("One", "Two", "Three", "Four")
        ]
    )
    assert ann.programs.count() == programs.MOST_PROGRAMS


def test_a_person_asks_no_more_people_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    ann, others = person("Ann"), [person(f"Other {number}") for number in range(TIMES)]
    monkeypatch.setattr(friendships, "MAX_WAITING", 1)
    wanted = friendships._forget_old_refusals
    monkeypatch.setattr(friendships, "_forget_old_refusals", meeting(wanted))
    at_once(
        *[
            refusable(lambda other=other: friendships.ask(player=ann, other=other), Refused)
            for other in others
        ]
    )
    assert ann.friendships_asked.count() == 1


def test_a_person_gets_no_more_friends_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    ann, others = person("Ann"), [person(f"Other {number}") for number in range(TIMES)]
    for other in others:
        friendships.ask(player=other, other=ann)
    monkeypatch.setattr(friendships, "MAX_FRIENDS", 1)
    at_once(
        *[
            refusable(lambda other=other: friendships.accept(player=ann, other=other), Refused)
            for other in others
        ]
    )
    assert accepted(ann).count() == 1


def test_two_clicks_on_quick_match_open_one_table() -> None:
    guest = create_guest()
    at_once(*[lambda: quick_match(player=guest)] * TIMES)
    assert Match.objects.count() == 1


def test_two_clicks_on_quick_match_seat_a_player_at_one_of_several_tables() -> None:
    hosts, guest = [create_guest() for _ in range(TIMES)], create_guest()
    for host in hosts:
        create_match(creator=host, ruleset=Ruleset(), listed=True)
    at_once(*[lambda: quick_match(player=guest)] * TIMES)
    (seated,) = Match.objects.filter(seats__player=guest)
    assert quick_match(player=seated.created_by or guest) == seated, "whoever waited may click too"


def test_quick_match_finds_another_table_for_who_has_moved_or_played_a_while() -> None:
    host, guest = create_guest(), create_guest()
    quick_match(player=host)
    first = quick_match(player=guest)
    first.moves.create(sequence=2, seat=1, text="1 discard")
    second = quick_match(player=guest)
    assert second != first
    assert quick_match(player=create_guest()) == second
    Match.objects.filter(pk=second.pk).update(started_at=timezone.now() - HOUR)
    assert quick_match(player=guest) not in {first, second}


def test_people_who_come_at_the_same_moment_share_tables() -> None:
    """Nobody waits at an open table while somebody else waits at another."""
    guests = [create_guest() for _ in range(TIMES)]
    at_once(*[lambda guest=guest: quick_match(player=guest) for guest in guests])
    assert not Match.objects.filter(status=Match.Status.WAITING).exists()
    assert Match.objects.count() == TIMES / 2


def test_two_clicks_invite_a_friend_to_one_table() -> None:
    ann, bob = person("Ann"), person("Bob")
    friendships.ask(player=ann, other=bob)
    friendships.accept(player=bob, other=ann)
    at_once(*[lambda: invitations.invite(player=ann, friend=bob)] * TIMES)
    assert Match.objects.count() == 1


def test_two_clicks_delete_an_account_once() -> None:
    ann = person("Ann")
    for _ in range(WAITING_TABLES):
        create_match(creator=ann, ruleset=Ruleset())
    at_once(*[lambda: erase(player=Player.objects.get(pk=ann.pk))] * TIMES)
    ann.refresh_from_db()
    assert ann.kind == Player.Kind.DELETED


def test_mails_can_be_turned_on_and_off_at_once() -> None:
    ann = make_person("ann")

    def turn(*, on: bool) -> None:
        for _ in range(TOGGLES):
            notices.choose_mails(player=ann, wanted=on, language="en")

    at_once(*[lambda on=on: turn(on=on) for on in (True, False) * (TIMES // 2)])
    assert MailChoice.objects.filter(player=ann).count() <= 1


def test_a_browser_can_subscribe_and_unsubscribe_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person("Ann")
    keys = {"p256dh": "public", "auth": "secret"}
    browser: dict[str, object] = {"endpoint": "https://push.example/b", "keys": keys}
    for check in ("available", "is_push_service", "are_keys"):
        monkeypatch.setattr(push, check, lambda *_: True)

    def turn(*, on: bool) -> None:
        for _ in range(TOGGLES):
            if on:
                notices.subscribe(player=ann, browser=browser, language="en")
            else:
                ann.push_subscriptions.all().delete()

    at_once(*[lambda on=on: turn(on=on) for on in (True, False) * (TIMES // 2)])
    assert ann.push_subscriptions.count() <= 1


def test_a_table_opened_while_its_account_is_deleted_does_not_stay() -> None:
    for number in range(TIMES):
        ann = person(f"Ann {number}")
        request = Player.objects.get(pk=ann.pk)
        at_once(
            refusable(lambda one=request: create_match(creator=one, ruleset=Ruleset()), LoggedOut),
            lambda one=ann: erase(player=one),
        )
    assert not Match.objects.filter(status=Match.Status.WAITING).exists()
