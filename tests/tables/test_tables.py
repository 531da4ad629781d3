"""Tables: creating, joining, filling and leaving; visibility."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.archive import access, selectors
from games.bots import levels
from games.engine.state import Ruleset
from games.live.runtime import runtime
from games.models import Match, Player
from games.people.accounts import create_guest
from games.tables.forfeit import leave_for_good
from games.tables.quick_match import quick_match
from games.tables.rematches import make_rematch
from games.tables.tables import (
    create_match,
    fill_seat,
    join_match,
    leave_match,
    seat_stand_in,
    take_back,
)
from games.wire.refusals import Refused
from tests.support.launcher import Script
from tests.support.people import Wire, make_computer_match, make_match, run
from tests.support.servers import site_environment, sqlite_url
from tests.support.tables import make_tables, wish
from tests.support.wrong_clocks import wrong_clock

pytestmark = pytest.mark.django_db(transaction=True)

LEVEL = levels()[0].name


def refusal(function: Any, **arguments: Any) -> str:
    """Return the code of a service's refusal."""
    with pytest.raises(Refused) as refused:
        function(**arguments)
    return refused.value.code


def seated(match: Match) -> list[Player | None]:
    return [seat.player for seat in match.seats.order_by("seat")]


def test_a_match_begins_by_the_clock_that_dates_its_moves() -> None:
    """By a slow one it would begin before its players came, and by a fast one after its moves."""
    ann, bob = create_guest(), create_guest()
    with wrong_clock(timedelta(hours=1)):
        table = create_match(creator=ann, ruleset=Ruleset(), listed=True)
        assert selectors.lobby_tables()
    assert selectors.lobby_tables(), "nor does it leave the lobby of other processes"
    with wrong_clock(timedelta(hours=-1)):
        begun = join_match(player=bob, invite=table.invite)
        Match.objects.filter(pk=begun.pk).update(status=Match.Status.FINISHED)
        again = make_rematch(match=begun)
    for match in (begun, again):
        assert match is not None
        assert match.started_at is not None
        assert abs(match.started_at - timezone.now()) < timedelta(minutes=1)


def test_a_match_against_computers_starts_at_once() -> None:
    ann = create_guest()
    match = create_match(creator=ann, ruleset=Ruleset(players=3), computers={1: LEVEL, 2: LEVEL})
    assert match.status == "playing"
    assert match.started_at is not None
    assert seated(match)[0] == ann
    assert [seat.computer for seat in match.seats.order_by("seat")] == [False, True, True]


def test_computers_need_a_valid_seat_and_level() -> None:
    ann = create_guest()
    for seat in (0, 2, -1):
        code = refusal(create_match, creator=ann, ruleset=Ruleset(), computers={seat: LEVEL})
        assert code == "bad_seat"
    code = refusal(create_match, creator=ann, ruleset=Ruleset(), computers={1: "nobody"})
    assert code == "no_such_level"
    assert not Match.objects.exists()


def test_an_invitation_seats_players_until_the_match_is_full() -> None:
    ann, bob, eve, late = (create_guest() for _ in range(4))
    match = create_match(creator=ann, ruleset=Ruleset(players=3))
    assert refusal(join_match, player=bob, invite="nonsense") == "no_such_invitation"
    join_match(player=bob, invite=match.invite)
    join_match(player=bob, invite=match.invite)
    assert seated(match) == [ann, bob, None]
    assert join_match(player=eve, invite=match.invite).status == "playing"
    assert refusal(join_match, player=late, invite=match.invite) == "match_full"
    assert join_match(player=eve, invite=match.invite).pk == match.pk
    assert seated(match) == [ann, bob, eve]


_RACE = """
import sys, threading
import django
django.setup()
from django.db import connection
from games.tables.tables import join_match
from games.people.accounts import create_guest
from games.models import Match
from games.wire.refusals import Refused
match = Match.objects.get()
people = [create_guest() for _ in range(8)]
start = threading.Barrier(len(people))
outcomes = []
def join(person):
    start.wait()
    try:
        join_match(player=person, invite=match.invite)
        outcomes.append("seated")
    except Refused as refused:
        outcomes.append(refused.code)
    finally:
        connection.close()
threads = [threading.Thread(target=join, args=(person,)) for person in people]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(*sorted(outcomes))
"""


@pytest.mark.servers
@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
def test_only_one_of_many_concurrent_players_gets_the_last_seat(
    request: pytest.FixtureRequest, tmp_path: Path, empty_database: Path, backend: str
) -> None:
    """Eight threads join at the same time; each gets a definite answer."""
    if backend == "postgresql":
        url = request.getfixturevalue("postgres_url")
    else:
        shutil.copy(empty_database, tmp_path / "site.sqlite3")
        url = sqlite_url(tmp_path)
    make_tables(url, wish(join=False))
    said = Script(["-c", _RACE], site_environment(url)).finish()
    assert said.split() == ["match_full"] * 7 + ["seated"]


def test_only_the_creator_can_fill_a_seat_and_only_an_empty_one() -> None:
    ann, bob = create_guest(), create_guest()
    match = create_match(creator=ann, ruleset=Ruleset(players=3))
    join_match(player=bob, invite=match.invite)
    fill = fill_seat
    assert refusal(fill, match=match, by=bob, seat=2, level=LEVEL) == "not_offered"
    assert refusal(fill, match=match, by=ann, seat=1, level=LEVEL) == "seat_taken"
    assert refusal(fill, match=match, by=ann, seat=5, level=LEVEL) == "bad_seat"
    assert refusal(fill, match=match, by=ann, seat=2, level="nobody") == "no_such_level"
    fill(match=match, by=ann, seat=2, level=LEVEL)
    match.refresh_from_db()
    assert match.status == "playing"
    assert refusal(fill, match=match, by=ann, seat=1, level=LEVEL) == "not_offered"
    assert refusal(fill, match=match, by=bob, seat=2, level=LEVEL) == "not_offered"


def test_leaving_a_waiting_match_frees_the_seat_or_abandons_it() -> None:
    """A player's seat becomes free; if the creator leaves, the match is abandoned."""
    ann, bob = create_guest(), create_guest()
    match = create_match(creator=ann, ruleset=Ruleset(players=3), listed=True)
    join_match(player=bob, invite=match.invite)
    assert refusal(leave_match, match=match, player=create_guest()) == "not_seated"
    leave_match(match=match, player=bob)
    assert seated(match) == [ann, None, None]
    leave_match(match=match, player=ann)
    match.refresh_from_db()
    assert match.status == "abandoned"
    assert refusal(join_match, player=bob, invite=match.invite) == "match_closed"
    assert selectors.lobby_tables() == []


def test_a_running_two_player_match_cannot_be_left() -> None:
    match, (ann, _) = make_match()
    assert refusal(leave_match, match=match, player=ann) == "not_offered"
    assert refusal(make_rematch, match=match) == "not_offered"


@pytest.mark.parametrize("players", [2, 3])
def test_a_ranked_seat_that_was_lost_on_time_cannot_be_left(players: int) -> None:
    match, (ann, *_) = make_match(players=players)
    Match.objects.filter(pk=match.pk).update(ranked=True)
    leave_for_good(match=match.pk, seat=0, timed_out=True)
    assert refusal(leave_match, match=match, player=ann) == "not_offered"


def test_the_rematch_of_a_match_from_a_position_begins_at_nothing() -> None:
    match, _people = make_match()
    Match.objects.filter(pk=match.pk).update(
        ruleset={**match.ruleset, "scores": [62, 56]}, status=Match.Status.FINISHED
    )
    following = make_rematch(match=match)
    assert not Ruleset.from_dict(following.ruleset).scores


def test_a_rematch_takes_few_statements(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    """A pair of players that plays on waits for them, and the process that serves the sockets."""
    match, people = make_match()
    Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED)
    # Two of them begin and end the transaction. PostgreSQL gets the others in two messages.
    with django_assert_num_queries(4 if connection.vendor == "postgresql" else 7):
        following = make_rematch(match=match)
    assert make_rematch(match=match) == following
    following.refresh_from_db()
    assert (following.status, following.created_by_id) == ("playing", people[0].pk)
    assert seated(following) == people


def test_a_seat_can_be_taken_back_only_once() -> None:
    match, (_, bob) = make_match()
    seat_stand_in(match=match, seat=1)
    assert take_back(match=match, player=bob)
    assert not take_back(match=match, player=bob)


def test_a_quick_match_is_with_whoever_has_waited_longest_and_is_there() -> None:
    hosts = [create_guest() for _ in range(60)]
    tables = [create_match(creator=host, ruleset=Ruleset(), listed=True) for host in hosts]
    gone = timezone.now() - timedelta(minutes=1)
    Match.objects.filter(pk=tables[0].pk).update(attended_at=gone)
    assert quick_match(player=create_guest()) == tables[1]
    assert quick_match(player=hosts[0]) == tables[0], "their own"
    assert quick_match(player=create_guest()) == tables[0], "they are back"


def test_only_players_and_allowed_watchers_see_a_match() -> None:
    match, (ann, _) = make_match()
    stranger = create_guest()
    match = selectors.match_by_id(public_id=match.public_id) or match
    assert access.may_see(match, ann)
    assert not access.may_see(match, stranger)
    assert not access.may_see(match, None)
    assert not access.may_replay(match, ann), "the match is not over"
    assert selectors.match_detail(public_id=match.public_id, viewer=stranger) is None
    assert selectors.match_detail(public_id="nothing", viewer=ann) is None
    match.watchable = True
    assert access.may_see(match, None)
    assert access.seat_of(match, None) is None
    match.status = Match.Status.FINISHED
    assert access.may_replay(match, stranger)


def test_a_computers_seat_belongs_to_no_viewer() -> None:
    match, _ = make_computer_match()
    match = selectors.match_by_id(public_id=match.public_id) or match
    computer = match.seats.all()[1].player
    assert access.seat_of(match, computer) is None


@pytest.mark.parametrize("count", [1, 15])
def test_the_number_of_queries_does_not_depend_on_the_list_length(count: int) -> None:
    ann = create_guest()
    for _ in range(count):
        create_match(creator=ann, ruleset=Ruleset(), computers={1: LEVEL})
    for _ in range(count):
        create_match(creator=ann, ruleset=Ruleset(), listed=True)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        lines = selectors.unfinished(player=ann)
        names = [line.others[0].player and line.others[0].player.name for line in lines]
    assert len(names) == 2 * count
    assert len(queries) == 2
    with CaptureQueriesContext(connection) as queries:
        assert len(selectors.lobby_tables()) == count
    assert len(queries) == 2


def test_sockets_at_tables_are_counted() -> None:
    match, (ann, _) = make_match()

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        await here.hear("table")
        assert runtime().presence.online_count() == 1
        await here.hang_up()
        assert runtime().presence.online_count() == 0

    run(scenario())
