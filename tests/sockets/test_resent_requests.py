"""Requests that are sent again because their answer was lost: they get the same answer.

The second time they reach a process that knows only what is stored, as after a restart.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.utils import timezone

from games.engine.state import Ruleset
from games.models import Friendship, Match, Player, Seat, TableInvitation
from games.people.accounts import create_guest
from games.tables.forfeit import leave_for_good
from games.tables.tables import create_match, join_match, seat_stand_in
from tests.live.test_absence import GRACE_S, SHORT, absent, clock
from tests.live.test_turn_clock import discarding, ranked
from tests.support.people import Wire, make_match, run
from tests.support.waiting import wait_until

__all__ = ["clock"]

pytestmark = pytest.mark.django_db(transaction=True)


def answers(match: Match, player: Player, *requests: tuple[str, dict[str, Any]]) -> list[str]:
    """Send requests to a new process; return "ok" or the code of the refusal for each."""
    found = []

    async def scenario() -> None:
        wire = await Wire(match, player).open()
        for number, (kind, data) in enumerate(requests):
            answer = await wire.ask(kind, f"a-{number}", **data)
            found.append(answer["t"] if answer["t"] == "ok" else answer["d"]["code"])
        await wire.hang_up()

    run(scenario())
    return found


def has_discarded(wire: Wire, *, seat: int) -> bool:
    """Whether a discard of this seat was told, even before the answer to a request."""
    event = {"e": "discarded", "seat": seat, "number": 2}
    told = (json.loads(text) for text in wire.heard)
    return any(
        event in move for each in told if each["t"] == "steps" for move in each["d"]["events"]
    )


def offered(match: Match, player: Player, kind: str, clock: list[float]) -> int:
    """Act for the absent player in seat 1; return the version for which this was offered."""
    versions = []

    async def scenario() -> None:
        wire = await Wire(match, player).open()
        await absent(wire, offered=False)
        clock[0] += GRACE_S
        versions.append((await absent(wire, offered=True))["v"])
        assert (await wire.ask(kind, seat=1, v=versions[0]))["t"] == "ok"
        if kind == "stand_in":
            await wait_until(lambda: has_discarded(wire, seat=1))
        await wire.hang_up()

    run(scenario())
    return int(versions[0])


def test_a_computer_is_added_once() -> None:
    ann = create_guest()
    match = create_match(creator=ann, ruleset=Ruleset())
    wanted = ("fill", {"seat": 1, "level": "poppy"})
    other = ("fill", {"seat": 1, "level": "nora"})
    assert answers(match, ann, wanted) == ["ok"]
    assert answers(match, ann, wanted, other) == ["ok", "not_offered"]
    (row,) = Seat.objects.filter(match=match, computer=True)
    assert (row.player and row.player.bot, row.stand_in) == ("poppy", None)


@pytest.mark.parametrize("players", [2, 3])
def test_a_friend_who_has_sat_down_may_be_invited_again(players: int) -> None:
    """The table of two has begun by then; at the table of three one more is awaited."""
    ann, bob, cleo = (
        Player.objects.create_user(name, kind=Player.Kind.PERSON, name=name)
        for name in ("Ann", "Bob", "Cleo")
    )
    for friend in (bob, cleo):
        Friendship.objects.create(asker=ann, asked=friend, accepted_at=timezone.now())
    match = create_match(creator=ann, ruleset=Ruleset(players=players))
    wanted, other = (("invite", {"player": friend.public_id}) for friend in (bob, cleo))
    assert answers(match, ann, wanted) == ["ok"]
    join_match(player=bob, invite=match.invite)
    assert answers(match, ann, wanted, other) == ["ok", "not_offered" if players == 2 else "ok"]
    assert TableInvitation.objects.filter(invited=bob).count() == 1


@SHORT
def test_a_computer_that_plays_for_an_absent_player_may_be_asked_for_again(
    clock: list[float],
) -> None:
    match, (ann, bob) = make_match()
    version = offered(match, ann, "stand_in", clock)
    wanted = ("stand_in", {"seat": 1, "v": version})
    nobody = ("stand_in", {"seat": 2, "v": version})
    assert answers(match, ann, wanted, nobody) == ["ok", "not_offered"]
    assert answers(match, bob) == []  # he is back
    assert answers(match, ann, wanted) == ["not_offered"]
    assert not Seat.objects.filter(match=match, stand_in__isnull=False).exists()


@SHORT
def test_a_computer_is_asked_for_again_in_a_process_that_has_not_heard_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, (ann, _) = make_match()
    monkeypatch.setattr("games.tables.tables.announce_change", lambda _match: None)

    async def scenario() -> None:
        wire = await Wire(match, ann).open()
        version = (await discarding(wire))["v"]
        await database_sync_to_async(seat_stand_in)(match=match, seat=1)
        assert (await wire.ask("stand_in", seat=1, v=version))["t"] == "ok"
        await wire.hang_up()

    run(scenario())


@SHORT
def test_a_win_is_claimed_once(clock: list[float]) -> None:
    match, (ann, bob) = make_match()
    version = offered(match, ann, "claim_win", clock)
    wanted = ("claim_win", {"seat": 1, "v": version})
    others = [
        ("claim_win", {"seat": seat, "v": of})
        for seat, of in ((0, version), (1, version - 1), (1, version + 1))
    ]
    assert answers(match, ann, wanted, *others) == ["ok", *["not_offered"] * 3]
    assert answers(match, bob, wanted, *others) == ["not_offered"] * 4
    match.refresh_from_db()
    assert (match.status, match.winner) == ("finished", 0)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_win_by_resignation_was_not_claimed(seat: int) -> None:
    match, people = make_match()
    versions = []

    async def scenario() -> None:
        wire = await Wire(match, people[seat]).open()
        versions.append((await discarding(wire))["v"])
        assert (await wire.ask("resign"))["t"] == "ok"
        await wire.hang_up()

    run(scenario())
    ann, bob = people
    assert answers(match, ann, ("claim_win", {"seat": 1, "v": versions[0]})) == ["not_offered"]
    assert answers(match, bob, ("claim_win", {"seat": 0, "v": versions[0]})) == ["not_offered"]


def test_a_waiting_table_is_cancelled_once() -> None:
    ann = create_guest()
    match = create_match(creator=ann, ruleset=Ruleset())
    assert answers(match, ann, ("leave", {})) == ["ok"]
    assert answers(match, ann, ("leave", {})) == ["ok"]
    match.refresh_from_db()
    assert match.status == Match.Status.ABANDONED


def test_only_its_host_cancels_a_table() -> None:
    ann, bob = create_guest(), create_guest()
    match = create_match(creator=ann, ruleset=Ruleset(players=3))
    join_match(player=bob, invite=match.invite)
    assert answers(match, ann, ("leave", {})) == ["ok"]
    assert answers(match, bob, ("leave", {})) == ["not_offered"]


@pytest.mark.parametrize("timed_out", [False, True])
def test_a_ranked_match_is_left_once(timed_out: bool) -> None:
    match, (ann, _) = ranked()
    if timed_out:
        leave_for_good(match=match.pk, seat=0, timed_out=True)
    else:
        assert answers(match, ann, ("leave", {})) == ["ok"]
    assert answers(match, ann, ("leave", {})) == ["not_offered" if timed_out else "ok"]


@pytest.mark.parametrize("timed_out", [False, True])
def test_a_ranked_match_is_resigned_once(timed_out: bool) -> None:
    """Who has lost the seat on time cannot resign any more."""
    match, (ann, _) = ranked()
    if timed_out:
        leave_for_good(match=match.pk, seat=0, timed_out=True)
    else:
        assert answers(match, ann, ("resign", {})) == ["ok"]
    again = answers(match, ann, ("resign", {}), ("discard", {"cards": ["AS", "2S"]}))
    assert again == ["not_seated" if timed_out else "ok", "not_seated"]
    row = Seat.objects.get(match=match, seat=0)
    assert (row.timed_out, row.left_at is not None) == (timed_out, True)
