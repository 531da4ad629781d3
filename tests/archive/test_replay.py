"""Replays of finished matches: steps, pages, and who may see them."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games.archive import replays
from games.archive.access import hands_shown, may_replay
from games.bots.ladder import RATINGS
from games.engine import rules
from games.engine.moves import parse_move
from games.engine.state import Ruleset
from games.engine.view import view_for
from games.models import Hand, Match, Player
from games.people.accounts import create_guest
from games.tables.tables import create_match
from games.wire.serializers import names, view_json
from tests.support.people import make_match
from tests.support.played import play_on
from tests.support.positions import random_moves

pytestmark = pytest.mark.django_db

RULES = [
    Ruleset(target=61, games=2),
    Ruleset(players=3, target=61),
    Ruleset(players=3, target=61, counting="manual", muggins=True),
]
FOR_SCRIPTS = Path(__file__).parent.parent / "js" / "matches" / "replay-two-games.json"


def client_of(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


def played(**rules: Any) -> tuple[Match, list[Player]]:
    match, people = make_match(**rules)
    play_on(match.public_id)
    match.refresh_from_db()
    return match, people


def pages(match: Match) -> list[str]:
    base = f"/matches/{match.public_id}"
    return [f"{base}/{page}" for page in ("1.1/", "1.1/3/", "1.2/99.1/", "replay.json", "print/")]


def statuses(client: Client, match: Match) -> set[int]:
    return {client.get(page).status_code for page in pages(match)}


def shown_by(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Return every step in full, assembled from differences as the scripts do it."""
    steps = [data["start"]]
    for step in data["steps"]:
        steps.append({**steps[-1], **step["d"]})
    return steps


@pytest.mark.parametrize("ruleset", RULES, ids=["two", "three", "muggins"])
def test_each_step_is_a_watchers_view_with_all_hands_open(ruleset: Ruleset) -> None:
    moves = random_moves(ruleset, 4)
    data = json.loads(json.dumps(replays.frames(replays.fold(ruleset, moves))))
    states = [rules.start(ruleset), *(step.state for step in rules.steps(ruleset, moves))]
    for state, shown in zip(states, shown_by(data), strict=True):
        seen = json.loads(json.dumps(view_json(view_for(state, None))))
        assert {key: shown[key] for key in shown.keys() & seen.keys() - {"dealt", "thrown"}} == {
            key: seen[key] for key in seen.keys() & shown.keys() - {"dealt", "thrown"}
        }
        if state.hand is not None:
            assert shown["held"] == [names(cards) for cards in state.hand.held]
            assert shown["dealt"] == [names(cards) for cards in state.hand.dealt]
            assert shown["crib"] == names(state.hand.crib)


@pytest.mark.parametrize("ruleset", RULES, ids=["two", "three", "muggins"])
def test_every_step_belongs_to_one_hand(ruleset: Ruleset) -> None:
    found = replays.fold(ruleset, random_moves(ruleset, 4))
    assert [step for hand in found.hands for step in range(hand.first, hand.last + 1)] == list(
        range(1, len(found.moves) + 1)
    )
    for hand in found.hands:
        dealt = found.state(hand.deal).hand
        assert dealt is not None
        assert (dealt.game, dealt.number, dealt.dealer) == (hand.game, hand.number, hand.dealer)
        assert found.hand(hand.game, hand.number) == hand


def test_the_fixture_of_the_script_tests_is_what_the_server_sends() -> None:
    kept = json.loads(FOR_SCRIPTS.read_text())
    ruleset = Ruleset.from_dict(kept["ruleset"])
    found = replays.fold(ruleset, [parse_move(text) for text in kept["log"]])
    assert json.loads(json.dumps(replays.frames(found))) == {
        key: kept[key] for key in ("ruleset", "whole", "hands", "start", "steps")
    }


def test_hands_that_may_not_be_seen_are_left_out() -> None:
    ruleset = Ruleset()
    moves = random_moves(ruleset, 2)
    part = replays.fold(ruleset, moves, hands=3)
    assert [hand.number for hand in part.hands] == [1, 2, 3]
    assert not part.whole
    assert part.state(len(part.moves)).hand is None
    assert part.moves == tuple(moves[: len(part.moves)])


def test_an_address_identifies_game_hand_and_step() -> None:
    match, (ann, _) = played(games=2)
    client, base = client_of(ann), f"/matches/{match.public_id}"
    found = replays.load(match)
    second = found.hand(2, 1)
    assert second is not None
    for address, step, part in [
        ("2.1/", second.deal, 0),
        (f"2.1/{second.last}/", second.last, 0),
        (f"2.1/{second.last}.2/", second.last, 2),
    ]:
        context = client.get(f"{base}/{address}").context
        assert (context["step"], context["part"], context["hand"]) == (step, part, second)
    wrong = client.get(f"{base}/1.1/{second.last}/")
    assert wrong.headers["Location"] == f"{base}/2.1/{second.last}/"
    for nothing in ("3.1/", "1.99/", "1.1/0/", f"1.1/{len(found.moves) + 1}/"):
        assert client.get(f"{base}/{nothing}").status_code == 404


@pytest.mark.parametrize("players", [2, 3])
def test_computers_to_play_on_against_have_the_rating_for_the_number_of_players(
    players: int,
) -> None:
    match, (ann, *_) = played(players=players, target=61)
    levels = client_of(ann).get(f"/matches/{match.public_id}/1.1/").context["levels"]
    assert [int(choice.split()[-1]) for _, choice, _, _ in levels] == [
        rating.elo for rating in RATINGS[players].values()
    ]


def test_without_scripts_the_hand_is_described_in_words() -> None:
    match, (ann, _) = played()
    page = client_of(ann).get(f"/matches/{match.public_id}/1.2/")
    hand = Hand.objects.get(match=match, game=0, number=1)
    told = [line.text for line in page.context["lines"]]
    assert sum(line.startswith("is dealt") for line in told) == 2
    assert sum(line.startswith("throws") for line in told) == 2
    assert sum("→" in line for line in told) == len(hand.plays.split())
    assert "1.1/" in page.content.decode()
    assert "1.3/" in page.content.decode()


def test_players_see_the_replay_from_their_own_seat() -> None:
    match, (_, bob) = played()
    data = client_of(bob).get(f"/matches/{match.public_id}/replay.json").json()
    assert data["own"] == 1
    assert [seat["name"] for seat in data["seats"]] == [
        row.player.name for row in match.seats.select_related("player").order_by("seat")
    ]


def test_two_computers_with_the_same_name_are_numbered() -> None:
    ann = create_guest(name="Ann")
    match = create_match(
        creator=ann, ruleset=Ruleset(players=3), computers={1: "poppy", 2: "poppy"}
    )
    play_on(match.public_id)
    data = client_of(ann).get(f"/matches/{match.public_id}/replay.json").json()
    assert [seat["name"] for seat in data["seats"]] == ["Ann", "Poppy", "Poppy 2"]


def test_the_print_page_shows_every_hand_and_the_result() -> None:
    match, (ann, _) = played(games=2)
    page = client_of(ann).get(f"/matches/{match.public_id}/print/")
    games = page.context["games"]
    assert sum(len(game["hands"]) for game in games) == Hand.objects.filter(match=match).count()
    assert [max(game["scores"]) for game in games] == [121, 121]
    last = games[1]["hands"][-1]["lines"]
    assert last[-1].text.startswith("wins the game")


def test_the_pages_need_a_constant_number_of_queries(
    django_assert_max_num_queries: Any,
) -> None:
    match, (ann, _) = played(games=3, target=61)
    client = client_of(ann)
    for page in pages(match):
        with django_assert_max_num_queries(8):
            client.get(page)


def test_an_unfinished_match_has_no_replay() -> None:
    match, (ann, _) = make_match(first_dealer=0)
    play_on(match.public_id, moves=60)
    assert statuses(client_of(ann), match) == {404}


def test_others_see_a_replay_only_if_both_players_allow_it() -> None:
    match, (ann, bob) = played()
    assert statuses(Client(), match) == {404}
    Player.objects.filter(pk=ann.pk).update(replays=Player.Replays.EVERYBODY)
    assert statuses(Client(), match) == {404}, "the other has not agreed"
    Player.objects.filter(pk=bob.pk).update(replays=Player.Replays.EVERYBODY)
    assert statuses(Client(), match) == {200, 302}
    assert Client().get(f"/matches/{match.public_id}/").status_code == 200


def test_a_player_who_hides_their_matches_is_not_overruled_by_watchable() -> None:
    match, (ann, bob) = played()
    Match.objects.filter(pk=match.pk).update(watchable=True)
    assert statuses(Client(), match) == {200, 302}
    Player.objects.filter(pk=bob.pk).update(replays=Player.Replays.NOBODY)
    assert statuses(Client(), match) == {404}
    assert statuses(client_of(ann), match) == {200, 302}


def test_an_imported_match_can_be_replayed_by_its_importer_only() -> None:
    match, _people = played()
    stranger = create_guest()
    Player.objects.update(replays=Player.Replays.EVERYBODY)
    Match.objects.filter(pk=match.pk).update(imported=True, watchable=True, created_by=stranger)
    match = Match.objects.prefetch_related("seats__player").get(pk=match.pk)
    assert may_replay(match, stranger)
    assert hands_shown(match, create_guest()) == 0
    assert hands_shown(match, None) == 0
