"""Guarantees that every computer player must keep."""

import random
from collections.abc import Iterator

import pytest

from games.analysis.arena import chance_move, pack, play_game
from games.bots import Player, UnknownPlayer, get, levels
from games.engine import rules
from games.engine.moves import Discard, Play
from games.engine.state import Ruleset, State
from games.engine.view import resample, view_for

YARDSTICKS = [get(name) for name in ("novice", "plain", "keen", "club", "expert")]
ALL = pytest.mark.parametrize("player", [*levels(), *YARDSTICKS], ids=lambda player: player.name)
SEATS = pytest.mark.parametrize("seats", [2, 3])


def decisions(player: Player, seats: int, seed: int, hands: int) -> Iterator[tuple[State, int]]:
    """Yield (state, seat) before each decision of hands that ``player`` plays against itself."""
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
def test_decisions_do_not_depend_on_hidden_cards(player: Player, seats: int) -> None:
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
    assert changed > 10, "the hidden cards must really have changed"


@ALL
@SEATS
def test_every_level_plays_whole_games_by_the_rules(player: Player, seats: int) -> None:
    record = play_game([player] * seats, lambda number: pack(21, number), target=61)
    assert max(record.result.scores) == 61


@ALL
def test_every_level_is_deterministic(player: Player) -> None:
    first = play_game([player] * 2, lambda number: pack(3, number), target=61)
    second = play_game([player] * 2, lambda number: pack(3, number), target=61)
    assert first.hands == second.hands


def test_levels_have_unique_names_and_descriptions() -> None:
    names = [player.name for player in levels()]
    assert len(set(names)) == len(names) >= 5
    for player in levels():
        assert player.version >= 1
        assert player.description.endswith(".")
        assert len(player.description) > 40


def test_players_are_found_by_name_in_any_case_and_by_level() -> None:
    assert get("Walter").name == "walter"
    assert get("beginner") is levels()[0]
    assert get("strongest") is levels()[-1]


def test_the_yardsticks_and_the_strongest_without_habits_are_for_the_arena_only() -> None:
    names = [player.name for player in (*YARDSTICKS, get("ada-solved"))]
    assert names == ["novice", "plain", "keen", "club", "expert", "ada-solved"]
    assert not set(names) & {player.name for player in levels()}


def test_an_unknown_name_is_refused_with_a_list_of_known_names() -> None:
    with pytest.raises(UnknownPlayer, match=r"'nobody'.*poppy.*ada"):
        get("nobody")
