"""Game records: reading, writing, comparing; every error is one sentence."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from games.engine.moves import Resign
from games.engine.record import RecordError, read_record, write_records
from games.engine.rules import fold
from games.engine.state import Phase, Ruleset
from tests.support.positions import random_moves

SAMPLE = Path(__file__).parent.parent / "data" / "sample.jsonl"
GAMES: list[dict[str, Any]] = [json.loads(line) for line in SAMPLE.read_text().splitlines()]
BARE = ("dealer", "dealt", "crib_card", "discards", "starter", "plays")


def named(game: dict[str, Any]) -> str:
    return str(game["id"])


@pytest.fixture
def game() -> dict[str, Any]:
    """Return a game to corrupt; its second hand begins with 9H from seat 0."""
    return deepcopy(GAMES[0])


def refused(record: object) -> RecordError:
    with pytest.raises(RecordError) as caught:
        read_record(record)
    assert "\n" not in str(caught.value)
    return caught.value


# The sample file.


@pytest.mark.parametrize("sample", GAMES, ids=named)
def test_every_derived_value_of_the_sample_follows_from_its_moves(sample: dict[str, Any]) -> None:
    read = read_record(sample)
    assert read.difference is None
    scores = [score for hand in sample["hands"] for score in hand["scores"]]
    assert [list(score) for score in read.scores] == scores
    assert read.state.phase is Phase.OVER
    assert (read.state.winner, list(read.state.scores)) == (sample["winner"], sample["final"])


@pytest.mark.parametrize("sample", GAMES, ids=named)
def test_the_sample_is_written_back_unchanged(sample: dict[str, Any]) -> None:
    read = read_record(sample)
    (written,) = write_records(read.ruleset, read.moves)
    assert written == {key: value for key, value in sample.items() if key != "id"}


@pytest.mark.parametrize("sample", GAMES, ids=named)
def test_a_record_without_derived_values_gives_the_same_game(sample: dict[str, Any]) -> None:
    hands = [
        {**{key: hand[key] for key in BARE}, "plays": [play[:2] for play in hand["plays"]]}
        for hand in sample["hands"]
    ]
    bare = {key: sample[key] for key in ("players", "target", "first_dealer")} | {"hands": hands}
    assert read_record(bare).scores == read_record(sample).scores


# Games written and read.

RULESETS = [
    Ruleset(games=3),
    Ruleset(players=3, target=61, games=2),
    Ruleset(counting="manual"),
    Ruleset(counting="manual", muggins=True, games=2),
    Ruleset(players=3, counting="manual", muggins=True, double_skunk=4),
]
IDS = ["two", "three", "manual", "muggins", "muggins three"]


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_a_match_is_written_as_one_record_per_game_and_read_back(ruleset: Ruleset) -> None:
    moves = random_moves(ruleset, 41)
    results = fold(ruleset, moves).results
    records = write_records(ruleset, moves)
    assert len(records) == ruleset.games
    for record, result in zip(records, results, strict=True):
        read = read_record(json.loads(json.dumps(record)))
        assert read.difference is None
        assert read.state.results[0].scores == result.scores
        assert read.state.results[0].points == result.points
        assert write_records(read.ruleset, read.moves) == [record]
    played = [move for record in records for move in read_record(record).moves]
    assert [move for move in played if "Discard" not in repr(move)] == [
        move for move in moves if type(move).__name__ not in {"Cut", "Discard"}
    ]


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_an_unfinished_game_round_trips_after_every_move(ruleset: Ruleset) -> None:
    moves = random_moves(ruleset, 42)
    for length in range(60):
        records = write_records(ruleset, moves[:length])
        state = fold(ruleset, moves[:length])
        assert len(records) == (state.hand is not None or bool(state.hands))
        for record in records:
            read = read_record(record)
            assert read.difference is None
            assert (read.state.scores, read.state.phase) == (state.scores, state.phase)
            assert record["winner"] is record["final"] is None


def test_a_resigned_game_records_the_resignation() -> None:
    moves = [*random_moves(Ruleset(first_dealer=1), 43)[:30], Resign(0)]
    (record,) = write_records(Ruleset(first_dealer=1), moves)
    assert (record["resigned"], record["winner"]) == (0, 1)
    read = read_record(record)
    assert (read.difference, read.state.winner, read.moves[-1]) == (None, 1, Resign(0))


def test_a_resignation_before_the_first_deal_leaves_no_record() -> None:
    assert write_records(Ruleset(), [Resign(0)]) == []


# Differences.


def test_the_first_value_that_differs_is_reported(game: dict[str, Any]) -> None:
    game["hands"][2]["scores"][4] = [39, 42]
    game["hands"][1]["plays"][3][3] = 2
    game["hands"][1]["plays"][5][2] = 22
    found = read_record(game).difference
    assert found is not None
    assert (found.hand, str(found.event), found.field) == (2, "play 4", "points")
    assert (found.expected, found.found) == (3, 2)
    assert str(found) == "hand 2, play 4: points: 3 expected, 2 found"


@pytest.mark.parametrize(
    ("path", "value", "event", "field"),
    [
        (("hands", 0, "heels"), 2, "starter", "heels"),
        (("hands", 0, "crib"), ["3D", "2S", "3C", "KC"], "discard", "crib"),
        (("hands", 0, "scores", 0), [0, 2], "starter", "scores"),
        (("hands", 0, "plays", 0, 2), 2, "play 1", "count"),
        (("hands", 0, "plays", 6, 4), 0, "play 7", "go"),
        (("hands", 0, "scores", 1), None, "play 1", "scores"),
        (("hands", 0, "show", 0), [1, "hand", 7], "show 1", "show"),
        (("hands", 0, "show", 1), [1, "hand", 12], "show 2", "show"),
        (("hands", 0, "show"), [[1, "hand", 6]], "show 2", "show"),
        (("hands", 0, "show"), [], "show 1", "show"),
        (("hands", 0, "scores"), [], "starter", "scores"),
        (("hands", 0, "scores", 11), [29, 13], "show 3", "scores"),
        (("winner",), 1, "end", "winner"),
        (("final",), [120, 104], "end", "final"),
    ],
)
def test_each_derived_field_is_compared(
    game: dict[str, Any], path: tuple[Any, ...], value: object, event: str, field: str
) -> None:
    at: Any = game
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    found = read_record(game).difference
    assert found is not None
    assert (str(found.event), found.field) == (event, field)
    assert found.hand == (None if event == "end" else 1)


def test_values_after_the_end_are_reported_as_differences(game: dict[str, Any]) -> None:
    game["hands"][-1]["show"].append([1, "hand", 4])
    found = read_record(game).difference
    assert found is not None
    assert (str(found.event), found.expected, found.found) == ("show 1", None, [1, "hand", 4])
    game["hands"][-1]["show"] = []
    game["hands"][-1]["scores"].append([121, 108])
    found = read_record(game).difference
    assert found is not None
    assert (found.field, found.expected, found.found) == ("scores", None, [121, 108])
    assert str(found.event) == f"scores {len(game['hands'][-1]['scores'])}"


def test_the_winner_of_an_unfinished_game_is_reported_as_such(game: dict[str, Any]) -> None:
    game["hands"].pop()
    game["final"] = None
    found = read_record(game).difference
    assert found is not None
    assert found.error().key == "differs.unfinished"


def test_missing_or_null_derived_values_are_not_differences(game: dict[str, Any]) -> None:
    hand = game["hands"][0]
    del hand["crib"], hand["show"]
    hand["heels"] = hand["scores"] = game["winner"] = None
    hand["plays"][0] = hand["plays"][0][:3]
    assert read_record(game).difference is None


def test_the_order_of_the_crib_does_not_matter(game: dict[str, Any]) -> None:
    game["hands"][0]["crib"].reverse()
    assert read_record(game).difference is None


# Illegal records.


def corrupt(game: dict[str, Any], *path: Any) -> None:
    """Set the value at a path; the last argument is the value."""
    *steps, last, value = path
    at: Any = game
    for step in steps:
        at = at[step]
    at[last] = value


@pytest.mark.parametrize(
    ("path", "hand", "event", "reason"),
    [
        (("hands", 1, "dealer", 0), 2, "deal", "dealer is seat 0; expected seat 1"),
        (("hands", 0, "dealt", 0, 0, "3C"), 1, "deal", "duplicate card: 3C"),
        (("hands", 0, "dealt", 0, 0, "4X"), 1, "deal", r"dealt\[0\]\[0\]: no such card: '4X'"),
        (("hands", 0, "dealt", 0, ["4H"]), 1, "deal", r"hands of \[1, 6\] cards"),
        (("hands", 0, "crib_card", "9S"), 1, "deal", "a card is dealt to the crib"),
        (
            ("hands", 0, "discards", 0, ["3D"]),
            1,
            "discard of seat 0",
            "3D discarded; expected 2 different",
        ),
        (("hands", 0, "discards", 1, ["3D", "3C"]), 1, "discard of seat 1", "3D is not held"),
        (("hands", 0, "discards", 1, []), 1, "starter", "a starter is not possible"),
        (("hands", 0, "starter", "4H"), 1, "starter", "4H cannot be cut"),
        (("hands", 0, "starter", None), 1, "play 1", "the phase is starter"),
        (("hands", 0, "plays", 1, [1, "2D"]), 1, "play 2", "seat 1 played; it is seat 0's turn"),
        (("hands", 0, "plays", 1, [0, "2S"]), 1, "play 2", "2S is not held"),
        (("hands", 0, "plays", 1, [2, "2S"]), 1, "play 2", "no seat 2"),
        (("hands", 0, "plays", []), 2, "deal", "the phase is play"),
        (("resigned", 0), 7, "resignation", "the match is over"),
    ],
)
def test_an_illegal_record_is_reported_with_hand_event_and_reason(
    game: dict[str, Any], path: tuple[Any, ...], hand: int, event: str, reason: str
) -> None:
    corrupt(game, *path)
    with pytest.raises(RecordError, match=reason) as caught:
        read_record(game)
    assert (caught.value.hand, str(caught.value.event)) == (hand, event)
    assert str(caught.value).startswith(f"hand {hand}, {event}: ")


def test_an_illegal_record_keeps_the_game_up_to_the_error(game: dict[str, Any]) -> None:
    scores = read_record(game).scores
    corrupt(game, "hands", 2, "plays", 3, [0, "KS"])
    prefix = refused(game).prefix
    assert prefix is not None
    assert prefix.scores == scores[: len(prefix.scores)]
    assert len(prefix.scores) == 12 + 12 + 1 + 3


def test_a_card_past_thirty_one_is_refused() -> None:
    hand = {
        "dealer": 0,
        "dealt": [["TH", "JC", "9D", "8S", "2H", "2C"], ["KH", "QC", "AS", "5D", "4H", "4C"]],
        "discards": [["2H", "2C"], ["4H", "4C"]],
        "starter": "7C",
        "plays": [[1, "KH"], [0, "TH"], [1, "5D"], [1, "QC"]],
    }
    error = refused({"players": 2, "target": 121, "first_dealer": 0, "hands": [hand]})
    assert str(error) == "hand 1, play 4: QC on 25 would exceed 31; playable: AS"


def test_a_hand_after_the_end_is_refused(game: dict[str, Any]) -> None:
    game["hands"].append(deepcopy(game["hands"][0]))
    error = refused(game)
    assert (error.hand, str(error.event)) == (8, "deal")


# Invalid records.


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (None, "record must be an object, not None"),
        ([], "record must be an object"),
        ("x" * 1000, "record must be an object"),
        ({}, "first_dealer is missing"),
        ({"players": 2, "target": 121, "first_dealer": 0}, "hands must be a list, not None"),
        ({"players": 4, "target": 121, "first_dealer": 0, "hands": []}, "players is 4"),
        ({"players": 2, "target": 100, "first_dealer": 0, "hands": []}, "target is 100"),
        ({"players": 2, "target": 121, "first_dealer": 2, "hands": []}, "first_dealer is 2"),
        ({"players": True, "target": 121, "first_dealer": 0, "hands": []}, "players is True"),
        ({"players": {}, "target": [], "first_dealer": 0, "hands": []}, "players is {}"),
    ],
)
def test_an_invalid_record_is_refused(record: object, reason: str) -> None:
    error = refused(record)
    assert reason in str(error)
    assert (error.hand, error.event, error.prefix) == (None, None, None)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (("hands", 0, 5), "hand must be an object, not 5"),
        (("hands", 0, "dealt", None), "dealt must be a list"),
        (("hands", 0, "dealt", 0, 7), "dealt[0] must be a list, not 7"),
        (("hands", 0, "dealt", 0, 0, 7), "dealt[0][0] must be a text, not 7"),
        (("hands", 0, "dealer", "0"), "dealer must be a whole number, not '0'"),
        (("hands", 0, "discards", {"0": "5H"}), "discards must be a list"),
        (
            ("hands", 0, "discards", [[], [], []]),
            "discards must have at most 2 items, not [[], [], []]",
        ),
        (("hands", 0, "plays", 0, [1]), "plays[0] must have at least 2 items, not [1]"),
        (("hands", 0, "plays", 0, [1, "AH", 1, 0, 0, 0]), "plays[0] must have at most 5 items"),
        (("hands", 0, "plays", 0, "1 AH"), "plays[0] must be a list, not '1 AH'"),
        (("hands", 0, "scores", "none"), "scores must be a list"),
        (("hands", 0, "show", {"a": 1}), "show must be a list"),
        (("hands", 0, "crib", [[["5H"]]]), "crib[0] must be a text"),
        (("rules", {"jokers": 2}), "unknown rules: jokers"),
        (("rules", {"muggins": True}), "muggins needs manual counting"),
        (("rules", []), "rules must be an object"),
        (("resigned", "0"), "resigned must be a whole number"),
    ],
)
def test_a_value_of_the_wrong_type_is_reported_with_its_field(
    game: dict[str, Any], path: tuple[Any, ...], reason: str
) -> None:
    if path[:2] == ("rules", []):
        game["rules"] = [1]
    else:
        corrupt(game, *path)
    assert reason in str(refused(game))


def test_the_log_of_a_manual_game_is_checked_too() -> None:
    moves = random_moves(RULESETS[2], 44)
    (record,) = write_records(RULESETS[2], moves)
    for line, reason in [
        ("0 fly", "not a move"),
        ("- starter 5H", "does not belong in the log"),
        (7, "log[0] must be a text, not 7"),
    ]:
        corrupted = deepcopy(record)
        corrupted["hands"][0]["log"][0] = line
        error = refused(corrupted)
        assert (error.hand, str(error.event)) == (1, "log 1")
        assert reason in str(error)
    differs = deepcopy(record)
    differs["hands"][0]["plays"][0][1] = "KS" if record["hands"][0]["plays"][0][1] != "KS" else "2C"
    found = read_record(differs).difference
    assert found is not None
    assert (found.hand, str(found.event), found.field) == (1, "play 1", "card")
