"""Positions of the analysis board: what is refused, and what is the same as in a real match."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from django.utils.translation import override

from games.analysis.review import options
from games.engine import rules
from games.engine.cards import NAMES, Card, parse_cards
from games.engine.state import Phase, Ruleset, State
from games.engine.view import View, resample, view_for
from games.learn import analysis_access, analysis_board
from games.learn.analysis_access import position_of
from games.learn.analysis_answers import answer_to
from games.learn.analysis_board import Position, PositionError, Unfinished
from games.learn.analysis_reasons import reasons
from games.models import Match
from tests.support.people import make_computer_match, make_match
from tests.support.played import play_on
from tests.support.positions import random_match

SIX = "4H 5H 6S JC 9D KS"
KEPT = "4H 5H 6S JC"


def read(**data: str) -> Position:
    return analysis_board.read({"dealer": "1", **data})


def decisions(ruleset: Ruleset, seed: int) -> Iterator[tuple[State, int]]:
    """Yield each throw and each card of a random match, with the seat that decides."""
    for moment in random_match(ruleset, seed):
        if moment.state.phase in {Phase.DISCARD, Phase.PLAY}:
            for seat in rules.waiting(moment.state):
                yield moment.state, seat


def test_suits_may_be_typed_as_signs_of_any_kind() -> None:
    typed = "4♥\ufe0f 5♥ 6♤ J♧ 9♢ K♠\ufe0f"
    assert read(cards=typed) == read(cards=SIX)


@pytest.mark.parametrize(
    ("field", "data", "said"),
    [
        (
            "cards",
            {"cards": "4H 5H 6S JC 9D KS 2C"},
            "With two players you're dealt 6 cards, not 7",
        ),
        (
            "cards",
            {"cards": "4H 5H 6S JC 9D KS", "players": "3"},
            "With three players you're dealt 5 cards, not 6",
        ),
        ("cards", {"cards": "4H 4H 6S JC 9D KS"}, "The 4♥ is there twice"),
        ("starter", {"cards": KEPT, "starter": "4H"}, "The 4♥ is there twice"),
        ("plays", {"cards": KEPT, "starter": "QD", "plays": "4H QD"}, "The Q♦ is there twice"),
        ("plays", {"cards": KEPT, "starter": "QD", "plays": "4H 7C 4H"}, "The 4♥ is there twice"),
        ("seen", {"cards": SIX, "seen": "2C KS"}, "The K♠ is there twice"),
        ("cards", {"cards": "4H 5H 6S 1X 9D KS"}, "“1X” isn't a card"),
        ("own", {"cards": SIX, "own": "121"}, "In a game to 121, scores are 0 to 120"),
        ("other", {"cards": SIX, "other": "61", "target": "61"}, "scores are 0 to 60"),
        ("own", {"cards": SIX, "own": "-1"}, "scores are 0 to 120"),
        ("dealer", {"cards": SIX, "dealer": "2"}, "Choose who deals"),
        ("starter", {"cards": KEPT, "starter": "QD KD"}, "There's only one starter"),
        (
            "cards",
            {"cards": SIX, "starter": "QD"},
            "After the cut you hold 4 cards, not 6. Throw 2 more",
        ),
        (
            "plays",
            {"cards": KEPT, "starter": "QD", "plays": "JC KD 6S TD"},
            "The 10♦ on 26 makes 36, over 31",
        ),
        (
            "plays",
            {"cards": KEPT, "starter": "QD", "plays": "KD"},
            "You're next, at 0, but you don't hold the K♦",
        ),
        (
            "plays",
            {"cards": KEPT, "starter": "QD", "plays": "4H 5H"},
            "The 5♥ is yours, but your opponent is next, at 4",
        ),
        (
            "plays",
            {"cards": KEPT, "starter": "QD", "plays": "4H go"},
            "No one says go at 4: every card fits",
        ),
        (
            "plays",
            {"cards": KEPT, "starter": "QD", "plays": "JC KD go"},
            "You can't say go at 20: the 4♥ fits",
        ),
        (
            "plays",
            {"cards": KEPT, "starter": "QD", "plays": "JC KD 4H go 6S 7C"},
            "Your opponent said go at 24, so they can't have the 7♣",
        ),
    ],
)
def test_an_impossible_position_is_refused_with_what_is_wrong(
    field: str, data: dict[str, str], said: str
) -> None:
    with pytest.raises(PositionError) as refused:
        read(**data)
    assert not isinstance(refused.value, Unfinished)
    assert (refused.value.field, said in refused.value.message) == (field, True), refused.value


@pytest.mark.parametrize(
    ("field", "data", "said"),
    [
        ("cards", {"cards": "4H 5H 6S JC 9D"}, "Pick 1 more card."),
        ("cards", {"cards": "4H"}, "Pick 5 more cards."),
        ("cards", {"cards": "4H 5H", "players": "3"}, "Pick 3 more cards."),
        ("starter", {"cards": KEPT, "thrown": "9D KS"}, "Add the starter"),
        ("starter", {"cards": KEPT, "plays": "4H"}, "Add the starter"),
        ("cards", {"cards": "4H 5H 6S", "starter": "QD"}, "Add all 4 cards you kept"),
        ("thrown", {"cards": KEPT, "starter": "QD", "thrown": "9D"}, "Pick both"),
        ("plays", {"cards": KEPT, "starter": "QD", "dealer": "0"}, "is next, at 0. Add"),
        ("plays", {"cards": KEPT, "starter": "QD", "plays": "JC KD 6S"}, "Add a card or “go”"),
    ],
)
def test_an_unfinished_position_says_what_comes_next(
    field: str, data: dict[str, str], said: str
) -> None:
    with pytest.raises(Unfinished) as missing:
        read(**data)
    assert (missing.value.field, said in missing.value.message) == (field, True), missing.value


def test_all_cards_played_leave_nothing_to_decide() -> None:
    with pytest.raises(PositionError, match="All the cards have been played"):
        read(cards="2C 2D 2H 2S", starter="QD", plays="2C 3C 2D 3D 2H 3H 2S 3S")


def test_a_refusal_speaks_the_readers_language() -> None:
    with override("de"), pytest.raises(PositionError) as refused:
        read(cards=SIX, own="130")
    assert "121" in refused.value.message
    assert "In a game to" not in refused.value.message


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_every_decision_of_a_match_is_a_position_with_the_same_view(
    players: int, seed: int
) -> None:
    met = 0
    for state, seat in decisions(Ruleset(players=players, target=61), seed):
        view = view_for(state, seat)
        position = position_of(view)
        assert analysis_board.read(position.address()) == position
        assert _relevant(analysis_board.view_of(position)) == _relevant(_turned(view))
        met += 1
    assert met > 40


def _turned(view: View) -> View:
    """Return a view with its seats renumbered so that the viewer is seat 0."""
    seat, players = view.seat or 0, view.ruleset.players

    def turn(who: int) -> int:
        return (who - seat) % players

    order = [(seat + step) % players for step in range(players)]
    return replace(
        view,
        seat=0,
        dealer=turn(view.dealer or 0),
        scores=tuple(view.scores[who] for who in order),
        hand_sizes=tuple(view.hand_sizes[who] for who in order),
        played=tuple(view.played[who] for who in order),
        gos=tuple(view.gos[who] for who in order),
        plays=tuple((turn(who), card) for who, card in view.plays),
        pile=tuple((turn(who), card) for who, card in view.pile),
    )


def _relevant(view: View) -> tuple[object, ...]:
    """Return what the analysis may look at; while throwing, others may have thrown already."""
    throws = view.legal.action == "discard"
    return (
        *(view.seat, view.phase, view.dealer, view.scores, sorted(view.cards)),
        *(view.starter, view.pile, view.count, view.played, view.plays),
        *((sorted(view.legal.cards), view.legal.action, sorted(view.thrown))),
        *(() if throws else (view.hand_sizes, view.gos)),
    )


@pytest.mark.parametrize("players", [2, 3])
def test_a_position_from_a_match_holds_only_what_its_seat_knew(players: int) -> None:
    rng = random.Random(5)
    for state, seat in decisions(Ruleset(players=players, target=61), 7):
        view = view_for(state, seat)
        position = position_of(view)
        seen = {*view.dealt, view.starter, *(card for _, card in view.plays)}
        told = {*position.cards, *position.thrown, *position.seen, position.starter}
        assert told | {one for one in position.plays if one != "go"} <= seen | {None}
        assert position_of(view_for(resample(state, seat, rng), seat)) == position


def test_a_choice_is_worth_what_the_review_says() -> None:
    for at, (state, seat) in enumerate(decisions(Ruleset(target=61), 3)):
        if at % 9:
            continue
        view = view_for(state, seat)
        found = answer_to(position_of(view))
        expected = [(one.cards, one.points, one.chance) for one in options(view)]
        assert [(one.cards, one.points, one.chance) for one in found.choices] == expected


@pytest.mark.parametrize("dealer", ["0", "1", "2"])
def test_a_throw_of_three_is_valued_in_its_own_role(dealer: str) -> None:
    position = analysis_board.read(
        {"cards": "5D 5S 7C JH QS", "players": "3", "dealer": dealer, "own": "90", "other": "80"}
    )
    found = answer_to(position)
    expected = options(analysis_board.view_of(position))
    assert [one.cards for one in found.choices] == [one.cards for one in expected]
    assert len({round(one.points, 9) for one in found.choices}) > 1


def test_cards_seen_elsewhere_cannot_be_turned_up() -> None:
    plain, seen = (answer_to(read(cards=SIX, **more)) for more in ({}, {"seen": "5C 5D 5S"}))
    throw = {one.cards: one for one in plain.choices}[seen.choices[0].cards].throw
    known = seen.choices[0].throw
    assert throw is not None and known is not None
    assert (sum(throw.spread), sum(known.spread)) == (46, 43)
    assert known.hand < throw.hand


def test_a_played_card_is_told_with_its_points_and_its_answers() -> None:
    answer = answer_to(read(cards="3C 7H 8H 8S", starter="QD", plays="8H 7D"))
    seven = next(one for one in answer.choices if one.cards == parse_cards("7H"))
    assert [part.kind for part in seven.made] == ["pair"]
    assert seven.reply is not None
    assert seven.reply.spread[6] == 2  # the last two sevens
    assert "It makes a pair: 2 points." in reasons(answer, seven)


@pytest.mark.parametrize("players", [2, 3])
def test_a_match_can_go_on_from_any_decision(players: int) -> None:
    rng = random.Random(11)

    def shuffled(cards: Sequence[Card]) -> list[Card]:
        return rng.sample(cards, len(cards))

    for state, seat in decisions(Ruleset(players=players, target=121), 9):
        position = position_of(view_for(state, seat))
        ruleset = analysis_board.start_of(position)
        assert Ruleset.from_dict(ruleset.to_dict()) == ruleset
        went_on = rules.fold(ruleset, analysis_board.moves_of(position, shuffled))
        assert 0 in rules.waiting(went_on)
        assert position_of(view_for(went_on, 0)) == replace(
            position,
            thrown=position_of(view_for(went_on, 0)).thrown if not position.thrown else
            position.thrown,
        )  # fmt: skip


# --- own running hands ----------------------------------------------------------------------


@pytest.mark.django_db
def test_ones_own_running_hand_is_found_whatever_its_suits() -> None:
    match, people = make_match(target=61)
    play_on(match.public_id, seed=4, moves=2)
    cards = view_for(_state(match), 0).cards
    assert analysis_access.is_running(cards, people[0])
    assert not analysis_access.is_running(cards, people[1])
    assert not analysis_access.is_running(cards, None)
    assert analysis_access.is_running([card ^ 1 for card in cards], people[0])
    ranks = {NAMES[one][0] for one in cards}
    free = [card for card in range(0, 52, 4) if NAMES[card][0] not in ranks]
    assert analysis_access.is_running((*cards[:5], free[0]), people[0])
    assert not analysis_access.is_running((*cards[:4], *free[:2]), people[0])


@pytest.mark.django_db
def test_four_kept_cards_are_found_whatever_their_starter() -> None:
    match, people = make_match(target=61)
    play_on(match.public_id, seed=4, moves=6)
    state = _state(match)
    (seat,) = rules.waiting(state)
    position = position_of(view_for(state, seat))
    assert position.starter is not None
    assert analysis_access.is_running((*position.cards, *position.thrown), people[seat])
    assert analysis_access.is_running(position.cards, people[seat])
    assert not analysis_access.is_running(position.cards[:3], people[seat])


@pytest.mark.django_db
def test_a_finished_hand_and_a_match_with_hints_may_be_analysed() -> None:
    match, people = make_match(target=61)
    play_on(match.public_id, seed=4)
    first = next(position_of(view_for(state, seat)) for state, seat in _decisions_of(match))
    assert not analysis_access.is_running(first.cards, people[0])
    hinted, person = make_computer_match(target=61)
    Match.objects.filter(pk=hinted.pk).update(hints=True)
    play_on(hinted.public_id, seed=4, moves=2)
    position = position_of(view_for(_state(hinted), 0))
    assert not analysis_access.is_running(position.cards, person)


def _state(match: Match) -> State:
    from games.archive import replays

    found = replays.load(match)
    return found.state(len(found.moves))


def _decisions_of(match: Match) -> Iterator[tuple[State, int]]:
    from games.archive import replays

    for step in replays.load(match).steps:
        if step.state.phase is Phase.DISCARD:
            yield step.state, 0


# --- the engine beside the pages ------------------------------------------------------------
