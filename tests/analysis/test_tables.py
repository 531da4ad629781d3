"""The shipped tables are intact, small, and reproducible with the documented commands."""

from pathlib import Path

import numpy as np
import pytest

from games.analysis import build_tables, discards, tables

NAMES = sorted(path.stem for path in tables.FOLDER.glob("*.table"))
SMALL = 10 * 1024 * 1024


def test_all_tables_together_are_small() -> None:
    assert sum(path.stat().st_size for path in tables.FOLDER.iterdir()) < SMALL


@pytest.mark.parametrize("name", NAMES)
def test_a_table_header_states_seed_time_and_size(name: str) -> None:
    found = tables.header(name)
    assert found["name"] == name
    assert found["seed"] > 0
    assert found["seconds"] > 0
    assert len(found["note"]) > 10
    assert tables.load(name).nbytes == found["bytes"]
    assert np.isfinite(tables.load(name)).all()


def test_a_truncated_or_missing_table_is_refused_by_name(tmp_path: Path) -> None:
    path = tables.save("some", np.arange(5), seed=1, seconds=1, note="five", folder=tmp_path)
    assert tables.read("some", tmp_path).tolist() == [0, 1, 2, 3, 4]
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(tables.TableError, match=r"some\.table"):
        tables.read("some", tmp_path)
    with pytest.raises(tables.TableError, match=r"other\.table"):
        tables.read("other", tmp_path)


def test_pegging_values_of_some_hands_can_be_reproduced() -> None:
    pool = build_tables.pool_from_keeps(
        tables.load("keeps_2"), 20_000, build_tables.rng_from(build_tables.SEED, 1)
    )
    rows = [0, 611, 1819]
    for role in range(2):
        again = build_tables.peg_rows(tables.load("play_2"), pool, role, rows)
        shipped = tables.load("pegs_2")[role, build_tables.HAND_AT[rows]]
        assert np.abs(again - shipped).max() <= 1


def test_pegging_values_with_habits_can_be_reproduced() -> None:
    rows = [0, 611, 1819]
    again = build_tables.pegs_with_habits(tables.load("play_2"), tables.load("keeps_2"), rows)
    assert np.array_equal(again, tables.load("pegs_2_habits")[:, rows])
    means = discards.peg_means(habits=True)
    assert np.array_equal(again, means[:, build_tables.HAND_AT[rows]])


def test_hands_kept_by_a_club_player_can_be_reproduced() -> None:
    few = build_tables.club_keeps(tables.load("crib_2"), 60_000)
    shipped = tables.load("keeps_2_club")
    often = np.argsort(shipped * build_tables.uniform_shares())[:, -40:]
    for role in range(2):
        again, known = few[role, often[role]], shipped[role, often[role]]
        assert np.abs(again / known - 1).max() < 0.5
        assert abs(again.mean() / known.mean() - 1) < 0.05


@pytest.mark.slow
def test_winning_chances_near_the_end_can_be_reproduced() -> None:
    throws = np.asarray(tables.load("throws_2"), dtype=np.float64)
    scored = build_tables.scored_deals(throws, tables.load("pegs_2"), tables.load("play_2"), 3000)
    again = build_tables.chances_to_win(scored, least=225)
    shipped = tables.load("wins_2")
    filled = again > 0
    assert filled.sum() > 100
    assert np.abs(again - shipped)[filled].max() < 0.03


def test_random_discard_cribs_can_be_reproduced() -> None:
    assert np.abs(build_tables.blind_cribs() - tables.load("crib_2")).max() < 1e-5
