"""Commands about seats, at their limits: what each refuses, and for how long an offer holds."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import Error as DatabaseError
from django.utils import timezone

from games.engine.moves import Decision, Pass
from games.engine.state import Phase
from games.live import commands
from games.live.attendance import Attendance
from games.live.table import Table
from games.models import Match
from games.wire.refusals import Refused
from tests.live.test_turn_clock import discarding, ranked
from tests.support.people import Wire, make_match, run

NOON = datetime(2026, 11, 21, 12, tzinfo=timezone.get_default_timezone())
LONG = "1000"
"""The length of a long match's log, as text: two numbers made from it are equal, not identical."""


def parts(**given: Any) -> SimpleNamespace:
    """Return a runtime that has only these parts."""
    return SimpleNamespace(**given)


def returning(value: Any) -> Any:
    """Return a coroutine function that takes anything and returns ``value``."""

    async def answer(*_: object, **__: object) -> Any:
        return value

    return answer


async def answers(wire: Wire, kind: str, **data: Any) -> str:
    """Send a request; return "ok", or the code with which it is refused."""
    answer = await wire.ask(kind, **data)
    return "ok" if answer["t"] == "ok" else str(answer["d"]["code"])


@pytest.fixture
def always_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everyone count as absent for long enough, even who has just sent a message."""
    monkeypatch.setattr(Attendance, "offered", lambda *_: True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("always_offered")
class TestClaims:
    """A win is claimed only at a table of two, and only from the other player."""

    @pytest.mark.parametrize(("players", "claimed"), [(3, 1), (2, 0)])
    def test_neither_at_a_table_of_three_nor_from_oneself(self, players: int, claimed: int) -> None:
        match, people = make_match(players=players)

        async def scenario() -> None:
            wire = await Wire(match, people[0]).open()
            version = (await discarding(wire))["v"]
            assert await answers(wire, "claim_win", seat=claimed, v=version) == "not_offered"
            await wire.hang_up()

        run(scenario())
        match.refresh_from_db()
        assert match.status == Match.Status.PLAYING

    @pytest.mark.parametrize(("seat", "discards"), [(0, 0), (0, 1), (1, 0), (1, 1)])
    def test_by_either_player_at_any_version(self, seat: int, discards: int) -> None:
        match, people = make_match()

        async def scenario() -> None:
            wire = await Wire(match, people[seat]).open()
            view = await discarding(wire)
            if discards:
                assert await answers(wire, "discard", cards=view["cards"][:2]) == "ok"
            claim = {"seat": 1 - seat, "v": view["v"] + discards}
            for _ in range(2):
                assert await answers(wire, "claim_win", **claim) == "ok"
            await wire.hang_up()

        run(scenario())
        match.refresh_from_db()
        assert (match.status, match.winner) == ("finished", seat)

    def test_a_claim_sent_again_is_not_confirmed_while_the_log_cannot_be_read(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match, (ann, _) = make_match()

        async def unreadable(_: Table) -> None:
            raise DatabaseError

        async def scenario() -> None:
            wire = await Wire(match, ann).open()
            claim = {"seat": 1, "v": (await discarding(wire))["v"]}
            assert await answers(wire, "claim_win", **claim) == "ok"
            monkeypatch.setattr(Table, "follow_log", unreadable)
            assert await answers(wire, "claim_win", **claim) == "unavailable"
            await wire.hang_up()

        run(scenario())


def table_of_two(**given: Any) -> Any:
    """Return a table of two with a long log, at which every move is stored."""
    meta = SimpleNamespace(ruleset=SimpleNamespace(players=2), days=None)
    table = SimpleNamespace(
        meta=meta, version=int(LONG), state=SimpleNamespace(resigned=None), played=[]
    )

    async def play(move: Decision, **how: Any) -> None:
        table.played.append((move.seat, how["only_at"]))

    table.follow_log, table.play, table.claimed = returning(None), play, "absent"
    for name, value in given.items():
        setattr(table, name, value)
    return table


class TestLongMatches:
    """An offer holds for its version, however long the log is."""

    @pytest.mark.parametrize("days", [None, 3])
    def test_a_win_is_claimed(self, monkeypatch: pytest.MonkeyPatch, days: int | None) -> None:
        table = table_of_two()
        table.meta.days = days
        turn = SimpleNamespace(version=int(LONG), late=lambda seat: seat == 1)
        here = parts(
            attendance=SimpleNamespace(offered=lambda *_: "absent"),
            correspondence=SimpleNamespace(read_turn=returning(turn)),
        )
        monkeypatch.setattr(commands, "runtime", lambda: here)
        claim = commands.claim_win(table=table, absent=1, seat=0, version=int(LONG))
        run_alone(claim)
        assert table.played == [(1, int(LONG))]

    def test_a_claim_sent_again_is_confirmed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        table = table_of_two(version=int(LONG) + 1, state=SimpleNamespace(resigned=1))
        here = parts(attendance=SimpleNamespace(offered=lambda *_: None))
        monkeypatch.setattr(commands, "runtime", lambda: here)
        run_alone(commands.claim_win(table=table, absent=1, seat=0, version=int(LONG)))
        assert table.played == []


def run_alone(coroutine: Any) -> Any:
    """Run a coroutine that waits for nothing; return its result."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits")


@pytest.mark.parametrize(
    ("meta", "deaf", "due", "in_doubt"),
    [
        ({"days": 3}, False, None, True),
        ({}, True, None, False),
        ({"ranked": True}, True, None, True),
        ({"ranked": True}, False, None, False),
        ({"ranked": True, "clock": 50}, False, None, True),
        ({"ranked": True, "clock": 50}, False, timedelta(seconds=1), False),
        ({"ranked": True, "clock": 50}, False, timedelta(), True),
        ({"ranked": True, "clock": 50}, False, timedelta(seconds=-1), True),
    ],
    ids=[
        *("correspondence", "casual", "ranked in a deaf process", "ranked without a clock"),
        *("ranked, no limit read yet", "time is left", "time is just up", "time is up"),
    ],
)
def test_a_move_asks_who_has_the_seat_only_where_it_may_be_lost_unheard(
    monkeypatch: pytest.MonkeyPatch,
    meta: dict[str, Any],
    deaf: bool,
    due: timedelta | None,
    in_doubt: bool,
) -> None:
    asked: list[str] = []
    deadline = None if due is None else SimpleNamespace(at=NOON + due)
    here = parts(
        presence=SimpleNamespace(deaf=deaf), clock=SimpleNamespace(deadline=lambda _: deadline)
    )
    monkeypatch.setattr(commands, "runtime", lambda: here)
    monkeypatch.setattr(commands, "true_time", SimpleNamespace(now=lambda: NOON))

    async def reload_seats() -> None:
        asked.append("first")

    async def play(*_: object, seat_in_doubt: bool, **__: object) -> int:
        asked.extend(["with the move"] * seat_in_doubt)
        return 7

    known = SimpleNamespace(**{"days": None, "ranked": False, "clock": None, **meta})
    table: Any = SimpleNamespace(meta=known, reload_seats=reload_seats, play=play)
    assert run_alone(commands.make_move(table=table, seat=0, decision=Pass(0))) == 7
    assert asked == (["first", "with the move"] if in_doubt else [])


@pytest.mark.django_db(transaction=True)
def test_a_ranked_match_that_is_over_cannot_be_resigned() -> None:
    match, people = ranked()
    Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED)

    async def scenario() -> None:
        wire = await Wire(match, people[0]).open()
        assert await answers(wire, "resign") == "not_seated"
        await wire.hang_up()

    run(scenario())


@pytest.mark.django_db(transaction=True)
def test_a_move_sent_again_by_who_has_left_a_ranked_match_is_refused() -> None:
    match, people = ranked()

    async def scenario() -> None:
        wire = await Wire(match, people[0]).open()
        cards = (await discarding(wire))["cards"][:2]
        move = {"kind": "discard", "ident": "m-1", "cards": cards}
        assert await answers(wire, **move) == "ok"
        assert (await wire.ask("resign", "r-1"))["t"] == "ok"
        assert await answers(wire, **move) == "not_seated"
        await wire.hang_up()

    run(scenario())


def test_a_rematch_is_offered_only_after_an_unranked_match_with_the_seats_as_they_may_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wishes: list[bool] = []

    async def note_wish(*_: object, seat: int, swap: bool, online: object) -> None:
        wishes.append(swap)

    presence = SimpleNamespace(online=lambda _: (frozenset(), 0))
    peers = SimpleNamespace(wished=lambda *_, **__: None)
    here = parts(peers=peers, presence=presence, rematches=None)
    monkeypatch.setattr(commands, "runtime", lambda: here)
    monkeypatch.setattr("games.live.rematches.note_wish", note_wish)
    flags = (False, True)
    for phase, swappable, is_ranked, swap in product(Phase, flags, flags, (*flags, None)):
        wishes.clear()
        seats = (SimpleNamespace(stand_in=""),)
        meta = SimpleNamespace(ranked=is_ranked, seats=seats)
        state = SimpleNamespace(phase=phase)
        table: Any = SimpleNamespace(pk=1, state=state, meta=meta, swappable=swappable)
        wish = {} if swap is None else {"swap": swap}
        asking = commands.want_rematch(table=table, seat=0, player=1, **wish)
        if phase is Phase.OVER and not is_ranked and (swappable or not swap):
            run_alone(asking)
            assert wishes == [bool(swap)]
        else:
            with pytest.raises(Refused, match="not_offered"):
                run_alone(asking)
            assert wishes == []
