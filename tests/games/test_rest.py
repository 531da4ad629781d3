"""The JSON API: the pages' own answers, to whom the pages would give them, and no more."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.accounts import GUEST_BACKEND, create_guest
from games.engine.cards import NAMES
from games.models import DataToken, Match, Player, Review
from games.services.data_tokens import PREFIX, create_data_token
from games.services.moderation import moderate
from tests.games.people import make_match
from tests.games.played import play_on

pytestmark = pytest.mark.django_db

ROOT = "/api/v1"
CARD = re.compile(r"\b[A2-9TJQK][CDHS]\b")


@pytest.fixture
def ann() -> Player:
    return Player.objects.create_user("Ann", password="fifteen-two-4")


def seated(person: Player, *, moves: int | None = None, seed: int = 1, **rules: Any) -> Match:
    """Return a match that ``person`` plays, whole unless ``moves`` are given."""
    match, (guest, _) = make_match(**{"target": 61} | rules)
    match.seats.filter(player=guest).update(player=person)
    play_on(match.public_id, seed=seed, moves=moves)
    return Match.objects.get(pk=match.pk)


def session(player: Player) -> Client:
    client = Client()
    client.force_login(player, backend=GUEST_BACKEND)
    return client


def ask(client: Client, path: str, status: int = 200, **headers: Any) -> Any:
    answer = client.get(ROOT + path, headers=headers)
    assert answer.status_code == status, answer.content
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
    return answer.json()


class TestWhoAsks:
    def test_a_token_reads_what_its_owner_reads(self, ann: Player) -> None:
        match = seated(ann)
        _, token = create_data_token(player=ann, name="phone")
        told = ask(Client(), "/matches", authorization=f"Bearer {token}")
        assert [each["id"] for each in told["matches"]] == [match.public_id]
        assert DataToken.objects.get().used_at is not None

    def test_only_the_digest_of_a_token_is_kept(self, ann: Player) -> None:
        row, token = create_data_token(player=ann, name="phone")
        assert token.startswith(PREFIX) and len(token) > 50
        assert token not in json.dumps(DataToken.objects.values().get(pk=row.pk), default=str)

    def test_the_page_shows_a_token_once_and_takes_it_away(self, ann: Player) -> None:
        client = session(ann)
        page = client.post("/data/", {"name": "phone"})
        (token,) = set(re.findall(rf"{PREFIX}[\w-]+", page.content.decode()))
        assert token not in client.get("/data/").content.decode()
        assert ask(Client(), "/me", authorization=f"Bearer {token}")["name"] == "Ann"
        client.post(f"/data/tokens/{DataToken.objects.get().pk}/revoke/")
        refused = ask(Client(), "/me", 401, authorization=f"Bearer {token}")
        assert refused["error"] == "bad_token"

    def test_nobody_takes_anothers_token_away(self, ann: Player) -> None:
        row, _ = create_data_token(player=ann, name="phone")
        session(create_guest()).post(f"/data/tokens/{row.pk}/revoke/")
        assert DataToken.objects.filter(pk=row.pk).exists()

    def test_guests_read_by_their_session_and_have_no_tokens(self) -> None:
        client = session(create_guest(name="Gus"))
        assert ask(client, "/me")["name"] == "Gus"
        assert client.post("/data/", {"name": "phone"}).status_code == 422
        assert not DataToken.objects.exists()

    def test_a_visitor_reads_nothing_of_his_own(self) -> None:
        for path in ("/me", "/matches"):
            answer = Client().get(ROOT + path)
            assert (answer.status_code, answer.json()["error"]) == (401, "no_token")
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")

    def test_a_wrong_token_is_refused_where_visitors_may_read_too(self) -> None:
        path = "/tools/count?cards=5H 5C 5S JD 5D"
        assert ask(Client(), path)["points"] == 29
        assert ask(Client(), path, 401, authorization="Bearer nonsense")["error"] == "bad_token"

    def test_a_token_of_who_is_banned_reads_nothing(self, ann: Player) -> None:
        _, token = create_data_token(player=ann, name="phone")
        keeper = Player.objects.create_superuser("Keeper", password="fifteen-two-4")
        moderate(moderator=keeper, player=ann, action="ban", reason="a robot")
        ask(Client(), "/me", 401, authorization=f"Bearer {token}")

    def test_a_token_of_who_may_not_log_in_reads_nothing(self, ann: Player) -> None:
        """Also where nobody took it away."""
        _, token = create_data_token(player=ann, name="phone")
        Player.objects.update(is_active=False)
        ask(Client(), "/me", 401, authorization=f"Bearer {token}")

    def test_it_changes_nothing(self, ann: Player) -> None:
        client = session(ann)
        for verb in ("post", "put", "patch", "delete"):
            assert getattr(client, verb)(f"{ROOT}/matches").status_code == 405


class TestMatches:
    def test_the_list_is_the_same_as_on_the_page(self, ann: Player) -> None:
        matches = [seated(ann, seed=seed) for seed in (1, 2, 3)]
        client = session(ann)
        told = ask(client, "/matches")
        assert [each["id"] for each in told["matches"]] == [m.public_id for m in matches[::-1]]
        won = sum(bool(match.seats.get(player=ann).won) for match in matches)
        assert (told["totals"]["matches"], told["totals"]["won"]) == (3, won)
        shown = [each["id"] for each in ask(client, "/matches?result=won")["matches"]]
        assert len(shown) == won

    def test_it_goes_on_where_the_answer_before_ended(self, ann: Player) -> None:
        expected = {seated(ann, seed=seed).public_id for seed in range(5)}
        client, found, after = session(ann), [], ""
        while True:
            told = ask(client, f"/matches?limit=2&after={after}")
            found += [each["id"] for each in told["matches"]]
            after = told["next"]
            if after is None:
                break
        assert len(found) == 5
        assert set(found) == expected

    def test_long_lists_need_no_more_queries_than_short_ones(self, ann: Player) -> None:
        client, counts = session(ann), []
        ask(client, "/matches")
        for seeds in ((1,), (2, 3, 4, 5)):
            for seed in seeds:
                seated(ann, seed=seed)
            with CaptureQueriesContext(connection) as queries:
                ask(client, "/matches")
            counts.append(len(queries))
        assert counts[0] == counts[1] <= 12

    @pytest.mark.parametrize(
        ("asked", "field"),
        [
            ("seats=4", "seats"),
            ("limit=1000", "limit"),
            ("since=yesterday", "since"),
            ("after=nonsense", "after"),
            ("opponent=nobody", "opponent"),
            ("result=maybe", "result"),
        ],
    )
    def test_bad_input_is_named(self, ann: Player, asked: str, field: str) -> None:
        told = ask(session(ann), f"/matches?{asked}", 422)
        assert told["error"] == "bad_input"
        assert told["detail"].startswith(f"{field}: ")

    def test_a_match_its_hands_and_its_record(self, ann: Player) -> None:
        match = seated(ann)
        client = session(ann)
        told = ask(client, f"/matches/{match.public_id}")
        assert (told["status"], told["own_seat"]) == ("finished", 0)
        assert told["seats"][0]["name"] == "Ann"
        hands = ask(client, f"/matches/{match.public_id}/hands")["hands"]
        assert len(hands) == match.hands.count()
        assert all(len(seat["dealt"].split()) == 6 for hand in hands for seat in hand["seats"])
        (record,) = ask(client, f"/matches/{match.public_id}/record")
        assert record["hands"][0]["dealt"][0] == hands[0]["seats"][0]["dealt"].split()

    def test_a_review_that_is_done(self, ann: Player) -> None:
        match, client = seated(ann), session(ann)
        address = f"/matches/{match.public_id}/review"
        review = Review.objects.create(match=match, version=1, items=[{"loss": 0.1}])
        ask(client, address, 404)  # it is being worked out
        Review.objects.filter(pk=review.pk).update(status=Review.Status.DONE)
        assert ask(client, address)["decisions"] == [{"loss": 0.1}]
        ask(session(create_guest()), address, 404)

    def test_a_running_match_shows_no_card_to_anybody(self, ann: Player) -> None:
        match = seated(ann, moves=60)
        assert match.hands.exists()
        client = session(ann)
        for path in ("", "/hands"):
            told = ask(client, f"/matches/{match.public_id}{path}")
            assert not CARD.search(json.dumps(told)), told
        assert ask(client, f"/matches/{match.public_id}/record", 403)["error"] == "forbidden"

    def test_the_check_for_cards_would_find_one(self, ann: Player) -> None:
        told = ask(session(ann), f"/matches/{seated(ann).public_id}/hands")
        assert {*CARD.findall(json.dumps(told))} <= {*NAMES}
        assert CARD.search(json.dumps(told))

    def test_others_matches_are_as_if_they_were_not_there(self, ann: Player) -> None:
        match = seated(ann)
        other = session(create_guest())
        for path in ("", "/hands", "/record", "/review"):
            for client in (other, Client()):
                ask(client, f"/matches/{match.public_id}{path}", 404)
        assert ask(other, "/matches/nonsense", 404) == ask(
            other, f"/matches/{match.public_id}", 404
        )

    def test_who_left_a_ranked_game_gets_no_cards_of_it(self, ann: Player) -> None:
        """Its standard game may be open: he has not been dealt its later hands."""
        from games import hooks

        match = seated(ann)
        match.seats.filter(player=ann).update(left_at=20)
        before = list(hooks._reached)
        hooks._reached[:] = [lambda _match, _player: 0]
        try:
            client = session(ann)
            told = ask(client, f"/matches/{match.public_id}/hands")
            assert not CARD.search(json.dumps(told))
            ask(client, f"/matches/{match.public_id}/record", 403)
        finally:
            hooks._reached[:] = before


class TestPlayers:
    def test_a_player_with_ratings_and_what_one_did_against_him(self, ann: Player) -> None:
        from ratings.models import Rating

        match = seated(ann)
        other = match.seats.get(seat=1).player
        assert other is not None
        Rating.objects.create(
            player=other, seats=2, skill=1, rating=1520.26, rd=80, floor=1440,
            provisional=False, results=12, constants="1",
        )  # fmt: skip
        told = ask(session(ann), f"/players/{other.public_id}")
        assert told["ratings"][0]["rating"] == 1520.3
        assert sum(told["head_to_head"].values()) == 1
        assert ask(Client(), f"/players/{other.public_id}")["head_to_head"] is None
        assert ask(Client(), f"/players/{other.public_id}/ratings")["ratings"] == told["ratings"]

    def test_of_a_private_player_there_is_the_name_alone(self, ann: Player) -> None:
        ann.private = True
        ann.save()
        told = ask(session(create_guest()), f"/players/{ann.public_id}")
        assert (told["name"], told["ratings"], told["head_to_head"]) == ("Ann", None, None)
        ask(Client(), f"/players/{ann.public_id}/ratings", 404)
        assert ask(session(ann), f"/players/{ann.public_id}/ratings")["ratings"] == []


class TestTools:
    def test_a_hand_is_counted_with_its_parts(self) -> None:
        told = ask(Client(), "/tools/count?cards=2H 6H 9H KH 4C&crib=true")
        assert told == {
            "points": 4,
            "parts": [
                {"kind": "fifteen", "cards": "6H 9H", "points": 2},
                {"kind": "fifteen", "cards": "2H 9H 4C", "points": 2},
            ],
        }

    def test_throws_are_ranked(self) -> None:
        told = ask(Client(), "/tools/discards?cards=4H 5H 6S JC 9D KS")["throws"]
        assert len(told) == 15
        totals = [throw["total"] for throw in told]
        assert totals == sorted(totals, reverse=True)

    @pytest.mark.parametrize(
        ("path", "said"),
        [
            ("count?cards=5H 5C", "cards: Four cards and the starter are counted."),
            ("count?cards=5H 5C 5S JD XX", "cards: “XX” is no card."),
            ("count", "cards: Field required"),
            ("discards?cards=4H 5H 6S JC 9D KS&own=500&other=1", "own: "),
        ],
    )
    def test_bad_cards_are_explained(self, path: str, said: str) -> None:
        assert ask(Client(), f"/tools/{path}", 422)["detail"].startswith(said)


class TestHowOften:
    def test_a_player_is_told_when_he_may_ask_again(self, ann: Player, settings: Any) -> None:
        settings.LIMITS = settings.LIMITS | {"api": (3, 60)}
        client = session(ann)
        for _ in range(3):
            ask(client, "/me")
        refused = client.get(f"{ROOT}/me")
        assert (refused.status_code, refused.json()["error"]) == (429, "too_often")
        assert 0 < int(refused.headers["Retry-After"]) <= 60
        _, token = create_data_token(player=ann, name="phone")
        ask(Client(), "/me", 429, authorization=f"Bearer {token}")
        ask(session(create_guest()), "/me")  # others are not slowed down

    def test_visitors_are_counted_by_address(self, settings: Any) -> None:
        settings.LIMITS = settings.LIMITS | {"api_visitors": (1, 60)}
        path = f"{ROOT}/tools/count?cards=5H 5C 5S JD 5D"
        assert Client().get(path).status_code == 200
        assert Client().get(path).status_code == 429
        assert Client(REMOTE_ADDR="192.0.2.7").get(path).status_code == 200

    def test_wrong_tokens_are_counted_by_address(self, settings: Any) -> None:
        settings.LIMITS = settings.LIMITS | {"bad_tokens": (2, 60)}
        found = [
            Client().get(f"{ROOT}/me", headers={"authorization": f"Bearer {n}"}).status_code
            for n in range(3)
        ]
        assert found == [401, 401, 429]


class TestItsOwnPage:
    def test_every_question_is_described_without_others_scripts(self) -> None:
        page = Client().get(f"{ROOT}/").content.decode()
        schema = Client().get(f"{ROOT}/openapi.json").json()
        assert len(schema["paths"]) >= 9
        for path in schema["paths"]:
            assert path in page
        loaded = re.findall(r'(?:src|href)="(https?:[^"]+|//[^"]+)"', page)
        assert loaded == []
        assert not re.search(r"<script(?![^>]*\bsrc=)", page)

    def test_every_question_stands_in_the_document(self) -> None:
        text = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
        for path in Client().get(f"{ROOT}/openapi.json").json()["paths"]:
            assert f"`GET {path.removeprefix(ROOT)}`" in text

    def test_the_examples_of_the_document_give_what_it_says(self, ann: Player) -> None:
        """Each curl line is asked; the answer's first level is what is printed below it."""
        text = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
        _, token = create_data_token(player=ann, name="phone")
        match = seated(ann)
        examples = re.findall(
            r'```\ncurl (-H "Authorization: Bearer \$TOKEN" )?"\$SITE(/[^"]+)"\n```\n\n'
            r"```json\n(.*?)```",
            text,
            re.DOTALL,
        )
        assert len(examples) >= 6
        for bearer, path, shown in examples:
            asked = path.replace("k7m2p9x4qd", match.public_id)
            asked = asked.replace("b4n8w2r6tz", ann.public_id)
            headers = {"authorization": f"Bearer {token}"} if bearer else {}
            told = ask(Client(), asked.removeprefix(ROOT), **headers)
            said = json.loads(shown)
            assert shape(told) == shape(said), path


def shape(value: Any) -> Any:
    """Return a JSON value's keys without its values; of a list the first element's."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return None
