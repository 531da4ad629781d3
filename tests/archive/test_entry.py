"""Entering a game card by card, as it was played elsewhere."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.engine.cards import parse_card
from games.engine.record import read_record
from games.models import Match, Player
from games.text.fault_sentences import SENTENCES
from tests.archive.test_imports import LINES, names_of

pytestmark = pytest.mark.django_db


def ask(client: Client, record: object) -> Any:
    content = record if isinstance(record, str) else json.dumps(record)
    return client.post("/matches/enter/check/", content, content_type="application/json")


def enter_next(record: dict[str, Any], asked: dict[str, Any], source: dict[str, Any]) -> None:
    """Enter into ``record`` what ``asked`` asks for, copied from the finished game ``source``."""
    hands, at = record["hands"], asked["hand"] - 1
    players = record["players"]
    told = source["hands"][at]
    if len(hands) == at:
        lists: list[list[str]] = [[] for _ in range(players)]
        hands.append(
            {"dealer": asked["dealer"], "dealt": lists, "discards": [[] for _ in lists]}
            | {"crib_card": None, "starter": None, "plays": []}
        )
    hand = hands[at]
    match asked["need"]:
        case "dealt":
            hand["dealt"][asked["seat"]] = told["dealt"][asked["seat"]]
        case "discard":
            hand["discards"][asked["seat"]] = told["discards"][asked["seat"]]
        case "crib_card" | "starter" as part:
            hand[part] = told[part]
        case "play":
            hand["plays"].append(told["plays"][len(hand["plays"])][:2])


class TestEntry:
    @pytest.mark.parametrize("line", [0, 12], ids=["two", "three"])
    def test_a_whole_game_can_be_entered_step_by_step(
        self, client: Client, player: Player, line: int
    ) -> None:
        source = json.loads(LINES[line])
        record = {key: source[key] for key in ("players", "target", "first_dealer")}
        record["hands"] = []
        while (asked := ask(client, record).json())["need"] != "nothing":
            known = {card for hand in record["hands"][asked["hand"] - 1 :] for card in dealt(hand)}
            assert not known & set(asked["left"])
            assert len(asked["left"]) == 52 - len(known)
            if 1 < asked["hand"] < len(source["hands"]):
                # Only the first hand and the last are entered card by card.
                record["hands"].append(source["hands"][asked["hand"] - 1])
                continue
            wanted = asked["cards"]
            before = json.dumps(record)
            enter_next(record, asked, source)
            assert json.dumps(record) != before
            assert len(wanted) >= asked["number"] > 0
            if asked["need"] == "play":
                seat, card = record["hands"][-1]["plays"][-1]
                assert (seat, card in wanted) == (asked["seat"], True)
                assert all(legal_value(card) + asked["count"] <= 31 for card in wanted)
        assert asked["winner"] == source["winner"]
        assert asked["scores"] == source["final"]
        assert len(asked["done"]) == len(source["hands"])
        assert read_record({**source, **record}).difference is None
        answer = client.post("/matches/enter/", {"record": json.dumps(record), "me": "0"})
        match = Match.objects.get(imported=True)
        assert answer.headers["Location"] == f"/matches/{match.public_id}/"
        assert names_of(match)[0] == "Margery"

    def test_the_form_asks_only_for_the_number_of_the_newest_import(
        self, client: Client, player: Player
    ) -> None:
        """Only the page for files counts and lists them."""
        with CaptureQueriesContext(connection) as asked:
            assert client.get("/matches/enter/").status_code == 200
        (query,) = [query["sql"] for query in asked if '"imported"' in query["sql"]]
        assert query.startswith('SELECT "games_match"."id"') and query.endswith("LIMIT 1")
        assert "COUNT" not in query and '"public_id"' not in query

    def test_an_unfinished_game_can_be_saved(self, client: Client, player: Player) -> None:
        record = json.loads(LINES[0])
        record = {**record, "hands": record["hands"][:2], "winner": None, "final": None}
        answer = client.post("/matches/enter/", {"record": json.dumps(record)})
        assert answer.status_code == 302
        match = Match.objects.get(imported=True)
        assert (match.hands.count(), match.winner) == (2, None)
        assert client.get(f"/matches/{match.public_id}/2.1/").status_code == 404
        assert client.get(f"/matches/{match.public_id}/1.2/").status_code == 200

    def test_entered_names_appear_in_the_log(self, client: Client) -> None:
        record = json.loads(LINES[0]) | {"names": ["Toby", "", 7]}
        record["hands"] = record["hands"][:1]
        asked = ask(client, record).json()
        assert asked["names"] == ["Toby", "Seat 2"]
        assert {line["name"] for line in asked["lines"]} == {"", "Toby", "Seat 2"}

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (lambda hand: hand["dealt"][0].__setitem__(0, hand["dealt"][1][0]), "deal"),
            (lambda hand: hand["dealt"][0].append("AC"), "deal"),
            (lambda hand: hand.__setitem__("dealer", 1 - hand["dealer"]), "deal"),
            (lambda hand: hand["discards"][0].__setitem__(0, hand["dealt"][1][0]), "discard"),
            (lambda hand: hand.__setitem__("starter", hand["dealt"][1][0]), "starter"),
            (lambda hand: hand["plays"][0].__setitem__(0, hand["dealer"]), "card 1 of the play"),
        ],
    )
    def test_an_entry_against_the_rules_is_reported_with_hand_and_event(
        self, client: Client, change: Any, said: str
    ) -> None:
        record = json.loads(LINES[0])
        record["hands"] = record["hands"][:1]
        change(record["hands"][0])
        answer = ask(client, record)
        assert answer.status_code == 422
        error = answer.json()["error"]
        assert error["hand"] == 1
        assert error["code"] in SENTENCES
        assert error["event"].startswith(said)
        assert error["reason"]

    @pytest.mark.parametrize(
        "content",
        [
            "nonsense",
            "[]",
            "7",
            "{}",
            '{"players": 2}',
            '{"players": "2", "hands": []}',
            '{"players": 9, "target": 121, "first_dealer": 0, "hands": []}',
            '{"players": 2, "target": 121, "first_dealer": 0, "hands": [7]}',
            '{"players": 2, "target": 121, "first_dealer": 0, "hands": [{"dealt": [["XX"]]}]}',
            '{"players": 2, "target": 121, "first_dealer": 0, "hands": [{"dealt": [[],[],[]]}]}',
            '{"players": 2, "target": 121, "first_dealer": 0, "hands": [], "rules": 7}',
            '{"players": 2, "hands": [], "rules": {"counting": "manual"}}',
            "[" * 3000,
        ],
    )
    def test_an_unreadable_entry_gets_an_error_answer(self, client: Client, content: str) -> None:
        answer = ask(client, content)
        assert answer.status_code in {400, 422}
        assert answer.json()["error"]["reason"]

    def test_large_and_too_frequent_entries_are_refused(
        self, client: Client, settings: Any
    ) -> None:
        assert ask(client, " " * 100_000).status_code == 413
        settings.LIMITS = {**settings.LIMITS, "entries": (1, 3600)}
        statuses = [ask(client, "{}").status_code for _ in range(3)]
        assert 429 in statuses

    def test_checking_an_entry_stores_nothing(self, client: Client) -> None:
        ask(client, json.loads(LINES[0]))
        assert not Match.objects.exists()
        assert not Player.objects.exists()


def dealt(hand: dict[str, Any]) -> set[str]:
    cards = {card for cards in hand["dealt"] for card in cards}
    return cards | ({hand["crib_card"], hand["starter"]} - {None})


def legal_value(card: str) -> int:
    return min((parse_card(card) >> 2) + 1, 10)
