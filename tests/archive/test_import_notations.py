"""Imports from files in other notations, and the export in HALSCRIB's."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from games.archive.import_files import MAX_BYTES, MAX_GAMES
from games.archive.record_files import export_match
from games.engine.state import Ruleset
from games.log.verify import differences
from games.models import Match, Player
from games.pages.archive import imports
from tests.archive.test_imports import names_of, upload
from tests.support.people import make_match
from tests.support.played import play_on
from tests.support.positions import MANUAL, THREE, TWO
from tests.support.written_games import moves, random_record, sample

pytestmark = pytest.mark.django_db

DEAL = "KC  Ah  3S  2d  4H  4s  3H  Ks  5C  3D  2S  3c  4c"
PAGES = ("", "1.1/", "1.1/9/", "replay.json", "print/", "record.jsonl", "review/")


def errors(answer: Any) -> str:
    form = answer.context["form"]
    return " ".join(text for texts in form.errors.values() for text in texts)


@pytest.mark.parametrize(
    ("name", "players", "scores"),
    [
        ("halscrib.txt", ["Ann Lee", "Bob"], [121, 104]),
        ("cribbage_zero_1.pgn", ["Staples", "Stanley"], [None, None]),
        ("cribbage_zero_2.pgn", ["Staples", "Stanley"], [None, None]),
        ("openspiel_two.txt", ["Seat 1", "Seat 2"], [121, 120]),
        ("openspiel_won_in_play.txt", ["Seat 1", "Seat 2"], [117, 121]),
        ("openspiel_three.txt", ["Seat 1", "Seat 2", "Seat 3"], [109, 121, 111]),
        ("openspiel_unfinished.txt", ["Seat 1", "Seat 2"], [None, None]),
    ],
)
def test_each_sample_is_imported_and_its_pages_open(
    client: Client, player: Player, name: str, players: list[str], scores: list[int | None]
) -> None:
    assert upload(client, sample(name)).status_code == 302
    match = Match.objects.get(imported=True)
    assert not list(differences(match))
    assert names_of(match) == players
    assert [seat.score for seat in match.seats.order_by("seat")] == scores
    for page in PAGES:
        assert client.get(f"/matches/{match.public_id}/{page}").status_code == 200, page


def test_the_importers_seat_and_other_names_are_given_as_for_records(
    client: Client, player: Player
) -> None:
    upload(client, sample("halscrib.txt"), me="1", name_0="Uncle Toby")
    assert names_of(Match.objects.get()) == ["Uncle Toby", "Margery"]


def test_windows_line_ends_and_a_byte_order_mark_are_read(client: Client, player: Player) -> None:
    for name in ("halscrib.txt", "cribbage_zero_1.pgn", "openspiel_two.txt"):
        content = b"\xef\xbb\xbf" + sample(name).replace("\n", "\r\n").encode()
        assert upload(client, content).status_code == 302
    assert Match.objects.count() == 3


def test_a_date_in_a_file_is_when_the_game_was_played(client: Client, player: Player) -> None:
    upload(client, '[Date "2023.05.17"]\n' + sample("cribbage_zero_1.pgn"))
    started = Match.objects.get().started_at
    assert started is not None
    assert started.date().isoformat() == "2023-05-17"
    answer = upload(client, '[Date "2023.02.30"]\n' + sample("cribbage_zero_2.pgn"))
    assert errors(answer).endswith("must be a time in the past, not '2023-02-30'.")


def test_errors_say_line_and_hand(client: Client, player: Player) -> None:
    text = f"Player A: Ann\n\nDeal 1: {DEAL}\nDeal 2: {DEAL}"
    assert errors(upload(client, text)) == (
        "line 4, hand 2, deal: Seat 1 can't deal. It's seat 2's turn."
    )
    assert errors(upload(client, f"Deal 1: {DEAL} <2")) == (
        "line 1, hand 1: '<2' marks missed points or a penalty. "
        "Games with such marks can't be imported."
    )
    wrong = sample("cribbage_zero_2.pgn").replace("D2 5C 7S", "D2 5C 7H")
    assert errors(upload(client, wrong)).startswith(
        "line 15, hand 2, discard of seat 2: 7H isn't in the hand: "
    )
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    "content", ["nonsense", "1.5 2", "<html>", "(;GM[1])", "dealer,hand\n0,5H", "Deal me in"]
)
def test_a_file_in_no_known_notation_is_refused(
    client: Client, player: Player, content: str
) -> None:
    assert errors(upload(client, content)) == (
        "This isn't one of the notations that can be imported."
    )


def test_a_game_of_chess_is_refused(client: Client, player: Player) -> None:
    assert errors(upload(client, '[Event "Casual"]\n\n1. e4 e5')) == (
        "line 3: 'e4' doesn't fit here. Allowed: H1, H2, D1, D2, C, P, S1, S2, SC, SP, SH."
    )


FULL = f"Deal 1: {DEAL}\n"
HOSTILE = {
    "many lines": "Deal 1: 5H\n" * 10_000,
    "many players": "Player A: x\n" * 10_000,
    "many games": FULL * (MAX_BYTES // len(FULL)),
    "one long line": "Deal 1: " + "5H " * 170_000,
    "one long word": "Deal 1: " + "x" * 500_000,
    "brackets": "Deal 1: " + "(" * 250_000 + ")" * 250_000,
    "spaces in a name": "Player A: " + "( " * 250_000,
    "long name": "Player A: " + "n" * 500_000 + "\n" + FULL,
    "NUL": f"Player A: A\0nn\n{FULL}\0",
    "other line ends": FULL.replace("\n", "\u2028") * 3,
    "large number": f"Deal {'9' * 5000}: {DEAL}",
    "other digits": f"Deal ١: {DEAL}",
    "spaces in a tag": '[a "' + " " * 500_000 + "x",
    "quotes in a tag": '[a "' + '" ' * 250_000 + "]",
    "many tags": '[a "b"]\n' * 70_000,
    "many rounds": "".join(f"{n}.\n" for n in range(1, 70_000)),
    "long hand": "1.\nH1 " + "5H" * 250_000 + "\nH2 5H",
    "long hand, played": "1.\nH1 " + "5H" * 120_000 + "6H\nH2 7H\nP " + "6H" * 120_000,
    "many hands": "".join(
        f"{n}.\nH1 3D 9S TC TH TD JH\nH2 AD AS 4C 8C 9H QS\n" for n in range(1, 9_000)
    ),
    "large points": sample("cribbage_zero_1.pgn").replace("S1 15", "S1 " + "9" * 5000),
    "many blocks": "[Meta]\n[Game]\ncribbage()\n[State]\n" * 13_000,
    "many actions": sample("openspiel_two.txt") + "5\n" * 250_000,
    "passes": "[Meta]\n[Game]\ncribbage()\n[State]\n" + "2756\n" * 100_000,
    "commas": "[Meta]\n[Game]\ncribbage(" + ", " * 250_000 + ")",
    "long number of players": "[Meta]\n[Game]\ncribbage(players=" + "2" * 500_000 + ")",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_get_a_short_answer_soon(client: Client, player: Player, name: str) -> None:
    began = time.process_time()
    answer = upload(client, HOSTILE[name][:MAX_BYTES])
    assert time.process_time() - began < 5, "seconds; most take a tenth"
    assert answer.status_code in {302, 422}
    if answer.status_code == 422:
        assert 0 < len(errors(answer)) < 400
    assert Match.objects.count() <= MAX_GAMES


@pytest.mark.parametrize("name", ["halscrib.txt", "cribbage_zero_1.pgn", "openspiel_two.txt"])
def test_no_game_is_read_after_the_first_one_too_many(
    client: Client, player: Player, name: str
) -> None:
    game = sample(name).strip() + "\n"
    damaged = game + "what?\n"
    assert "doesn't fit here" in errors(upload(client, game * (MAX_GAMES - 1) + damaged))
    answer = errors(upload(client, game * (MAX_GAMES + 2) + damaged))
    assert answer == f"That's more than {MAX_GAMES} games. Import them in parts."


def errors_alone(_request: object, _name: str, context: dict[str, Any], status: int) -> Any:
    """Return a page of the form with nothing but its errors, since the rest is always the same."""
    return HttpResponse(str(context["form"].errors), status=status)


def test_damaged_samples_are_refused_or_read(
    client: Client, player: Player, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "render", errors_alone)
    settings.LIMITS = {**settings.LIMITS, "imports": (10_000, 3600)}
    rng = random.Random(7)
    for name in ("halscrib.txt", "cribbage_zero_1.pgn", "openspiel_three.txt"):
        whole = sample(name)
        for _ in range(40):
            at = rng.randrange(len(whole))
            put = rng.choice(["", "\0", "5", "H", "|", "(", "\n", "[", "\ud7ff", "<2", " 2756 "])
            damaged = whole[:at] + put + whole[at + rng.randrange(4) :]
            assert upload(client, damaged).status_code in {302, 422}


class TestExport:
    def test_a_finished_game_is_the_same_after_export_and_import(
        self, client: Client, player: Player
    ) -> None:
        upload(client, json.dumps(random_record(TWO, 5)), name_0="Ann Lee", name_1="Bob")
        source = Match.objects.get()
        page = client.get(f"/matches/{source.public_id}/").content.decode()
        address = f"/matches/{source.public_id}/halscrib.txt"
        assert f'href="{address}"' in page
        answer = client.get(address)
        assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
        upload(client, answer.content)
        copy = Match.objects.exclude(pk=source.pk).get()
        assert names_of(copy) == ["Ann Lee", "Bob"]
        (one,), (other,) = export_match(match=source), export_match(match=copy)
        assert moves(one) == moves(other)
        assert one["final"] == other["final"]

    def test_only_readers_who_may_see_the_cards_get_it(
        self, client: Client, player: Player
    ) -> None:
        upload(client, sample("halscrib.txt"))
        address = f"/matches/{Match.objects.get().public_id}/halscrib.txt"
        assert Client().get(address).status_code == 404
        match, _players = make_match()
        play_on(match.public_id, moves=12)
        assert client.get(f"/matches/{match.public_id}/halscrib.txt").status_code == 404

    @pytest.mark.parametrize(
        "ruleset",
        [
            THREE,
            MANUAL,
            Ruleset(target=61, first_dealer=0),
            Ruleset(first_dealer=0, scores=(100, 90)),
        ],
        ids=["three", "manual", "to 61", "from a position"],
    )
    def test_games_that_it_cannot_hold_have_no_link(
        self, client: Client, player: Player, ruleset: Ruleset
    ) -> None:
        upload(client, json.dumps(random_record(ruleset, 1)))
        address = f"/matches/{Match.objects.get().public_id}/"
        assert "halscrib.txt" not in client.get(address).content.decode()
        assert client.get(f"{address}halscrib.txt").status_code == 404
