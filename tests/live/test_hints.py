"""Hints: the strongest computer's choice, from the player's view, sent to that player only."""

from __future__ import annotations

import asyncio
import random
import re
import threading
from collections.abc import Iterator

import pytest
from django.utils.translation import override

from games.analysis.arena import chance_move, pack
from games.bots import levels
from games.engine import rules
from games.engine.cards import parse_cards
from games.engine.moves import Cut, Deal, Decision, Discard, Move, Play, Starter
from games.engine.rules import fold
from games.engine.state import Ruleset, State
from games.engine.view import View, resample, view_for
from games.live import hint_service as advising
from games.live.hint_service import HintService
from games.live.hints import Hint, hint
from games.live.match_state import MatchState
from games.log.match_meta import MatchMeta, SeatMeta
from games.wire.refusals import Refused
from tests.support.clients import Client
from tests.support.servers import StartSite
from tests.support.tables import make_tables, wish
from tests.support.waiting import DEADLINE, wait_until

NAMES = ("Ann", "Bob", "Cy")


def begun(ann: str, bob: str, starter: str = "", *plays: str) -> State:
    """Return a match dealt by Bob; with a starter, each player keeps their first four cards."""
    hands = parse_cards(ann), parse_cards(bob)
    moves: list[Move] = [Cut(parse_cards("KS AS")), Deal(hands)]
    state = fold(Ruleset(), moves)
    if starter:
        after: list[Decision | Starter] = [
            Discard(0, hands[0][4:]),
            Discard(1, hands[1][4:]),
            Starter(parse_cards(starter)[0]),
        ]
        after += [Play(at % 2, parse_cards(card)[0]) for at, card in enumerate(plays)]
        for move in after:
            state = rules.apply(state, move).state
    return state


def asked(state: State, seat: int) -> Hint:
    return hint(view_for(state, seat), NAMES)


def decisions(players: int, hands: int) -> Iterator[tuple[State, View]]:
    """Yield each state and the acting seat's view over some hands played by following hints."""
    state = rules.start(Ruleset(players=players, first_dealer=0))
    number = 0
    while number <= hands:
        kind = rules.chance(state)
        if kind is not None:
            number += kind == "deal"
            state = rules.apply(state, chance_move(state, pack(7, number))).state
            continue
        seat = rules.waiting(state)[0]
        view = view_for(state, seat)
        yield state, view
        done = hint(view, NAMES)
        throws = done.action == "discard"
        move = Discard(seat, done.cards) if throws else Play(seat, done.cards[0])
        state = rules.apply(state, move).state


def test_a_discard_hint_explains_hand_crib_pegging_and_chance() -> None:
    found = asked(begun("5H 5C 6S 7D JD KH", "2C 2D 9H 9S TC TD"), 0)
    assert found.action == "discard"
    assert len(found.cards) == 2
    assert found.advice.startswith("Throw the ")
    hand, crib, play, together, after = found.reasons
    assert "Your hand averages" in hand
    assert crib.startswith("Bob's crib averages")
    assert "your points minus your opponent's" in play
    assert "% to win." in together
    assert after.startswith("Next best: the ")


def test_in_french_fewer_than_two_points_are_singular() -> None:
    with override("fr"):
        hands = ("2C 4D 7H 8S JC KD", "5H 5C 6S 7D JC KH")
        reasons = [asked(begun(hand, "3S 3C 9H 9D TS JD"), 0).reasons for hand in hands]
    said = " ".join(text for each in reasons for text in each)
    nouns = [
        (int(whole) < 2, noun) for whole, noun in re.findall(r"([0-9]+),[0-9] (points?)\b", said)
    ]
    assert set(nouns) == {(True, "point"), (False, "points")}


def test_a_hint_tells_the_dealer_about_their_own_crib() -> None:
    found = asked(begun("2C 2D 9H 9S TC TD", "5H 5C 6S 7D JD KH"), 1)
    assert found.reasons[1].startswith("Your crib averages")


def test_a_play_hint_explains_what_the_card_scores_and_prevents() -> None:
    state = begun("8H 7C 9D 2S KD QD", "7H 3C 4D 4S KC QC", "AH", "8H", "7H")
    found = asked(state, 0)
    assert found.cards == parse_cards("9D")
    assert found.reasons[:2] == ("It makes a run of three: 3 points.", "It leaves no pair.")
    assert any("unseen cards" in reason for reason in found.reasons)
    assert "% to win, compared with " in found.reasons[-1]


def test_a_lead_of_four_leaves_no_fifteen() -> None:
    state = begun("4H 5C TD KS QD JD", "7H 3C 4D 8S KC QC", "2H")
    found = asked(state, 0)
    assert found.cards == parse_cards("4H")
    assert "It leaves no fifteen." in found.reasons


def test_a_hint_says_when_only_one_card_can_be_played() -> None:
    state = begun("TD KC KS KH 2D 3D", "JH 7S 4D 8S KD QC", "2H", "TD", "JH")
    found = asked(state, 0)
    assert "Your only playable card." in found.reasons


@pytest.mark.parametrize("players", [2, 3])
def test_a_hint_is_the_strongest_computers_choice_and_uses_no_hidden_cards(players: int) -> None:
    """The same view with other hidden cards gets the same hint, word for word."""
    rng = random.Random(3)
    strongest = levels()[-1]
    number = 0
    for state, view in decisions(players, hands=1):
        found = hint(view, NAMES)
        if found.action == "discard":
            assert set(found.cards) == set(strongest.discard(view))
        else:
            assert found.cards == (strongest.play(view),)
        assert all(found.reasons)
        assert hint(view_for(resample(state, view.seat, rng), view.seat), NAMES) == found
        number += 1
    assert number >= 10


def test_no_other_choice_is_said_to_be_likelier_to_win() -> None:
    """The chances are the computer's own, also with three seats."""
    said = 0
    for _, view in decisions(3, hands=8):
        found = hint(view, NAMES)
        told = " ".join(found.reasons[-2:])
        chances = [float(chance) for chance in re.findall(r"([0-9.]+)%", told)]
        said += len(chances) == 2
        assert chances == sorted(chances, reverse=True), told
    assert said > 50


def test_there_is_no_hint_out_of_turn() -> None:
    state = begun("8H 7C 2D 2S KD QD", "7H 3C 4D 4S KC QC", "AH")
    for seat in (1, None):
        with pytest.raises(Refused) as refused:
            hint(view_for(state, seat), NAMES)
        assert refused.value.code == "not_your_turn"


def test_there_are_no_hints_for_counting() -> None:
    state = rules.start(Ruleset(counting="manual", first_dealer=0))
    number = 0
    while not any(view_for(state, seat).legal.action == "claim" for seat in (0, 1)):
        kind = rules.chance(state)
        if kind is not None:
            number += kind == "deal"
            state = rules.apply(state, chance_move(state, pack(7, number))).state
            continue
        seat = rules.waiting(state)[0]
        legal = view_for(state, seat).legal
        made = legal.cards[: legal.number]
        throws = legal.action == "discard"
        move = Discard(seat, made) if throws else Play(seat, made[0], 0)
        state = rules.apply(state, move).state
    with pytest.raises(Refused) as refused:
        asked(state, rules.waiting(state)[0])
    assert refused.value.code == "no_hint"


SEATS = tuple(
    SeatMeta(at, at + 1, "", name, "person", computer=False, level="", stand_in="")
    for at, name in enumerate(NAMES[:2])
)


def waiting_match(*, pk: int = 1, hints: bool = True) -> MatchState:
    live = MatchState(MatchMeta(pk, "match", Ruleset(), "playing", 1, "", False, "", SEATS, hints))
    live.state = begun("5H 5C 6S 7D JD KH", "2C 2D 9H 9S TC TD")
    return live


async def refusal(adviser: HintService, live: MatchState, seat: int, player: int = 1) -> str:
    with pytest.raises(Refused) as refused:
        await adviser.advise(live, seat=seat, player=player)
    return refused.value.code


async def test_hints_are_given_only_where_allowed_and_computed_once() -> None:
    adviser = HintService(lambda: 0.0)
    live = waiting_match()
    assert await refusal(adviser, waiting_match(hints=False), 0) == "hints_off"
    version, first = await adviser.advise(live, seat=0, player=1)
    assert version == live.version
    live.state = rules.apply(live.state, Discard(1, parse_cards("9H TC"))).state
    later, second = await adviser.advise(live, seat=0, player=1)
    assert (later, second is first) == (version + 1, True), "Bob's discard changes nothing"
    adviser.aclose()


async def test_hints_are_limited_per_player(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    made = Hint("discard", (), "", ())
    monkeypatch.setattr(advising, "hint", lambda _view, _names: made)
    adviser = HintService(lambda: now)
    for number in range(advising.MOST_ASKED):
        await adviser.advise(waiting_match(pk=number), seat=0, player=1)
    last = waiting_match(pk=advising.MOST_ASKED)
    assert await refusal(adviser, last, 0) == "too_many"
    assert (await adviser.advise(last, seat=0, player=2))[1] is made, "another player may still ask"
    now = advising.WITHIN + 1
    assert (await adviser.advise(last, seat=1, player=1))[1] is made
    adviser.aclose()


async def test_hints_beyond_the_queue_limit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    made = Hint("discard", (), "", ())

    def slow(_view: View, _names: object) -> Hint:
        go_on.wait(DEADLINE)
        return made

    monkeypatch.setattr(advising, "hint", slow)
    monkeypatch.setattr(advising, "MOST_WAITING", 1)
    adviser = HintService(lambda: 0.0)
    first = asyncio.create_task(adviser.advise(waiting_match(), seat=0, player=1))
    await wait_until(lambda: adviser.waiting == 1)
    assert await refusal(adviser, waiting_match(), 1, player=2) == "too_many"
    go_on.set()
    assert (await first)[1] is made
    adviser.aclose()


def test_a_hint_is_sent_only_to_the_player_who_asked(start_site: StartSite) -> None:
    """Over real sockets, including a watcher, a table without hints, and a player out of turn."""
    site = start_site(extra={"COMPUTER_PAUSE_MS": "0"})
    with_hints, without = make_tables(
        site.database_url, wish(hints=True, watchers=1, watchable=True), wish()
    )

    async def session() -> None:
        ann, bob, watcher = (
            Client(site.socket_url, with_hints.match, cookie) for cookie in with_hints.cookies
        )
        for client in (ann, bob, watcher):
            await client.connect()
            await client.see(lambda client=client: client.view.get("phase") == "discard")
        assert ann.table["hints"]
        ident = await ann.act("hint")
        await ann.socket.send('{"t":"hint","d":{},"id":"' + ident + '"}')
        answer = await ann.hear_until(lambda m: m["t"] == "hint")
        assert answer["id"] == ident
        data = answer["d"]
        assert data["v"] == ann.version
        assert set(data["cards"]) <= set(ann.view["cards"])
        assert len(data["reasons"]) == 5
        await watcher.act("hint")
        assert await watcher.refusal() == "not_seated"
        await ann.act("discard", {"cards": data["cards"]})
        await ann.see(lambda: ann.view["discarded"][0])
        await ann.act("hint")
        assert await ann.refusal() == "not_your_turn"
        for client in (bob, watcher):
            await client.send("ping")
            await client.hear_until(lambda m: m["t"] == "pong")
            assert not any('"t":"hint"' in text for text in client.heard)
            await client.close()
        await ann.close()
        async with Client(site.socket_url, without.match, without.cookies[0]) as cy:
            await cy.see(lambda: cy.view.get("phase") == "discard")
            assert not cy.table["hints"]
            await cy.act("hint")
            assert await cy.refusal() == "hints_off"

    asyncio.run(session())
