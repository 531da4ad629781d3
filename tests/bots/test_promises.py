"""What every computer player promises, level by level."""

import random
from collections.abc import Iterator

import pytest

from games.analysis.arena import chance_move, pack, play_game
from games.bots import Player, UnknownPlayer, get, levels
from games.engine import rules
from games.engine.moves import Discard, Play
from games.engine.state import Ruleset, State
from games.engine.view import resample, view_for

ALL = pytest.mark.parametrize("player", levels(), ids=lambda player: player.name)
SEATS = pytest.mark.parametrize("seats", [2, 3])


def decisions(player: Player, seats: int, seed: int, hands: int) -> Iterator[tuple[State, int]]:
    """Yield (state, seat) before each decision of some hands that ``player`` plays with itself."""
    state = rules.start(Ruleset(players=seats, first_dealer=0))
    number = 0
    while not state.results:
        kind = rules.chance(state)
        if kind is not None:
            number += kind == "deal"
            if number > hands:
                return
            state = rules.apply(state, chance_move(state, pack(seed, number))).state
            continue
        seat = rules.waiting(state)[0]
        yield state, seat
        view = view_for(state, seat)
        if view.legal.action == "discard":
            state = rules.apply(state, Discard(seat, player.discard(view))).state
        else:
            state = rules.apply(state, Play(seat, player.play(view))).state


@ALL
@SEATS
def test_same_view_other_hidden_cards_same_answer(player: Player, seats: int) -> None:
    rng = random.Random(5)
    changed = 0
    for state, seat in decisions(player, seats, seed=11, hands=2):
        view = view_for(state, seat)
        other = resample(state, seat, rng)
        changed += other != state
        again = view_for(other, seat)
        if view.legal.action == "discard":
            assert player.discard(view) == player.discard(again)
        else:
            assert player.play(view) == player.play(again)
    assert changed > 10, "the hidden cards must really have been others"


@ALL
@SEATS
def test_plays_whole_games_by_the_rules(player: Player, seats: int) -> None:
    record = play_game([player] * seats, lambda number: pack(21, number), target=61)
    assert max(record.result.scores) == 61


@ALL
def test_answers_again_as_it_did_before(player: Player) -> None:
    first = play_game([player] * 2, lambda number: pack(3, number), target=61)
    second = play_game([player] * 2, lambda number: pack(3, number), target=61)
    assert first.hands == second.hands


def test_levels_have_names_of_their_own_and_plain_descriptions() -> None:
    names = [player.name for player in levels()]
    assert len(set(names)) == len(names) >= 5
    for player in levels():
        assert player.version >= 1
        assert player.description.endswith(".")
        assert len(player.description) > 40


def test_players_are_found_by_name_in_any_case_and_by_what_they_are() -> None:
    assert get("Walter") is get("club")
    assert get("beginner") is levels()[0]
    assert get("strongest") is levels()[-1]


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownPlayer, match=r"'nobody'.*poppy.*ada"):
        get("nobody")
