"""`manage.py replay`: game records replayed and checked."""

import io
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLE = ROOT / "tests" / "data" / "sample.jsonl"
GAMES: list[dict[str, Any]] = [json.loads(line) for line in SAMPLE.read_text().splitlines()]


def replay(*arguments: str) -> tuple[list[Any], list[str], int]:
    """Return what each line says, the lines on standard error, and the exit status."""
    out, err = io.StringIO(), io.StringIO()
    status = 0
    try:
        call_command("replay", *arguments, stdout=out, stderr=err)
    except CommandError as error:
        status = error.returncode
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    return told, err.getvalue().splitlines(), status


def write(folder: Path, *records: object) -> str:
    file = folder / "games.jsonl"
    lines = [line if isinstance(line, str) else json.dumps(line) for line in records]
    file.write_text("\n".join(lines))
    return str(file)


def copy(number: int = 0) -> dict[str, Any]:
    fresh: dict[str, Any] = json.loads(json.dumps(GAMES[number]))
    return fresh


def test_each_record_gives_its_running_scores_in_one_line() -> None:
    told, trouble, status = replay(str(SAMPLE))
    assert (trouble, status) == ([], 0)
    assert told == [[s for hand in game["hands"] for s in hand["scores"]] for game in GAMES]


def test_json_tells_who_won_too() -> None:
    told, trouble, status = replay(str(SAMPLE), "--json")
    assert (trouble, status) == ([], 0)
    for number, (line, game) in enumerate(zip(told, GAMES, strict=True), start=1):
        assert (line["record"], line["id"]) == (number, game["id"])
        assert (line["winner"], line["final"]) == (game["winner"], game["final"])
        assert line["difference"] is line["error"] is None
        assert line["scores"][-1] == game["final"]


def test_the_first_event_that_differs_is_told(tmp_path: Path) -> None:
    game = copy()
    game["hands"][1]["plays"][3][3] = 2
    game["hands"][1]["scores"][4] = [31, 14]
    told, trouble, status = replay(write(tmp_path, game, GAMES[1]))
    assert trouble == ["record 1 (g2-0001): hand 2, play 4: points: 3 expected, 2 found"]
    assert status == 1
    assert [len(scores) for scores in told] == [
        sum(len(hand["scores"]) for hand in game["hands"]) for game in GAMES[:2]
    ]
    told, _, _ = replay(write(tmp_path, game), "--json")
    difference = told[0]["difference"]
    assert (difference["hand"], difference["event"], difference["field"]) == (2, "play 4", "points")
    assert (difference["expected"], difference["found"]) == (3, 2)


def test_an_illegal_record_is_named_and_the_next_one_is_read(tmp_path: Path) -> None:
    game = copy()
    game["hands"][1]["plays"][2] = [0, "KS"]
    told, trouble, status = replay(write(tmp_path, game, GAMES[1]))
    assert status == 1
    assert trouble == ["record 1 (g2-0001): hand 2, play 3: KS is not held; the hand is 4D AC AS"]
    assert (told[0]["error"]["hand"], told[0]["error"]["event"]) == (2, "play 3")
    assert len(told[0]["scores"]) == 12 + 1 + 2  # as far as it is legal
    assert told[1][-1] == GAMES[1]["final"]


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
def test_a_line_that_is_no_record_is_named_and_the_next_one_is_read(
    tmp_path: Path, line: str
) -> None:
    told, trouble, status = replay(write(tmp_path, line, "", GAMES[0]))
    assert status == 1
    assert len(trouble) == 1
    assert trouble[0].startswith("record 1")
    assert told[0]["error"]["reason"]
    assert told[1][-1] == GAMES[0]["final"]


def test_a_deep_value_in_a_derived_field_is_told_in_short(tmp_path: Path) -> None:
    game = copy()
    deep: list[Any] = []
    for _ in range(600):
        deep = [deep]
    game["hands"][0]["show"][0] = deep
    told, trouble, status = replay(write(tmp_path, game), "--json")
    assert status == 1
    assert len(trouble[0]) < 200
    assert told[0]["difference"]["event"] == "show 1"


def test_an_unfinished_game_is_replayed_as_far_as_it_goes(tmp_path: Path) -> None:
    game = copy()
    del game["hands"][1:]
    del game["hands"][0]["plays"][3:]
    for field in ("show", "scores"):
        del game["hands"][0][field]
    del game["winner"], game["final"]
    told, trouble, status = replay(write(tmp_path, game), "--json")
    assert (trouble, status) == ([], 0)
    assert told[0]["scores"] == [[0, 0], [0, 0], [0, 0], [0, 3]]
    assert told[0]["winner"] is told[0]["final"] is None


def test_a_file_that_is_not_there_is_one_line_and_status_2() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "replay", "no-such-file.jsonl"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.rstrip() == "ReplayError: no-such-file.jsonl: No such file or directory"


def test_a_hundred_games_take_less_than_a_second_of_the_processor(tmp_path: Path) -> None:
    file = write(tmp_path, *GAMES * 5)
    best = 9.0
    for _ in range(3):
        began = time.process_time()
        told, _, _ = replay(file)
        best = min(best, time.process_time() - began)
    assert len(told) == 100
    assert best < 1
