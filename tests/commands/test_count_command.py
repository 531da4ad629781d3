"""`manage.py count`: counting a hand at the command line."""

import io
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.engine.cards import NAMES, parse_cards
from games.engine.scoring import count_hand

ROOT = Path(__file__).resolve().parent.parent.parent
TWENTY_NINE = ["5H", "5C", "5S", "JD", "5D"]


def count(*arguments: str) -> str:
    out = io.StringIO()
    call_command("count", *arguments, stdout=out)
    return out.getvalue()


def refusal(*arguments: str) -> CommandError:
    with pytest.raises(CommandError) as caught:
        count(*arguments)
    assert "\n" not in str(caught.value)
    return caught.value


def feed(monkeypatch: pytest.MonkeyPatch, lines: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines), encoding="utf-8"))


def test_the_output_lists_each_combination_and_the_total() -> None:
    lines = count("7H", "8C", "8S", "AD", "9C").splitlines()
    assert [line.split() for line in lines[:-1]] == [
        ["Hand", "7H", "8C", "8S", "AD,", "starter", "9C"],
        ["fifteen", "7H", "8C", "2"],
        ["fifteen", "7H", "8S", "2"],
        ["a", "double", "run", "of", "three", "7H", "8C", "8S", "9C", "8"],
        ["total", "12"],
    ]
    assert lines[-1] == "fifteen two, fifteen four, and a double run of three is twelve"


def test_a_flush_in_the_crib_needs_five_of_a_suit() -> None:
    flush = ["2H", "4H", "6H", "8H", "TC"]
    assert "flush" in count(*flush)
    assert count(*flush, "--crib").splitlines()[-1] == "nothing"
    assert count(*flush, "--crib").startswith("Crib ")


def test_json_output_has_the_same_content() -> None:
    report = json.loads(count(*TWENTY_NINE, "--json"))
    assert (report["total"], report["hand"], report["starter"]) == (29, TWENTY_NINE[:4], "5D")
    assert report["words"].endswith("and his nobs is twenty-nine")
    assert report["crib"] is False
    assert sum(part["points"] for part in report["parts"]) == 29
    assert {"kind": "nobs", "cards": ["JD"], "points": 1} in report["parts"]


def test_a_random_hand_is_counted_when_no_cards_are_given() -> None:
    report = json.loads(count("--json"))
    cards = parse_cards(" ".join([*report["hand"], report["starter"]]))
    assert len(set(cards)) == 5
    assert report["total"] == count_hand(cards[:4], cards[4])
    assert count() != count() or count() != count()


def test_cards_may_be_written_in_different_ways() -> None:
    assert count("5h", "5c", "5s", "jd", "5d") == count(*TWENTY_NINE)
    assert count("5H5C5SJD5D") == count(*TWENTY_NINE)
    assert count("10H", "2C", "3S", "4D", "6H") == count("TH", "2C", "3S", "4D", "6H")


@pytest.mark.parametrize(
    ("cards", "named"),
    [
        ("5H 5C 5S JD 5H", "5H is there twice"),
        ("5H 5C 5S JX 5D", "no such card: 'JX'"),
        ("5H 5C 5S JD", "4 cards given"),
        ("5H", "1 card given"),
        ("5H 5C 5S JD 5D 6D", "6 cards given"),
        ("5H 5C 5S JD x", "no such card: 'x'"),
    ],
)
def test_an_error_is_described_and_the_status_is_2(cards: str, named: str) -> None:
    error = refusal(*cards.split())
    assert named in str(error)
    assert error.returncode == 2


def test_hands_from_standard_input_give_one_total_per_line(monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, b"5H 5C 5S JD 5D\n2H 4H 6H 8H TC\n2H 4H 6H 8H TC crib\n\n5h5c5sjd 5d\n")
    assert count("-").split() == ["29", "4", "0", "29"]
    feed(monkeypatch, b"2H 4H 6H 8H TC\n")
    assert count("-", "--crib").split() == ["0"]
    feed(monkeypatch, b"5H 5C 5S JD 5D\n")
    assert json.loads(count("-", "--json"))["total"] == 29


@pytest.mark.parametrize(
    ("line", "named"),
    [
        (b"5H 5C 5S JD 5H", "line 2: 5H is there twice"),
        (b"5H 5C 5S JD", "line 2: 4 cards given"),
        (b"5H 5C 5S JD 5D crib 6D", "line 2: no such card: 'cr'"),
        (b"5H 5C 5S JD \xff\xfe", "line 2: no such card"),
        (b"5H 5C 5S JD 1H", "line 2: no such card: '1H'"),
    ],
)
def test_an_invalid_line_is_reported_by_number(
    monkeypatch: pytest.MonkeyPatch, line: bytes, named: str
) -> None:
    feed(monkeypatch, b"5H 5C 5S JD 5D\n" + line + b"\n")
    error = refusal("-")
    assert named in str(error)
    assert error.returncode == 2


def test_an_error_at_the_command_line_is_one_line_with_status_2() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "count", "5H", "5H", "5S", "JD", "5D"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.rstrip().splitlines() == ["CountError: 5H is there twice"]


def test_twenty_thousand_lines_are_counted_correctly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = random.Random(1)
    hands = [rng.sample(range(52), 5) for _ in range(20_000)]
    lines = b"".join(" ".join(NAMES[c] for c in hand).encode() + b"\n" for hand in hands)
    feed(monkeypatch, lines)
    report = count("-").split()
    assert [int(total) for total in report] == [count_hand(hand[:4], hand[4]) for hand in hands]
