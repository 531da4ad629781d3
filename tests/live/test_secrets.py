"""No hidden card reaches a client: every message of every socket is checked in whole games."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

from games.engine.cards import NAMES
from games.engine.events import Counted
from games.engine.state import Hand, Ruleset, State
from games.engine.view import own_for, view_for
from games.wire.serializers import common_json, dumps, joined, own_json, view_json
from tests.support.clients import Client, play_match
from tests.support.logs import steps_of
from tests.support.positions import random_match
from tests.support.servers import StartSite
from tests.support.tables import Table, make_tables, wish

CARD = re.compile(r'"([A2-9TJQK][CDHS])"')
FAST = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000"}


def seen_by(seat: int | None, hand: Hand) -> set[str]:
    """Return the cards of a hand that ``seat`` may know: its own and the public ones."""
    known = {card for _, card in hand.plays}
    if hand.starter is not None:
        known.add(hand.starter)
    if seat is not None:
        known.update(hand.dealt[seat])
    for event in hand.events:
        if isinstance(event, Counted):
            known.update(event.cards)
    return {NAMES[card] for card in known}


def may_know(seat: int | None, state: State) -> set[str]:
    """Return the cards ``seat`` may know of the current hand, or between hands of the last one."""
    hand = state.hand or (state.hands[-1] if state.hands else None)
    cards = set() if hand is None else seen_by(seat, hand)
    if state.hand is not None and state.phase == "show":
        # With manual counting the hand to be counted is already face up.
        order = state.hand.show_order
        if state.hand.counted < len(order):
            cards.update(NAMES[card] for card in state.hand.item_cards(*order[state.hand.counted]))
    return cards | {NAMES[card] for cut in state.cuts for card in cut if card is not None}


def check(client: Client, seat: int | None, states: list[State]) -> int:
    """Check that every message names only cards the seat may know; return how many it names."""
    named = 0
    for text in client.heard:
        message: dict[str, Any] = json.loads(text)
        data = message.get("d", {})
        if message["t"] not in {"view", "steps"}:
            assert not CARD.search(text), text
            continue
        first = data.get("from", data["v"])
        between = states[first : data["v"] + 1]
        if "history" in data:
            check_past(data.pop("history"), between[-1])
        allowed = set().union(*(may_know(seat, state) for state in between))
        cards = set(CARD.findall(json.dumps(data)))
        assert cards <= allowed, (seat, data["v"], cards - allowed)
        named += len(cards)
    return named


def check_past(history: list[Any], state: State) -> None:
    """Check that the history of earlier hands names only their public cards."""
    for events, hand in zip(history, state.hands, strict=True):
        cuts = {NAMES[card] for cut in state.cuts for card in cut if card is not None}
        assert set(CARD.findall(json.dumps(events))) <= seen_by(None, hand) | cuts


def play_watched(url: str, table: Table, seats: int) -> tuple[list[Client], list[Client]]:
    """Play a match with one watcher who stays and one who keeps reconnecting."""
    people = [
        Client(url, table.match, cookie, seed=at) for at, cookie in enumerate(table.cookies[:seats])
    ]
    watchers = [Client(url, table.match, cookie) for cookie in (*table.cookies[seats:], None)]

    async def watch_reconnecting(watcher: Client) -> None:
        while not watcher.over:
            await watcher.connect()
            for _ in range(15):
                if watcher.over:
                    break
                await watcher.hear()
            await watcher.send("play", {"card": "5H"}, "w-1")
            await watcher.close()

    async def session() -> None:
        await watchers[0].connect()
        await asyncio.gather(
            play_match(*people), watchers[0].play(), watch_reconnecting(watchers[1])
        )

    asyncio.run(session())
    return people, watchers


def test_no_socket_receives_a_hidden_card(start_site: StartSite) -> None:
    """Two and three players, automatic and manual counting, watchers, reconnects and errors."""
    site = start_site(extra=FAST)
    shared: dict[str, Any] = {"watchers": 1, "watchable": True, "target": 61}
    kinds = [
        (2, wish(**shared)),
        (2, wish(players=3, computers=(2,), **shared)),
        (2, wish(counting="manual", muggins=True, **shared)),
    ]
    for (seats, _), table in zip(
        kinds, make_tables(site.database_url, *(made for _, made in kinds)), strict=True
    ):
        people, watchers = play_watched(site.socket_url, table, seats)
        steps = steps_of(site.database_url, table.pk)
        start = steps[0].state
        states = [start, *(step.state for step in steps)]
        for seat, person in enumerate(people):
            assert check(person, seat, states) > 100
        for watcher in watchers:
            assert check(watcher, None, states) > 50


def test_a_seats_view_is_the_watchers_view_plus_its_own_part() -> None:
    """A shared text for all seats and a small one for each combine to the seat's view."""
    rulesets = [
        Ruleset(target=61),
        Ruleset(players=3, target=61, counting="manual", muggins=True),
    ]
    for ruleset in rulesets:
        for moment in random_match(ruleset, 7):
            state = moment.step.state
            shared = common_json(view_for(state, None))
            for seat in (None, *range(ruleset.players)):
                own = own_json(own_for(state, seat))
                assert {**shared, **own} == view_json(view_for(state, seat))
                told = dumps({"view": joined(dumps(shared), dumps(own))})
                assert json.loads(told)["view"] == json.loads(dumps({**shared, **own}))


def test_the_check_finds_a_leak() -> None:
    """A check of the check: a hidden card in a message is found."""
    from games.engine.moves import Cut, Deal
    from games.engine.rules import fold
    from games.engine.state import Ruleset

    hands = tuple(tuple(range(seat * 6, seat * 6 + 6)) for seat in range(2))
    state = fold(Ruleset(), [Cut((0, 50)), Deal(hands)])
    leaking = Client("ws://nowhere", "match", None)
    leaking.heard = [json.dumps({"t": "view", "d": {"v": 2, "cards": [NAMES[hands[1][0]]]}})]
    try:
        check(leaking, 0, [state, state, state])
    except AssertionError:
        return
    raise AssertionError("a card of the other seat went unnoticed")
