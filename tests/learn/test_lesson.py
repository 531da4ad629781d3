"""The coached lesson: its cards, texts and pages, and that it does not count."""

from __future__ import annotations

import random
import re
from typing import Any, get_args

import pytest
from django.test import Client

from games.analysis.review import judge
from games.archive.matches import Filters
from games.archive.matches import played as matches_of
from games.archive.measuring import measure
from games.archive.profile import records_by_opponent
from games.engine import rules
from games.engine.cards import parse_card, parse_cards
from games.engine.events import Counted, Heels
from games.engine.moves import Discard, Play
from games.engine.scoring import PartKind, count_hand
from games.engine.state import Ruleset, State
from games.engine.view import View, view_for
from games.learn import coach
from games.learn.lessons import begin_lesson
from games.live import computers, dealing
from games.log.match_meta import load
from games.models import Match, Outcome, Seat
from games.people.accounts import create_guest
from games.tables.tables import create_match
from tests.support.people import as_
from tests.support.played import play_on

CARD = "[A2-9TJQK][CDHS]"
KEY = re.compile(
    r"(?:[1-4]\.)?(?:ask\.(?:discard|play(?:\.lead)?)"
    rf"|(?:dealt|discarded(?:\.{CARD} {CARD})?"
    rf"|starter|heels|go|game_won|played(?:\.(?:{'|'.join(get_args(PartKind))}))?"
    r"|count_ended\.(?:go|last_card|thirty_one)|counted\.(?:hand|crib))(?:\.(?:own|other))?)"
)
"""The keys that `static/js/table/coach.js` can look up in a script."""


def played(
    rng: random.Random, *, as_advised: bool, asked: list[View] | None = None
) -> tuple[State, list[Any]]:
    """Play the coached hands with random cards; return the state and all events.

    The views in which the learner has to discard are added to ``asked``.
    """
    state = rules.start(coach.RULES)
    events: list[Any] = []
    while len(state.hands) < len(coach.HANDS) and state.winner is None:
        move: Any
        if rules.chance(state):
            move = dealing.draw(state, coach.packs())
        else:
            seat = rules.waiting(state)[0]
            view = view_for(state, seat)
            if seat == 1:
                move = computers.decide(coach.LEVEL, view)
            elif view.legal.action == "play":
                move = Play(0, rng.choice(view.legal.cards))
            else:
                if asked is not None:
                    asked.append(view)
                advised = parse_cards(coach.HANDS[len(state.hands)].advised)
                move = Discard(0, advised if as_advised else tuple(rng.sample(view.legal.cards, 2)))
        step = rules.apply(state, move)
        state = step.state
        events += step.events
    return state, events


def test_the_coach_is_right_about_the_cards() -> None:
    state, events = played(random.Random(1), as_advised=True)
    assert [hand.dealer for hand in state.hands] == [0, 1, 0]
    assert [event.seat for event in events if isinstance(event, Heels)] == [0]
    first = [(event.seat, event.item) for event in events if isinstance(event, Counted)]
    assert first[:6] == [
        *((1, "hand"), (0, "hand"), (0, "crib")),
        *((0, "hand"), (1, "hand"), (1, "crib")),
    ]
    for hand in coach.HANDS:
        cards = parse_cards(hand.learner)
        kept = [card for card in cards if card not in parse_cards(hand.advised)]
        assert count_hand(kept, parse_card(hand.starter)) >= 8
    assert "diamonds" in coach.script("Poppy")["3.ask.discard"]


def test_a_review_calls_each_recommended_discard_the_best() -> None:
    asked: list[View] = []
    played(random.Random(1), as_advised=True, asked=asked)
    verdicts = [
        judge(view, parse_cards(hand.advised)).verdict
        for view, hand in zip(asked, coach.HANDS, strict=True)
    ]
    assert verdicts == ["best"] * len(coach.HANDS)


@pytest.mark.parametrize("as_advised", [True, False])
def test_no_one_wins_before_the_third_hand_is_over(as_advised: bool) -> None:
    for seed in range(25):
        state, _ = played(random.Random(seed), as_advised=as_advised)
        assert (len(state.hands), state.winner) == (3, None)


def test_every_sentence_has_a_valid_key_and_no_placeholder_left() -> None:
    said = coach.script("Poppy")
    assert all(KEY.fullmatch(key) for key in said)
    assert all("%(" not in text for text in said.values())
    assert max(map(len, said.values())) < 260


@pytest.mark.django_db
def test_a_lesson_is_resumed_until_it_is_over(client: Client) -> None:
    assert "Sit down" in client.get("/learn/").content.decode()
    table = client.post("/learn/").headers["Location"]
    match = Match.objects.get()
    assert table == f"/t/{match.public_id}/"
    assert "Continue the lesson" in client.get("/learn/").content.decode()
    assert client.post("/learn/").headers["Location"] == table
    page_of_table = client.get(table).content.decode()
    assert 'id="coach"' in page_of_table
    assert 'data-pace="tap"' in page_of_table
    play_on(match.public_id)
    assert client.post("/learn/").headers["Location"] != table


@pytest.mark.django_db
def test_a_lesson_counts_for_no_statistics() -> None:
    player = create_guest()
    match = begin_lesson(player=player)
    meta = load(public_id=match.public_id)
    assert meta is not None
    assert (meta.packs, meta.ruleset) == (coach.packs(), coach.RULES)
    play_on(match.public_id)
    measure(match=match.pk)
    assert set(match.seats.values_list("kind", flat=True)) == {Seat.Kind.LESSON}
    assert not match.seats.filter(best_hand__isnull=False).exists()
    assert not player.tallies.exists()
    assert [row.kind for row in Outcome.objects.filter(player=player)] == [Seat.Kind.LESSON]
    assert records_by_opponent(player=player) == []
    assert matches_of(player, Filters(kind=Seat.Kind.LESSON)).count() == 1
    assert Ruleset.from_dict(match.ruleset).target == 61


@pytest.mark.django_db
def test_after_a_lesson_the_result_says_how_to_go_on() -> None:
    player = create_guest()
    client = as_(player)
    other = create_match(creator=player, ruleset=coach.RULES, computers={1: coach.LEVEL})
    for match in (begin_lesson(player=player), other):
        play_on(match.public_id)
        shown = client.get(f"/matches/{match.public_id}/recap/").content.decode()
        assert ('href="/learn/count/"' in shown) == match.lesson
        assert ('href="/learn/"' in shown) == match.lesson
        # The button at the table leads there.
        assert 'href="/#play"' not in shown


@pytest.mark.django_db
def test_other_tables_have_no_coach(client: Client) -> None:
    table = client.post("/play/").headers["Location"]
    assert 'id="coach"' not in client.get(table).content.decode()
