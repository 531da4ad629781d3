"""The JSON API: the same data as the pages, with the same access rules."""

from __future__ import annotations

import json
import re
import zipfile
from io import BytesIO
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.engine.cards import NAMES
from games.models import DataToken, Match, Player, Review
from games.people.accounts import GUEST_BACKEND, create_guest
from games.people.tokens import PREFIX, create_data_token
from games.safety.export import everything
from games.safety.moderation import moderate
from tests.support.ended import ended
from tests.support.people import make_match
from tests.support.played import play_on
from tests.support.reviewed import away_for

pytestmark = pytest.mark.django_db

ROOT = "/api/v1"
CARD = re.compile(r"\b[A2-9TJQK][CDHS]\b")


@pytest.fixture
def ann() -> Player:
    return Player.objects.create_user("Ann", password="fifteen-two-4")


def seated(person: Player, *, moves: int | None = None, seed: int = 1, **rules: Any) -> Match:
    """Return a match in which ``person`` plays, finished unless ``moves`` are given."""
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


class TestAuthentication:
    def test_a_token_gives_its_owners_access(self, ann: Player) -> None:
        match = seated(ann)
        _, token = create_data_token(player=ann, name="phone")
        told = ask(Client(), "/matches", authorization=f"Bearer {token}")
        assert [each["id"] for each in told["matches"]] == [match.public_id]
        assert DataToken.objects.get().used_at is not None

    def test_only_the_digest_of_a_token_is_stored(self, ann: Player) -> None:
        row, token = create_data_token(player=ann, name="phone")
        assert token.startswith(PREFIX) and len(token) > 50
        assert token not in json.dumps(DataToken.objects.values().get(pk=row.pk), default=str)

    def test_the_page_shows_a_token_once_and_can_revoke_it(self, ann: Player) -> None:
        client = session(ann)
        page = client.post("/data/", {"name": "phone"})
        (token,) = set(re.findall(rf"{PREFIX}[\w-]+", page.content.decode()))
        assert token not in client.get("/data/").content.decode()
        assert ask(Client(), "/me", authorization=f"Bearer {token}")["name"] == "Ann"
        client.post(f"/data/tokens/{DataToken.objects.get().pk}/revoke/")
        refused = ask(Client(), "/me", 401, authorization=f"Bearer {token}")
        assert refused["error"] == "bad_token"

    def test_players_cannot_revoke_others_tokens(self, ann: Player) -> None:
        row, _ = create_data_token(player=ann, name="phone")
        session(create_guest()).post(f"/data/tokens/{row.pk}/revoke/")
        assert DataToken.objects.filter(pk=row.pk).exists()

    def test_guests_use_their_session_and_have_no_tokens(self) -> None:
        client = session(create_guest(name="Gus"))
        assert ask(client, "/me")["name"] == "Gus"
        assert client.post("/data/", {"name": "phone"}).status_code == 422
        assert not DataToken.objects.exists()

    def test_a_visitor_has_no_data_of_their_own(self) -> None:
        for path in ("/me", "/matches"):
            answer = Client().get(ROOT + path)
            assert (answer.status_code, answer.json()["error"]) == (401, "no_token")
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")

    def test_a_wrong_token_is_refused_even_where_none_is_needed(self) -> None:
        path = "/tools/count?cards=5H 5C 5S JD 5D"
        assert ask(Client(), path)["points"] == 29
        assert ask(Client(), path, 401, authorization="Bearer nonsense")["error"] == "bad_token"

    def test_a_banned_players_token_is_refused(self, ann: Player) -> None:
        _, token = create_data_token(player=ann, name="phone")
        keeper = Player.objects.create_superuser("Keeper", password="fifteen-two-4")
        moderate(moderator=keeper, player=ann, action="ban", reason="a robot", days=30)
        ask(Client(), "/me", 401, authorization=f"Bearer {token}")

    def test_an_inactive_players_token_is_refused(self, ann: Player) -> None:
        """Even if it has not been revoked."""
        _, token = create_data_token(player=ann, name="phone")
        Player.objects.update(is_active=False)
        ask(Client(), "/me", 401, authorization=f"Bearer {token}")

    def test_the_api_is_read_only(self, ann: Player) -> None:
        client = session(ann)
        for verb in ("post", "put", "patch", "delete"):
            for path in (f"{ROOT}/matches", "/api/asyncapi.json"):
                answer = getattr(client, verb)(path)
                assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
                assert answer.json()["error"] == "wrong_method"

    def test_head_is_answered_like_get_without_a_body(self, ann: Player) -> None:
        for path in (f"{ROOT}/me", f"{ROOT}/openapi.json", "/api/asyncapi.json"):
            page, head = session(ann).get(path), session(ann).head(path)
            assert (page.status_code, head.status_code, head.content) == (200, 200, b"")
            for name in ("Content-Type", "Content-Length"):
                assert head.headers[name] == page.headers[name]
        assert Client().head(f"{ROOT}/me").status_code == 401

    def test_an_unexpected_error_is_answered_as_json(
        self, ann: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Pages show theirs as before."""
        client = Client(raise_request_exception=False)
        client.force_login(ann, backend=GUEST_BACKEND)

        def fail(*_: object, **__: object) -> None:
            raise RuntimeError("the five of hearts")

        monkeypatch.setattr("django.db.models.query.QuerySet._fetch_all", fail)
        answer = client.get(f"{ROOT}/matches")
        assert (answer.status_code, answer["Content-Type"]) == (500, "application/json")
        assert answer.json()["error"] == "server_error"
        assert b"hearts" not in answer.content
        page = client.get("/matches/")
        assert (page.status_code, page["Content-Type"]) == (500, "text/html; charset=utf-8")


class TestMatches:
    def test_the_list_has_the_players_matches_and_totals(self, ann: Player) -> None:
        matches = [seated(ann, seed=seed) for seed in (1, 2, 3)]
        client = session(ann)
        told = ask(client, "/matches")
        assert [each["id"] for each in told["matches"]] == [m.public_id for m in matches[::-1]]
        won = sum(bool(match.seats.get(player=ann).won) for match in matches)
        assert (told["totals"]["matches"], told["totals"]["won"]) == (3, won)
        shown = [each["id"] for each in ask(client, "/matches?result=won")["matches"]]
        assert len(shown) == won

    def test_pages_of_the_list_connect_without_gaps(self, ann: Player) -> None:
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

    def test_the_number_of_queries_does_not_depend_on_the_list_length(self, ann: Player) -> None:
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
            ("standard=99999999999999999999", "standard"),
        ],
    )
    def test_invalid_input_is_reported_by_field(self, ann: Player, asked: str, field: str) -> None:
        told = ask(session(ann), f"/matches?{asked}", 422)
        assert told["error"] == "bad_input"
        assert told["detail"].startswith(f"{field}: ")

    def test_a_match_with_its_hands_and_its_record(self, ann: Player) -> None:
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

    def test_only_a_finished_review_is_returned(self, ann: Player) -> None:
        match, client = seated(ann), session(ann)
        address = f"/matches/{match.public_id}/review"
        review = Review.objects.create(match=match, version=1, items=[{"sequence": 3, "loss": 0.1}])
        ask(client, address, 404)  # still in progress
        Review.objects.filter(pk=review.pk).update(status=Review.Status.DONE)
        assert ask(client, address)["decisions"] == [{"sequence": 3, "loss": 0.1}]
        ask(session(create_guest()), address, 404)

    def test_a_review_lists_no_decision_of_a_substitute(self, ann: Player) -> None:
        match = seated(ann)
        own = list(match.moves.filter(seat=0).values_list("sequence", flat=True))
        away_for(match, 0, range(own[2], own[4]))
        decisions = [{"seat": 0, "sequence": at, "loss": 0.1} for at in own]
        Review.objects.create(match=match, version=1, items=decisions, status=Review.Status.DONE)
        told = ask(session(ann), f"/matches/{match.public_id}/review")["decisions"]
        assert [each["sequence"] for each in told] == [*own[:2], *own[4:]]
        with zipfile.ZipFile(BytesIO(b"".join(everything(ann)))) as archive:
            (exported,) = json.loads(archive.read("reviews.json"))
        assert exported["decisions"] == told

    def test_a_running_match_shows_no_cards(self, ann: Player) -> None:
        match = seated(ann, moves=60)
        assert match.hands.exists()
        client = session(ann)
        for path in ("", "/hands"):
            told = ask(client, f"/matches/{match.public_id}{path}")
            assert not CARD.search(json.dumps(told)), told
        assert ask(client, f"/matches/{match.public_id}/record", 403)["error"] == "forbidden"

    def test_the_check_for_cards_finds_cards(self, ann: Player) -> None:
        told = ask(session(ann), f"/matches/{seated(ann).public_id}/hands")
        assert {*CARD.findall(json.dumps(told))} <= {*NAMES}
        assert CARD.search(json.dumps(told))

    def test_others_matches_look_like_missing_ones(self, ann: Player) -> None:
        match = seated(ann)
        other = session(create_guest())
        for path in ("", "/hands", "/record", "/review"):
            for client in (other, Client()):
                ask(client, f"/matches/{match.public_id}{path}", 404)
        assert ask(other, "/matches/nonsense", 404) == ask(
            other, f"/matches/{match.public_id}", 404
        )

    def test_a_leaver_of_a_ranked_game_gets_no_cards_of_it(
        self, ann: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The standard game may be open, and the player has not been dealt its later hands."""
        from games import hooks

        match = seated(ann)
        match.seats.filter(player=ann).update(left_at=20)
        monkeypatch.setattr(hooks, "_reached", [lambda _match, _player: 0])
        client = session(ann)
        told = ask(client, f"/matches/{match.public_id}/hands")
        assert not CARD.search(json.dumps(told))
        ask(client, f"/matches/{match.public_id}/record", 403)


class TestPlayers:
    def test_a_player_with_ratings_and_head_to_head_results(self, ann: Player) -> None:
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

    def test_head_to_head_results_are_those_on_the_players_page(self, ann: Player) -> None:
        bob = create_guest()
        first = ended(ann, bob)
        ended(ann, bob, winner=1, duplicate_of=first)
        told = ask(session(ann), f"/players/{bob.public_id}")
        assert told["head_to_head"] == {"won": 1, "lost": 0, "undecided": 0}
        page = session(ann).get(f"/players/{bob.public_id}/").context["between"]
        assert (page.won, page.lost) == (1, 0)

    def test_a_private_player_shows_only_their_name(self, ann: Player) -> None:
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
            ("count?cards=5H 5C", "cards: Choose four cards and the starter."),
            ("count?cards=5H 5C 5S JD XX", "cards: “XX” isn't a card."),
            ("count", "cards: Field required"),
            ("discards?cards=4H 5H 6S JC 9D KS&own=500&other=1", "own: "),
        ],
    )
    def test_bad_cards_are_explained(self, path: str, said: str) -> None:
        assert ask(Client(), f"/tools/{path}", 422)["detail"].startswith(said)


class TestRateLimits:
    def test_a_rate_limit_says_when_to_retry(self, ann: Player, settings: Any) -> None:
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
