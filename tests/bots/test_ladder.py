"""The ratings of the levels: complete, up to date, and what the stored games give."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.ratings import ladder
from benchmarks.ratings.ladder import NAMES, Row
from games.bots import levels
from games.bots.ladder import ANCHOR, ANCHORED, RATINGS

SEATS = pytest.mark.parametrize("seats", [2, 3])


@SEATS
def test_every_level_has_the_rating_of_its_present_version(seats: int) -> None:
    assert {level.name: level.version for level in levels()} == {
        name: rating.version for name, rating in RATINGS[seats].items()
    }


def test_ratings_rise_from_level_to_level() -> None:
    ratings = [RATINGS[2][level.name].elo for level in levels()]
    assert all(lower < higher for lower, higher in pairwise(ratings))


def test_with_three_seats_no_level_is_rated_below_an_easier_one_beyond_the_error() -> None:
    ratings = [RATINGS[3][level.name] for level in levels()]
    for lower, higher in pairwise(ratings):
        assert higher.elo + max(higher.error, lower.error) > lower.elo


@SEATS
def test_the_anchor_is_set_and_the_others_have_an_error(seats: int) -> None:
    assert RATINGS[seats][ANCHOR].elo == ANCHORED
    assert {name for name, rating in RATINGS[seats].items() if not rating.error} == {ANCHOR}


@SEATS
def test_the_ratings_are_those_of_the_stored_games(seats: int) -> None:
    assert ladder.measured(ladder.read(seats)) == [
        (name, rating.elo, rating.error) for name, rating in RATINGS[seats].items()
    ]


@SEATS
def test_each_level_holds_each_seat_once_in_every_stored_game(seats: int) -> None:
    rows = ladder.read(seats)
    assert len(rows) == (rows[-1].game + 1) * len(NAMES)
    for game in range(rows[-1].game + 1):
        tables = rows[game * len(NAMES) : (game + 1) * len(NAMES)]
        assert {row.game for row in tables} == {game}
        for column in zip(*(row.seated for row in tables), strict=True):
            assert sorted(column) == list(range(len(NAMES)))


def test_three_seats_are_mostly_levels_near_each_other() -> None:
    circles = [ladder.circle(3, game) for game in range(300)]
    tables = {tuple((order * 2)[at : at + 3]) for order in circles for at in range(7)}
    assert len(tables) > 100, "chance mixes the tables"
    seated = [sorted((order * 2)[at : at + 3]) for order in circles for at in range(7)]
    assert sum(three[-1] - three[0] <= 4 for three in seated) / len(seated) > 0.85


def test_a_stored_table_is_played_again_to_the_same_scores() -> None:
    beginners = [row for row in ladder.read(3) if max(row.seated) <= NAMES.index("nora")]
    for row in (beginners[0], beginners[-1]):
        assert ladder.table(row.game, list(row.seated)) == row


def test_a_point_of_skill_is_worth_more_elo_with_three_seats() -> None:
    def rows(seats: int) -> list[Row]:
        circles = ((game, ladder.circle(seats, game)) for game in range(400))
        around = [(game, [*order, *order[: seats - 1]]) for game, order in circles]
        tables = [(game, each[at : at + seats]) for game, each in around for at in range(7)]
        return [Row(game, tuple(seated), tuple(seated)) for game, seated in tables]

    steps = {
        seats: [b - a for a, b in pairwise(ladder.ratings_of(rows(seats)))] for seats in (2, 3)
    }
    assert steps[2] == pytest.approx([13.7] * 6, rel=0.05)
    assert steps[3] == pytest.approx([20.5] * 6, rel=0.05)


def test_games_are_played_on_from_the_stored_ones(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    played: list[int] = []

    def table(game: int, seated: Sequence[int]) -> Row:
        played.append(game)
        return Row(game, tuple(seated), (121, game, seated[0]))

    monkeypatch.setattr(ladder, "FILES", {3: tmp_path / "three.csv.gz"})
    monkeypatch.setattr(ladder, "table", table)
    ladder.play_on(3, 2)
    assert played == [0] * 7 + [1] * 7
    ladder.play_on(3, 3)
    assert played[14:] == [2] * 7
    stored = ladder.read(3)
    assert [row.game for row in stored] == played
    played.clear()
    with ThreadPoolExecutor(1) as pool:
        ladder.play_again(3, ["ada", "grace"], pool)
    levels = {ladder.NAMES.index(name) for name in ("ada", "grace")}
    assert played == [row.game for row in stored if levels & set(row.seated)]
    assert len(played) < len(stored)
    assert ladder.read(3) == stored


def test_a_replay_that_is_interrupted_has_stored_tables_and_goes_on_from_a_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    old = [Row(game, (0, 1, 2), (121, 0, 0)) for game in range(6)]
    last = 4

    def table(game: int, seated: Sequence[int]) -> Row:
        if game == last:
            raise KeyError(game)
        return Row(game, tuple(seated), (0, 121, 0))

    monkeypatch.setattr(ladder, "FILES", {3: tmp_path / "three.csv.gz"})
    monkeypatch.setattr(ladder, "table", table)
    monkeypatch.setattr(ladder, "BATCH", 3)
    ladder.store(3, old)
    with ThreadPoolExecutor(1) as pool, pytest.raises(KeyError):
        ladder.play_again(3, ["elsie"], pool)
    new = [row._replace(scores=(0, 121, 0)) for row in old]
    assert ladder.read(3) == [*new[:3], *old[3:]]
    last = 0
    with ThreadPoolExecutor(1) as pool:
        ladder.play_again(3, ["elsie"], pool, 3)
    assert ladder.read(3) == new
