"""The arena: mirrored, fair, and the same again from the same seed."""

import json
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.analysis.arena import pack, play_game
from games.analysis.tally import Tally
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


def arena(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("arena", *arguments, "--workers", "1", "--json", stdout=out)
    told: dict[str, Any] = json.loads(out.getvalue())
    return told


def program(tmp_path: Path, text: str) -> str:
    path = tmp_path / "player.py"
    path.write_text(text)
    return f"{sys.executable} {path}"


def test_a_pack_is_every_card_once_and_follows_from_the_seed() -> None:
    assert sorted(pack(1, 1)) == list(range(52))
    assert pack(1, 1) == pack(1, 1)
    assert len({tuple(pack(seed, deal)) for seed in range(5) for deal in range(5)}) == 25


def test_a_player_against_itself_wins_one_game_of_each_pair() -> None:
    told = arena("alfie", "alfie", "--pairs", "6", "--target", "61")
    assert told["win_rate"] == 0.5
    assert told["win_rate_95"] == [0.5, 0.5]
    assert told["margin"] == 0


def test_the_same_seed_tells_the_same_and_another_another() -> None:
    keys = ("win_rate", "win_rate_95", "margin", "points_per_deal", "skunks")
    first, again, other = (
        arena("nora", "poppy", "--pairs", "6", "--seed", seed) for seed in ("3", "3", "4")
    )
    assert [first[key] for key in keys] == [again[key] for key in keys]
    assert first["points_per_deal"] != other["points_per_deal"]
    assert first["win_rate_95"][0] <= first["win_rate"] <= first["win_rate_95"][1]


def test_points_of_the_parts_add_up_to_the_scores() -> None:
    records = [
        play_game([get("alfie"), get("nora")][:: 1 - 2 * swap], lambda number: pack(8, number))
        for swap in (0, 1)
    ]
    tally = Tally(2)
    tally.add_round(records)
    told = tally.to_dict(["alfie", "nora"])
    hands = [hand for record in records for hand in record.hands[:5]]
    earned = sum(sum(hand.pegged) + sum(map(int, hand.shown)) + hand.crib_points for hand in hands)
    counted = sum(
        told["points_per_deal"][side][role]["total"] * tally.deals[index, role]
        for index, side in enumerate("ab")
        for role in ("pone", "dealer")
    )
    assert counted == pytest.approx(earned)


def test_list_names_the_levels_weakest_first() -> None:
    out = StringIO()
    call_command("arena", "--list", stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[0].startswith("poppy ")
    assert lines[-1].startswith("ada ")


def test_a_program_plays_by_json_lines(tmp_path: Path) -> None:
    told = arena("--external", program(tmp_path, ECHO), "poppy", "--pairs", "2", "--target", "61")
    assert told["forfeits"] == []
    assert told["players"] == ["external", "poppy"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("raise SystemExit(3)", "has ended, exit status 3"),
        ("import time; time.sleep(9)", "took longer than 0.5 s"),
        ("print('no', flush=True); input()", "answered no JSON"),
        ('print(\'{"cards": ["5X", "5H"]}\', flush=True); input()', "no such card"),
        ("print('{\"cards\": []}', flush=True); input()", "which it may not"),
    ],
)
def test_a_program_that_fails_forfeits_and_the_report_says_why(
    tmp_path: Path, text: str, why: str
) -> None:
    told = arena("--external", program(tmp_path, text), "poppy", "--pairs", "1", "--limit", "0.5")
    assert told["win_rate"] == 0
    assert len(told["forfeits"]) == 2
    assert why in told["forfeits"][0]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["walter"], "two players meet"),
        (["walter", "nobody"], "'nobody'"),
        (["walter", "nora", "--pairs", "0"], "at least 1"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: list[str], why: str) -> None:
    with pytest.raises(CommandError, match=why) as refused:
        call_command("arena", *arguments)
    assert refused.value.returncode == 2
