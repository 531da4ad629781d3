"""One move's way through the process: judged, stored, told; and what happens beside it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.db import OperationalError
from django.test import override_settings

from games import announce, services, store
from games.accounts import create_guest
from games.bots import levels
from games.computers import decide
from games.driver import owes
from games.engine import rules
from games.engine.cards import parse_card
from games.engine.illegal import IllegalMove
from games.engine.moves import Claim, Discard, Muggins, Pass, Play, parse_move, to_text
from games.engine.pegging import score_play
from games.engine.state import Phase, Ruleset, State
from games.engine.view import view_for
from games.live import BrokenLog, Live
from games.models import Match
from games.refusals import Refused
from games.runtime import runtime
from games.services import make_move
from tests.games.people import Wire, make_computer_match, make_match, run
from tests.games.test_absence import dealt

pytestmark = pytest.mark.django_db(transaction=True)

FAST = override_settings(COMPUTER_PAUSE=0.0)


async def ready(match: Match) -> Live:
    """Return a match after its first deal."""
    live = await runtime().matches.get(match.public_id)
    assert live is not None
    await runtime().judge.settle(live)
    assert live.state.phase is Phase.DISCARD
    return live


def thrown(live: Live, seat: int) -> Discard:
    """Return a legal discard."""
    hand = live.state.hand
    assert hand is not None
    return Discard(seat, hand.dealt[seat][: live.state.ruleset.thrown])


def test_a_stale_process_catches_up_and_judges_again() -> None:
    """Another process was first: the move is judged on what it wrote, and stored after it."""
    match, _ = make_match()

    async def scenario() -> None:
        live = await ready(match)
        stale = Live(live.header)
        stale.state = live.state
        before = live.version
        await make_move(live=live, seat=1, decision=thrown(live, 1))
        assert stale.version < live.version
        version = await make_move(live=stale, seat=0, decision=thrown(stale, 0))
        assert version == live.version + 1
        assert stale.state.phase is Phase.PLAY
        assert stale.version == before + 3, "two discards and the starter"

    run(scenario())
    rows = store.whole(match.pk)
    assert [row.sequence for row in rows] == list(range(len(rows)))
    assert [row.seat for row in rows[-3:]] == [1, 0, None]


def test_a_move_that_became_illegal_is_refused_on_the_newest_state() -> None:
    """The code is the engine's, and the process knows afterwards where the match stands."""
    match, _ = make_match()

    async def scenario() -> None:
        live = await ready(match)
        stale = Live(live.header)
        stale.state = live.state
        await make_move(live=live, seat=0, decision=thrown(live, 0))
        with pytest.raises(IllegalMove) as refused:
            await make_move(live=stale, seat=0, decision=thrown(stale, 0))
        assert refused.value.code == "already_discarded"
        assert stale.version == live.version

    run(scenario())


def test_nobody_is_told_what_could_not_be_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stored before told: the sender gets a refusal, the state stays, and later it works."""
    match, (ann, _) = make_match()

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        view = await dealt(here)
        parts = runtime()
        work = parts.writer.work

        def fail(batch: Any) -> Any:
            raise OperationalError("disk full")

        monkeypatch.setattr("games.batches.PATIENCE", 0.0)
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


def test_a_match_that_waits_for_players_takes_no_move() -> None:
    match = services.create_match(creator=create_guest(), ruleset=Ruleset())

    async def scenario() -> None:
        live = await runtime().matches.get(match.public_id)
        assert live is not None
        with pytest.raises(Refused) as refused:
            await make_move(live=live, seat=0, decision=Discard(0, (1, 2)))
        assert refused.value.code == "not_started"

    run(scenario())
    assert store.whole(match.pk) == []


def test_a_log_with_a_gap_is_not_played_on() -> None:
    match, _ = make_match()

    async def scenario() -> None:
        live = await ready(match)
        rows = await runtime().reader.since(match.pk, 0)
        ahead = store.Entry(match.pk, live.version + 1, None, "- starter 5H", "", rows[0].at)
        with pytest.raises(BrokenLog):
            live.take(ahead)
        before = live.state
        live.take(rows[0])
        assert live.state is before, "what is known already changes nothing"

    run(scenario())


async def computers_turn(live: Live) -> None:
    """Wait until a person is to act."""
    while owes(live):
        await asyncio.gather(*runtime().driver._tasks.values())


@FAST
def test_computers_play_on_by_themselves() -> None:
    """After a person's discard the computer has discarded too, and plays when it is its turn."""
    match, ann = make_computer_match()

    async def scenario() -> None:
        live = await ready(match)
        await make_move(live=live, seat=0, decision=thrown(live, 0))
        await computers_turn(live)
        assert rules.waiting(live.state) == (0,)
        hand = live.state.hand
        assert hand is not None
        assert all(hand.discards)

    run(scenario())
    assert ann.pk


@FAST
def test_a_computer_that_answers_nonsense_does_not_stop_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A legal card is played for it, and the fault is in the site's log."""
    match, _ = make_computer_match()
    computer = levels()[0]
    monkeypatch.setattr(type(computer), "discard", lambda *_: (0, 0))
    monkeypatch.setattr(type(computer), "play", lambda *_: 99)

    async def scenario() -> None:
        live = await ready(match)
        await make_move(live=live, seat=0, decision=thrown(live, 0))
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


def test_a_computer_claims_what_its_cards_are_worth() -> None:
    """In the play; at the show see below."""
    state = fold(*DEALT, "0 play 5C 0")
    move = decided(state, 1)
    assert isinstance(move, Play)
    pile = [card for _, card in state.pile]
    assert move.claim == sum(part.points for part in score_play([*pile, move.card]))
    assert score_play([*pile, parse_card("TD")])[0].points == 2, "ten on five is fifteen"


def test_a_computer_takes_what_a_claim_in_the_play_left_out() -> None:
    """Seat 1 makes fifteen and claims nothing; where it claims the two, there is nothing."""
    missed = fold(*DEALT, "0 play 5C 0", "1 play TD 0")
    assert decided(missed, 0) == Muggins(0, 2)
    assert not isinstance(decided(fold(*DEALT, "0 play 5C 0", "1 play TD 2"), 0), Muggins)


def at_the_show() -> list[str]:
    """Return moves up to the first claim of the show."""
    moves = list(DEALT)
    state = fold(*moves)
    while state.phase is Phase.PLAY:
        (seat,) = rules.waiting(state)
        card = rules.legal(state, seat).cards[0]
        moves.append(to_text(Play(seat, card, 29)))
        state = fold(*moves)
    return moves


def test_a_computer_counts_and_answers_at_the_show() -> None:
    """It claims exactly what its hand is worth, takes what is missing, and else lets it stand."""
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


def test_an_announcement_reaches_the_tables_sockets() -> None:
    """Somebody joins by a page, in a thread: whoever sits at the table is told."""
    ann, bob = create_guest(), create_guest()
    match = services.create_match(creator=ann, ruleset=Ruleset())
    others = list(announce._listeners)

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        told = await here.hear("table")
        assert (told["status"], told["seats"][1]["name"]) == ("waiting", None)
        assert told["invite"] == f"/join/{match.invite}/"
        await asyncio.to_thread(services.join_match, player=bob, invite=match.invite)
        told = await here.hear("table", status="playing")
        assert told["seats"][1]["name"] == bob.name
        assert told["invite"] is None
        if "steps" not in here.kinds:
            assert (await here.hear("steps"))["events"]
        await here.hang_up()

    run(scenario())
    assert announce._listeners == others
