"""While a standard game is open, no door shows a card that was not turned up at the reader's table.

In the hand that ends a game, the opponents' last cards and the crib stay face down. Those who are
at the table know no more than others who may still be dealt the game.
"""

from __future__ import annotations

import json

import pytest
from django.test import Client

from games.archive import access as archive
from games.engine.cards import parse_cards
from games.models import HandSeat, Match, Player
from games.safety import export
from ratings.models import Attempt, Play, StandardGame
from ratings.rating.results import collect
from ratings.standard import access, catalogue
from tests.support.reviewed import review_now
from tests.support.standard_tables import people, play_on

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixed_cards")]


class Open:
    """A finished ranked match on an open game, and what its player must not see of it."""

    def __init__(self, kind: str = Play.Kind.RANKED) -> None:
        self.ann, self.bob = people(2)
        self.game = catalogue.make(seats=2, in_background=False)
        match = catalogue.start_match(game=self.game, players=[self.ann, self.bob], kind=kind)
        play_on(match)
        collect(match=match.pk)
        self.match = Match.objects.get(pk=match.pk)
        self.last = self.match.hands.order_by("number").last()
        assert self.last is not None
        theirs = HandSeat.objects.get(hand=self.last, seat__player=self.bob)
        played = {card for each in self.last.plays.split() for card in [each.partition(":")[2]]}
        self.hidden = set(theirs.dealt.split()) - played
        assert self.hidden, "the opponent must have cards that were never turned up"
        self.client = Client()
        self.client.force_login(self.ann)

    def get(self, tail: str, status: int = 200) -> str:
        answer = self.client.get(f"/matches/{self.match.public_id}/{tail}")
        assert answer.status_code == status, tail
        return answer.content.decode()


@pytest.fixture
def table() -> Open:
    return Open()


def test_the_replay_ends_before_the_last_hand(table: Open) -> None:
    number = table.last.number + 1
    found = json.loads(table.get("replay.json"))
    assert len(found["hands"]) == number - 1
    assert not found["whole"]
    table.get(f"1.{number - 1}/")
    table.get(f"1.{number}/", 404)


def test_the_print_version_ends_before_the_last_hand(table: Open) -> None:
    text = table.get("print/")
    assert f"Hand {table.last.number}, " in text
    assert f"Hand {table.last.number + 1}, " not in text
    assert "Hidden ones appear when the standard game closes." in text
    assert "once you&#x27;ve played them" not in text, "they have, and can't again"


def test_the_record_is_refused_on_the_page_and_by_the_api(table: Open) -> None:
    table.get("record.jsonl", 404)
    table.get("halscrib.txt", 404)
    base = f"/api/v1/matches/{table.match.public_id}"
    for tail in ("record", "review"):
        assert table.client.get(f"{base}/{tail}").status_code in {401, 403}
    assert not archive.may_replay(table.match, table.ann)


def test_the_match_page_shows_own_cards_but_not_the_opponents_of_the_last_hand(
    table: Open,
) -> None:
    answer = table.client.get(f"/matches/{table.match.public_id}/")
    (sheet,) = answer.context["sheet"]
    row = sheet.rows[-1]
    own = table.match.seats.get(player=table.ann).seat
    assert row.seats[own].kept
    assert row.seats[1 - own].kept == row.seats[1 - own].thrown == row.crib == ""
    assert not row.link
    assert "when the standard game closes" in answer.content.decode()


def test_the_hands_of_the_api_leave_the_last_cards_out(table: Open) -> None:
    detail = table.client.get(f"/api/v1/matches/{table.match.public_id}/hands")
    if detail.status_code == 200:
        hand = detail.json()["hands"][-1]
        assert hand["crib"] is None
        assert all(seat["dealt"] is None for seat in hand["seats"])


def test_the_review_judges_no_decision_of_the_last_hand(table: Open) -> None:
    review_now(table.match.pk)
    answer = table.client.get(f"/matches/{table.match.public_id}/review.json")
    steps = [item["step"] for item in answer.json()["items"]]
    assert steps
    last = len(json.loads(table.get("replay.json"))["steps"])
    assert max(steps) < last


def test_a_branch_from_the_last_hand_is_refused(table: Open) -> None:
    steps = len(json.loads(table.get("replay.json"))["steps"])
    table.client.post(
        f"/matches/{table.match.public_id}/branch/",
        {"step": steps + 3, "seat": 0, "level": "poppy"},
    )
    assert not Match.objects.filter(branch_of=table.match).exists()


def test_the_export_has_neither_record_nor_review_nor_the_last_crib(table: Open) -> None:
    hands = list(export.own_hands(table.ann))
    assert hands[-1]["crib"] == ""
    assert hands[-1]["dealt"]
    assert hands[0]["crib"]
    (match,) = export._matches(table.ann)
    assert match["records"] is None
    assert list(export._reviews(table.ann)) == []


def test_the_traveller_and_the_result_show_no_card_of_the_opponents(table: Open) -> None:
    number = table.game.pk
    for path in (f"/standard/{number}/", f"/standard/{number}/result/{table.match.public_id}/"):
        sheet = table.client.get(path)
        assert sheet.status_code == 200
        for hand, judged in sheet.context.get("hands") or ():
            if hand.number == table.last.number + 1:
                shown = {*hand.dealt.split(), hand.starter}
                throws = judged.throws if judged is not None else ()
                shown |= {card for throw in throws for card in throw.cards.split()}
                assert not shown & table.hidden


def test_others_at_the_same_game_are_shown_no_more(table: Open) -> None:
    cat, dan = people(2, start=5)
    match = catalogue.start_match(game=table.game, players=[cat, dan], kind=Play.Kind.RANKED)
    play_on(match, ("walter", "poppy"))
    collect(match=match.pk)
    Player.objects.update(replays=Player.Replays.EVERYBODY)
    own = Attempt.objects.get(play__match=table.match, player=table.ann)
    other = Match.objects.get(pk=match.pk)
    assert archive.hands_shown(other, table.ann) == access.hands_turned_up(own)


def test_everything_is_shown_once_the_game_has_closed(table: Open) -> None:
    catalogue.close(game=StandardGame.objects.get(pk=table.game.pk))
    assert json.loads(table.get("replay.json"))["whole"]
    table.get("record.jsonl")
    table.get("halscrib.txt")
    assert list(export.own_hands(table.ann))[-1]["crib"]
    assert parse_cards(" ".join(table.hidden))


@pytest.mark.parametrize("kind", sorted(access.SHOWN_AT_ONCE))
def test_random_cards_are_shown_to_their_players_at_once(kind: str) -> None:
    assert json.loads(Open(kind).get("replay.json"))["whole"]
