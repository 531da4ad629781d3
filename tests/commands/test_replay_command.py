"""`manage.py replay`: replaying and checking game records."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLE = ROOT / "tests" / "data" / "sample.jsonl"
GAMES: list[dict[str, Any]] = [json.loads(line) for line in SAMPLE.read_text().splitlines()]


def replay(*arguments: str) -> tuple[list[Any], list[str], int]:
    """Return each output line as JSON, the lines on standard error, and the exit status."""
    out, err = io.StringIO(), io.StringIO()
    status = 0
    try:
        call_command("replay", *arguments, stdout=out, stderr=err)
    except CommandError as error:
        status = error.returncode
    printed = [json.loads(line) for line in out.getvalue().splitlines()]
    return printed, err.getvalue().splitlines(), status


def write(folder: Path, *records: object) -> str:
    file = folder / "games.jsonl"
    lines = [line if isinstance(line, str) else json.dumps(line) for line in records]
    file.write_text("\n".join(lines))
    return str(file)


def copy(number: int = 0) -> dict[str, Any]:
    fresh: dict[str, Any] = json.loads(json.dumps(GAMES[number]))
    return fresh


def test_each_record_prints_its_running_scores_in_one_line() -> None:
    printed, trouble, status = replay(str(SAMPLE))
    assert (trouble, status) == ([], 0)
    assert printed == [[s for hand in game["hands"] for s in hand["scores"]] for game in GAMES]


def test_json_output_includes_the_winner() -> None:
    printed, trouble, status = replay(str(SAMPLE), "--json")
    assert (trouble, status) == ([], 0)
    for number, (line, game) in enumerate(zip(printed, GAMES, strict=True), start=1):
        assert (line["record"], line["id"]) == (number, game["id"])
        assert (line["winner"], line["final"]) == (game["winner"], game["final"])
        assert line["difference"] is line["error"] is None
        assert line["scores"][-1] == game["final"]


def test_the_first_event_that_differs_is_reported(tmp_path: Path) -> None:
    game = copy()
    game["hands"][1]["plays"][3][3] = 2
    game["hands"][1]["scores"][4] = [31, 14]
    printed, trouble, status = replay(write(tmp_path, game, GAMES[1]))
    assert trouble == ["record 1 (g2-0001): hand 2, play 4: points: 3 expected, 2 found"]
    assert status == 1
    assert [len(scores) for scores in printed] == [
        sum(len(hand["scores"]) for hand in game["hands"]) for game in GAMES[:2]
    ]
    printed, _, _ = replay(write(tmp_path, game), "--json")
    difference = printed[0]["difference"]
    assert (difference["hand"], difference["event"], difference["field"]) == (2, "play 4", "points")
    assert (difference["expected"], difference["found"]) == (3, 2)


def test_an_illegal_record_is_reported_and_the_next_one_is_read(tmp_path: Path) -> None:
    game = copy()
    game["hands"][1]["plays"][2] = [0, "KS"]
    printed, trouble, status = replay(write(tmp_path, game, GAMES[1]))
    assert status == 1
    assert trouble == ["record 1 (g2-0001): hand 2, play 3: KS is not held; the hand is 4D AC AS"]
    assert (printed[0]["error"]["hand"], printed[0]["error"]["event"]) == (2, "play 3")
    assert len(printed[0]["scores"]) == 12 + 1 + 2  # as far as it is legal
    assert printed[1][-1] == GAMES[1]["final"]


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "{",
        "[]",
        "null",
        '"text"',
        "{}",
        "[" * 2000,
        '{"id": ' + "[" * 900 + "]" * 900 + "}",
        '{"players": 2, "target": 121, "first_dealer": 0, "hands": [null]}',
        '{"players": 1e99, "target": 121, "first_dealer": 0, "hands": []}',
        "\x00\x01",
    ],
)
def test_an_invalid_line_is_reported_and_the_next_one_is_read(tmp_path: Path, line: str) -> None:
    printed, trouble, status = replay(write(tmp_path, line, "", GAMES[0]))
    assert status == 1
    assert len(trouble) == 1
    assert trouble[0].startswith("record 1")
    assert printed[0]["error"]["reason"]
    assert printed[1][-1] == GAMES[0]["final"]


def test_a_deeply_nested_value_is_reported_briefly(tmp_path: Path) -> None:
    game = copy()
    deep: list[Any] = []
    for _ in range(600):
        deep = [deep]
    game["hands"][0]["show"][0] = deep
    printed, trouble, status = replay(write(tmp_path, game), "--json")
    assert status == 1
    assert len(trouble[0]) < 200
    assert printed[0]["difference"]["event"] == "show 1"


def test_an_unfinished_game_is_replayed_as_far_as_it_goes(tmp_path: Path) -> None:
    game = copy()
    del game["hands"][1:]
    del game["hands"][0]["plays"][3:]
    for field in ("show", "scores"):
        del game["hands"][0][field]
    del game["winner"], game["final"]
    printed, trouble, status = replay(write(tmp_path, game), "--json")
    assert (trouble, status) == ([], 0)
    assert printed[0]["scores"] == [[0, 0], [0, 0], [0, 0], [0, 3]]
    assert printed[0]["winner"] is printed[0]["final"] is None


def test_a_missing_file_is_one_error_line_with_status_2() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "replay", "no-such-file.jsonl"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.rstrip() == "ReplayError: no-such-file.jsonl: No such file or directory"


def test_a_file_of_a_hundred_games_is_replayed_in_order(tmp_path: Path) -> None:
    """Every game is replayed to its recorded scores; `make bench` measures the speed."""
    games = GAMES * 5
    printed, trouble, status = replay(write(tmp_path, *games))
    assert (trouble, status) == ([], 0)
    assert len(printed) == 100
    assert printed == [[s for hand in game["hands"] for s in hand["scores"]] for game in games]
