"""The path of a move through a process: applied, stored, announced; and computers' replies."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.db import OperationalError
from django.test import override_settings

from games.bots import levels
from games.cluster import announce
from games.engine import rules
from games.engine.cards import parse_card
from games.engine.illegal import IllegalMove
from games.engine.moves import Claim, Discard, Muggins, Pass, Play, Resign, parse_move, to_text
from games.engine.pegging import score_play
from games.engine.state import Phase, Ruleset, State
from games.engine.view import view_for
from games.live.bot_runner import needs_server_move, to_move
from games.live.commands import make_move
from games.live.computers import decide
from games.live.match_state import BrokenLog
from games.live.runtime import runtime
from games.live.table import Table
from games.log import store
from games.models import Match
from games.people.accounts import create_guest
from games.tables.tables import create_match, join_match
from games.wire.refusals import Refused
from tests.live.test_absence import dealt
from tests.support.people import Wire, make_computer_match, make_match, run
from tests.support.positions import MUGGINS_THREE, in_play

pytestmark = pytest.mark.django_db(transaction=True)

FAST = override_settings(COMPUTER_PAUSE=0.0)


async def ready(match: Match) -> Table:
    """Return a match after its first deal."""
    live = await runtime().matches.get(match.public_id)
    assert live is not None
    await live.deal()
    assert live.state.phase is Phase.DISCARD
    return live


def thrown(live: Table, seat: int) -> Discard:
    """Return a legal discard."""
    hand = live.state.hand
    assert hand is not None
    return Discard(seat, hand.dealt[seat][: live.state.ruleset.thrown])


def test_a_stale_process_catches_up_and_applies_the_move_again() -> None:
    """Another process was first: the move is applied after its entries and stored behind them."""
    match, _ = make_match()

    async def scenario() -> None:
        live = await ready(match)
        stale = Table(live.meta, live._services)
        stale.state = live.state
        before = live.version
        await make_move(table=live, seat=1, decision=thrown(live, 1))
        assert stale.version < live.version
        version = await make_move(table=stale, seat=0, decision=thrown(stale, 0))
        assert version == live.version + 1
        assert stale.state.phase is Phase.PLAY
        assert stale.version == before + 3, "two discards and the starter"

    run(scenario())
    rows = store.whole(match.pk)
    assert [row.sequence for row in rows] == list(range(len(rows)))
    assert [row.seat for row in rows[-3:]] == [1, 0, None]


def test_a_move_that_became_illegal_is_refused_after_catching_up() -> None:
    """The refusal has the engine's code, and the process has caught up with the match."""
    match, _ = make_match()

    async def scenario() -> None:
        live = await ready(match)
        stale = Table(live.meta, live._services)
        stale.state = live.state
        await make_move(table=live, seat=0, decision=thrown(live, 0))
        with pytest.raises(IllegalMove) as refused:
            await make_move(table=stale, seat=0, decision=thrown(stale, 0))
        assert refused.value.code == "already_discarded"
        assert stale.version == live.version

    run(scenario())


def test_a_move_that_could_not_be_stored_is_not_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sender gets a refusal, the state is unchanged, and resending works later."""
    match, (ann, _) = make_match()

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        view = await dealt(here)
        parts = runtime()
        work = parts.writer.work

        def fail(batch: Any) -> Any:
            raise OperationalError("disk full")

        monkeypatch.setattr("games.log.batches.RETRY_SECONDS", 0.0)
        parts.writer.work = fail  # type: ignore[method-assign]
        move = {"t": "discard", "d": {"cards": view["cards"][:2]}, "id": "a-1"}
        here.send(move)
        assert (await here.hear("error"))["code"] == "unavailable"
        live = await parts.matches.get(match.public_id)
        assert live is not None
        assert live.version == view["v"]
        parts.writer.work = work  # type: ignore[method-assign]
        here.send(move)
        assert (await here.hear("ok"))["v"] == view["v"] + 1
        await here.hang_up()

    run(scenario())


def test_a_match_waiting_for_players_accepts_no_moves() -> None:
    match = create_match(creator=create_guest(), ruleset=Ruleset())

    async def scenario() -> None:
        live = await runtime().matches.get(match.public_id)
        assert live is not None
        with pytest.raises(Refused) as refused:
            await make_move(table=live, seat=0, decision=Discard(0, (1, 2)))
        assert refused.value.code == "not_started"

    run(scenario())
    assert store.whole(match.pk) == []


def test_a_table_that_has_read_nothing_yet_knows_that_its_match_is_over() -> None:
    match, _ = make_match()

    async def scenario() -> None:
        live = await ready(match)
        await make_move(table=live, seat=0, decision=Resign(0))
        await live.reload_seats()
        restarted = Table(live.meta, live._services)
        with pytest.raises(IllegalMove) as refused:
            await make_move(table=restarted, seat=0, decision=Resign(0))
        assert refused.value.code == "match_over"

    run(scenario())


def test_a_gap_in_the_log_is_an_error() -> None:
    match, _ = make_match()

    async def scenario() -> None:
        live = await ready(match)
        rows = await runtime().reader.since(match.pk, 0)
        ahead = store.Entry(match.pk, live.version + 1, None, "- starter 5H", "", rows[0].at)
        with pytest.raises(BrokenLog):
            live.apply_entry(ahead)
        before = live.state
        live.apply_entry(rows[0])
        assert live.state is before, "a known entry changes nothing"

    run(scenario())


async def computers_turn(live: Table) -> None:
    """Wait until it is a person's turn."""
    while needs_server_move(live):
        await asyncio.gather(*runtime().bots._tasks.values())


@FAST
def test_computers_move_by_themselves() -> None:
    """After a person's discard the computer discards too, and plays when it is its turn."""
    match, _ = make_computer_match(first_dealer=0)

    async def scenario() -> None:
        live = await ready(match)
        await make_move(table=live, seat=0, decision=thrown(live, 0))
        await computers_turn(live)
        assert rules.waiting(live.state) == (0,)
        hand = live.state.hand
        assert hand is not None
        assert all(hand.discards)
        assert [seat for seat, _ in hand.plays] == [1], "the computer is pone and leads"

    run(scenario())


@FAST
def test_a_computers_illegal_answer_does_not_stop_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A legal move is made for it instead."""
    match, _ = make_computer_match()
    computer = levels()[0]
    monkeypatch.setattr(type(computer), "discard", lambda *_: (0, 0))
    monkeypatch.setattr(type(computer), "play", lambda *_: 99)

    async def scenario() -> None:
        live = await ready(match)
        await make_move(table=live, seat=0, decision=thrown(live, 0))
        await computers_turn(live)
        hand = live.state.hand
        assert hand is not None
        assert all(hand.discards)

    run(scenario())


def fold(*texts: str) -> State:
    """Return the state of a match with muggins after these moves."""
    rule = Ruleset(counting="manual", muggins=True)
    return rules.fold(rule, map(parse_move, texts))


DEALT = (
    "- cut KD 5H",
    "- deal 2C3D4S5C9HKC TDTH6S7SJHAC",
    "0 discard 9HKC",
    "1 discard 6SAC",
    "- starter 8C",
)


def decided(state: State, seat: int) -> Any:
    return decide(levels()[0].name, view_for(state, seat))


def test_a_computer_claims_what_its_card_is_worth() -> None:
    """In the pegging; the show has its own test below."""
    state = fold(*DEALT, "0 play 5C 0")
    move = decided(state, 1)
    assert isinstance(move, Play)
    pile = [card for _, card in state.pile]
    assert move.claim == sum(part.points for part in score_play([*pile, move.card]))
    assert score_play([*pile, parse_card("TD")])[0].points == 2, "ten on five is fifteen"


def test_a_computer_calls_muggins_in_the_pegging() -> None:
    """Only if seat 1 makes fifteen without claiming its two points."""
    missed = fold(*DEALT, "0 play 5C 0", "1 play TD 0")
    assert decided(missed, 0) == Muggins(0, 2)
    assert not isinstance(decided(fold(*DEALT, "0 play 5C 0", "1 play TD 2"), 0), Muggins)


def at_the_show() -> list[str]:
    """Return the moves up to the first claim of the show."""
    moves = list(DEALT)
    state = fold(*moves)
    while state.phase is Phase.PLAY:
        (seat,) = rules.waiting(state)
        card = rules.legal(state, seat).cards[0]
        moves.append(to_text(Play(seat, card, 29)))
        state = fold(*moves)
    return moves


def test_a_computer_counts_and_answers_at_the_show() -> None:
    """It claims exactly what its hand is worth, calls missed points, and passes otherwise."""
    moves = at_the_show()
    state = fold(*moves)
    (seat,) = rules.waiting(state)
    claim = decided(state, seat)
    assert isinstance(claim, Claim)
    assert claim.points > 0
    right = fold(*moves, f"{seat} claim {claim.points}")
    assert decided(right, 1 - seat) == Pass(1 - seat)
    short = fold(*moves, f"{seat} claim {claim.points - 1}")
    assert decided(short, 1 - seat) == Muggins(1 - seat, 1)


def test_people_answer_a_claim_before_the_computers() -> None:
    """Else a computer would take the points before a person could call them."""
    match = create_match(
        creator=create_guest(),
        ruleset=Ruleset(players=3, counting="manual", muggins=True, first_dealer=0),
        computers={2: levels()[0].name},
    )
    join_match(player=create_guest(), invite=match.invite)

    async def scenario() -> None:
        live = await ready(match)
        kept = ("9HKSQDJD", "KHTCTD8D", "KDTS9S7S")
        state = in_play(kept, "2H2C4H4C", "9C", MUGGINS_THREE)
        while state.phase is Phase.PLAY:
            (seat,) = rules.waiting(state)
            state = rules.apply(state, Play(seat, rules.legal(state, seat).cards[0], 0)).state
        live.state = rules.apply(state, Claim(1, 0)).state
        assert rules.waiting(live.state) == (0, 2)
        assert to_move(live) == []
        live.state = rules.apply(live.state, Pass(0)).state
        assert [seat for seat, _ in to_move(live)] == [2]

    run(scenario())


def test_an_announcement_reaches_the_tables_sockets() -> None:
    """When a player joins through a page, in a thread, the players at the table are told."""
    ann, bob = create_guest(), create_guest()
    match = create_match(creator=ann, ruleset=Ruleset())
    others = list(announce._listeners)

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        told = await here.hear("table")
        assert (told["status"], told["seats"][1]["name"]) == ("waiting", None)
        assert told["invite"] == f"/join/{match.invite}/"
        await asyncio.to_thread(join_match, player=bob, invite=match.invite)
        told = await here.hear("table", status="playing")
        assert told["seats"][1]["name"] == bob.name
        assert told["invite"] is None
        if "steps" not in here.kinds:
            assert (await here.hear("steps"))["events"]
        await here.hang_up()

    run(scenario())
    assert announce._listeners == others
