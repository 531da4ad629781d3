"""`manage.py rate`: rating a file of results."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from benchmarks.ratings import fixtures
from ratings.management.commands.rate import Command

HEADER = "t,game,seat0,seat1,score0,score1"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Return a file with one game: player 7 deals first and loses to player 40 by 13."""
    return written(tmp_path, HEADER, "0,9,7,40,108,121")


def written(folder: Path, *lines: str) -> Path:
    path = folder / "results.csv"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def rates(path: Path, *options: str) -> dict[str, tuple[float, float]]:
    """Return rating and RD by player, as printed by the command."""
    out = StringIO()
    call_command("rate", str(path), *options, stdout=out)
    header, *lines = out.getvalue().splitlines()
    assert header == "player,rating,rd"
    table = [line.split(",") for line in lines]
    return {player: (float(rating), float(rd)) for player, rating, rd in table}


def complaint(capsys: pytest.CaptureFixture[str], path: Path, *options: str) -> str:
    """Return the error output of the command, which must end with status 2 and print nothing."""
    with pytest.raises(SystemExit) as ended:
        Command().run_from_argv(["manage.py", "rate", str(path), *options])
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err


def test_players_are_listed_by_their_own_numbers(results: Path) -> None:
    rated = rates(results)
    assert list(rated) == ["7", "40"]
    loser, winner = rated["7"], rated["40"]
    assert loser[0] < 1500.0 < winner[0]
    assert loser[0] + winner[0] == pytest.approx(3000.0, abs=0.002)
    assert loser[1] == pytest.approx(48.702, abs=0.001)


def test_a_file_with_the_fixtures_rows_has_its_uncertainty(tmp_path: Path) -> None:
    rows = [
        f"{t},{game},{seat0},{seat1},{60 + margin},60"
        for t, (seat0, seat1, game, margin) in enumerate(fixtures.F5_ROWS)
    ]
    rated = rates(written(tmp_path, HEADER, *rows))
    assert [rd for _, rd in rated.values()] == pytest.approx(fixtures.F5_RD, abs=0.0051)


def test_margins_in_a_file_are_not_capped(tmp_path: Path) -> None:
    far = rates(written(tmp_path, HEADER, "0,0,1,2,121,40"))
    near = rates(written(tmp_path, HEADER, "0,0,1,2,121,61"))
    assert far["1"][0] > near["1"][0] + 1.0


def test_par_is_used_unless_disabled(tmp_path: Path) -> None:
    path = written(tmp_path, f"{HEADER},luck,par", "0,0,1,2,100,121,0.5,-25.0")
    assert rates(path)["1"][0] > 1500.0
    assert rates(path, "--no-par")["1"][0] < 1500.0


def test_columns_may_be_in_any_order(tmp_path: Path) -> None:
    path = written(tmp_path, "score1,score0,seat1,seat0,game,t", "121,108,40,7,9,0")
    assert rates(path)["7"][0] < 1500.0


def test_a_file_without_results_gives_no_ratings(tmp_path: Path) -> None:
    assert rates(written(tmp_path, HEADER)) == {}


def test_out_writes_the_same_ratings_to_a_file(results: Path, tmp_path: Path) -> None:
    out = tmp_path / "ratings.csv"
    out.write_text("old")
    call_command("rate", str(results), "--out", str(out))
    printed = StringIO()
    call_command("rate", str(results), stdout=printed)
    assert out.read_text() == printed.getvalue()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ratings.csv", "results.csv"]


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("1,0,3,4,121,ninety", "line 3: score1 is 'ninety', not a whole number"),
        ("1,0,3,4,121,-5", "line 3: score1 is '-5', not a whole number"),
        ("1,0,3,4,121,9.5", "line 3: score1 is '9.5', not a whole number"),
        ("1,0,3,,121,95", "line 3: seat1 is '', not a whole number"),
        ("1,0,3,3,121,95", "line 3: player 3 has both seats"),
        ("1,0,3,4,121", "line 3: 5 fields, but the header has 6"),
        ("1,0,3,4,121,95,7", "line 3: 7 fields, but the header has 6"),
    ],
)
def test_a_malformed_row_is_reported_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: str, fault: str
) -> None:
    path = written(tmp_path, HEADER, "0,0,1,2,121,90", row, "2,0,5,6,121,90")
    out = tmp_path / "ratings.csv"
    out.write_text("old")
    assert fault in complaint(capsys, path, "--out", str(out))
    assert out.read_text() == "old"
    assert complaint(capsys, path).count("line ") == 1


@pytest.mark.parametrize(
    ("par", "fault"),
    [
        ("high", "line 3: par is 'high', not a number"),
        ("nan", "line 3: par is 'nan', not a number"),
        ("3.5", "line 3: par of game 0 is 3.5 here, but 2.5 in line 2"),
    ],
)
def test_a_malformed_par_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], par: str, fault: str
) -> None:
    path = written(tmp_path, f"{HEADER},par", "0,0,1,2,121,90,2.5", f"1,0,3,4,121,90,{par}")
    assert fault in complaint(capsys, path)
    assert rates(path, "--no-par")["1"][0] > 1500.0


def test_up_to_twenty_malformed_rows_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = complaint(capsys, written(tmp_path, HEADER, *["x,0,1,2,121,90"] * 23))
    assert said.count("t is 'x'") == 20
    assert "and 3 more" in said


def test_a_missing_column_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "t,game,seat0,seat1,score0", "0,0,1,2,121")
    assert "line 1: missing columns: score1" in complaint(capsys, path)


def test_an_empty_file_lacks_all_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "line 1: missing columns: t, game" in complaint(capsys, written(tmp_path))


def test_a_missing_file_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "cannot read" in complaint(capsys, tmp_path / "none.csv")


def test_a_missing_output_folder_is_reported(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "cannot write" in complaint(capsys, results, "--out", str(tmp_path / "no" / "x.csv"))
