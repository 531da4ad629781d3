"""The arena plays mirrored, fair games, and the same seed gives the same result."""

import json
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.analysis.arena import pack, play_game
from games.analysis.win_counts import TrialStats
from games.bots import get

ECHO = """
import json, sys
for line in sys.stdin:
    view = json.loads(line)["view"]
    legal = view["legal"]
    answer = {"cards": legal["cards"][: legal["number"]]}
    if view["phase"] == "play":
        answer = {"card": legal["cards"][0]}
    print(json.dumps(answer), flush=True)
"""

EXAMPLE = Path(__file__).parents[2] / "docs" / "example_player.py"


def arena(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("arena", *arguments, "--workers", "1", "--json", stdout=out)
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


def program(tmp_path: Path, text: str) -> str:
    path = tmp_path / "player.py"
    path.write_text(text)
    return f"{sys.executable} {path}"


def test_a_pack_holds_every_card_once_and_depends_only_on_the_seed() -> None:
    assert sorted(pack(1, 1)) == list(range(52))
    assert pack(1, 1) == pack(1, 1)
    assert len({tuple(pack(seed, deal)) for seed in range(5) for deal in range(5)}) == 25


def test_a_player_against_itself_wins_one_game_of_each_pair() -> None:
    report = arena("alfie", "alfie", "--pairs", "6", "--target", "61")
    assert report["win_rate"] == 0.5
    assert report["win_rate_95"] == [0.5, 0.5]
    assert report["margin"] == 0


def test_the_same_seed_gives_the_same_report_and_another_seed_another() -> None:
    keys = ("win_rate", "win_rate_95", "margin", "points_per_deal", "skunks")
    first, again, other = (
        arena("nora", "poppy", "--pairs", "6", "--seed", seed) for seed in ("3", "3", "4")
    )
    assert [first[key] for key in keys] == [again[key] for key in keys]
    assert first["points_per_deal"] != other["points_per_deal"]
    assert first["win_rate_95"][0] <= first["win_rate"] <= first["win_rate_95"][1]


def test_pegging_hand_and_crib_points_add_up_to_the_scores() -> None:
    records = [
        play_game([get("alfie"), get("nora")][:: 1 - 2 * swap], lambda number: pack(8, number))
        for swap in (0, 1)
    ]
    tally = TrialStats(2)
    tally.add_round(records)
    report = tally.to_dict(["alfie", "nora"])
    hands = [hand for record in records for hand in record.hands[:5]]
    earned = sum(
        sum(hand.pegged) + sum(points or 0 for points in hand.shown) + hand.crib_points
        for hand in hands
    )
    counted = sum(
        report["points_per_deal"][side][role]["total"] * tally.deals[index, role]
        for index, side in enumerate("ab")
        for role in ("pone", "dealer")
    )
    assert counted == pytest.approx(earned)


def test_list_shows_the_levels_weakest_first() -> None:
    out = StringIO()
    call_command("arena", "--list", stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[0].startswith("poppy ")
    assert lines[-1].startswith("ada ")


def test_the_documented_example_player_plays_by_the_rules() -> None:
    example = f"{sys.executable} {EXAMPLE}"
    report = arena("--external", example, "poppy", "--pairs", "2", "--target", "61")
    assert report["forfeits"] == []


def test_an_external_program_plays_over_json_lines(tmp_path: Path) -> None:
    report = arena("--external", program(tmp_path, ECHO), "poppy", "--pairs", "2", "--target", "61")
    assert report["forfeits"] == []
    assert report["players"] == ["external", "poppy"]


@pytest.mark.parametrize(
    ("text", "limit", "why"),
    [
        ("raise SystemExit(3)", "90", "has ended, exit status 3"),
        ("import time; time.sleep(900)", "0.5", "took longer than 0.5 s"),
        ("print('no', flush=True); input()", "90", "did not answer with JSON"),
        ('print(\'{"cards": ["5X", "5H"]}\', flush=True); input()', "90", "no such card"),
        ("print('{\"cards\": []}', flush=True); input()", "90", "which is not allowed"),
    ],
)
def test_an_external_program_that_fails_forfeits_and_the_report_says_why(
    tmp_path: Path, text: str, limit: str, why: str
) -> None:
    report = arena("--external", program(tmp_path, text), "poppy", "--pairs", "1", "--limit", limit)
    assert report["win_rate"] == 0
    assert len(report["forfeits"]) == 2
    assert why in report["forfeits"][0]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["walter"], "give two names"),
        (["walter", "nobody"], "'nobody'"),
        (["walter", "nora", "--pairs", "0"], "at least 1"),
    ],
)
def test_invalid_arguments_are_refused(arguments: list[str], why: str) -> None:
    with pytest.raises(CommandError, match=why) as refused:
        call_command("arena", *arguments)
    assert refused.value.returncode == 2
