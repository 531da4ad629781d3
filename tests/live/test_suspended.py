"""A process that was suspended while another one gave away a seat in a ranked match.

It handles what its players sent meanwhile before it reads what the other process announced.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import orjson
import pytest
from channels.db import database_sync_to_async

from games.cluster import announce
from games.engine.cards import card_name
from games.engine.moves import Play
from games.engine.rules import legal_moves
from games.engine.state import Ruleset
from games.live.runtime import runtime
from games.live.table import Table
from games.models import Match, Move
from games.tables.forfeit import leave_for_good
from tests.live.test_turn_clock import discarding, ranked
from tests.support.people import Wire, run
from tests.support.played import play_on, play_on_further
from tests.support.positions import random_match

pytestmark = pytest.mark.django_db(transaction=True)


def give_away(match: Match, version: int, moves: int) -> None:
    """Do what another process does once Ann's time is up, unheard: the computer plays for her."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(announce, "_announce", lambda *_, **__: None)
        assert leave_for_good(match=match.pk, seat=0, timed_out=True, version=version)
    if moves > version:
        play_on_further(match.public_id, moves=moves)


def live_table(match: Match) -> Table:
    """Return the match as this process knows it."""
    table = runtime().matches.cached(match.pk)
    assert table is not None
    return table


def make_overdue(table: Table) -> None:
    """Let the time of the decision that this process knows of be up."""
    known = runtime().clock.deadline(table)
    assert known is not None
    table.deadline = replace(known, at=known.at - timedelta(hours=1))


def moves_of_ann(match: Match) -> list[str]:
    """Return the moves that Ann herself made."""
    rows = Move.objects.filter(match=match, seat=0).exclude(client_id="")
    return list(rows.values_list("text", flat=True))


def test_a_move_that_was_sent_before_the_loss_comes_too_late() -> None:
    """Nobody has moved since, so the log would still take it."""
    match, (ann, _) = ranked()

    async def scenario() -> None:
        wire = await Wire(match, ann).open()
        view = await discarding(wire)
        await wire.hear("clock", v=view["v"])
        table = live_table(match)
        make_overdue(table)
        await database_sync_to_async(give_away)(match, view["v"], 0)
        answer = await wire.ask("discard", cards=view["cards"][:2])
        assert (answer["t"], answer["d"].get("code")) == ("error", "not_seated")
        told = [orjson.loads(text) for text in wire.heard]
        seats = [message["d"]["seats"] for message in told if message["t"] == "table"]
        assert seats[-1][0]["left"] is not None, "told with the answer, not when a clock runs out"
        await wire.hang_up()

    run(scenario())
    assert moves_of_ann(match) == []


def test_a_move_does_not_overtake_a_loss_at_the_same_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The seat is given away between the look at it and the move."""
    match, (ann, _) = ranked()
    reload_seats = Table.reload_seats

    async def scenario() -> None:
        wire = await Wire(match, ann).open()
        view = await discarding(wire)
        await wire.hear("clock", v=view["v"])
        table = live_table(match)
        make_overdue(table)

        async def reload_too_early(self: Table, *, always: bool = False) -> None:
            monkeypatch.setattr(Table, "reload_seats", reload_seats)
            await reload_seats(self, always=always)
            await database_sync_to_async(give_away)(match, view["v"], 0)

        monkeypatch.setattr(Table, "reload_seats", reload_too_early)
        answer = await wire.ask("discard", cards=view["cards"][:2])
        assert (answer["t"], answer["d"].get("code")) == ("error", "not_seated")
        await wire.hang_up()

    run(scenario())
    assert moves_of_ann(match) == []


def two_plays(match: Match) -> tuple[int, int, int]:
    """Return two versions at which Ann plays, and the card of the second play, legal at both."""
    rules = Ruleset.from_dict(match.ruleset)
    plays = [
        (moment.state, moment.move)
        for moment in random_match(rules, 1)
        if isinstance(moment.move, Play) and moment.move.seat == 0
    ]
    for (before, _), (after, move) in pairwise(plays):
        if move in legal_moves(before, 0):
            return before.sequence, after.sequence, move.card
    raise AssertionError("there are no such plays")


def test_a_move_that_the_rules_allow_again_is_not_made_for_the_computer() -> None:
    """The computer has moved meanwhile, and it is the turn of the same seat."""
    match, (ann, _) = ranked()
    first, second, card = two_plays(match)
    play_on(match.public_id, moves=first)

    async def scenario() -> None:
        wire = await Wire(match, ann).open()
        await wire.hear("view", v=first)
        await database_sync_to_async(give_away)(match, first, second)
        answer = await wire.ask("play", card=card_name(card))
        assert (answer["t"], answer["d"].get("code")) == ("error", "not_seated")
        await wire.hang_up()

    run(scenario())
    assert moves_of_ann(match) == []
