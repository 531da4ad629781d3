"""A finished match stepped through: its steps, its pages, and who may see them."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games import replays, services
from games.access import hands_shown, may_replay
from games.accounts import create_guest
from games.engine import rules
from games.engine.moves import parse_move
from games.engine.state import Ruleset
from games.engine.view import view_for
from games.models import Hand, Match, Player
from games.wire import names, view_json
from tests.engine.tables import random_moves
from tests.games.people import make_match
from tests.games.played import play_on

pytestmark = pytest.mark.django_db

RULES = [
    Ruleset(target=61, games=2),
    Ruleset(players=3, target=61),
    Ruleset(players=3, target=61, counting="manual", muggins=True),
]
FOR_SCRIPTS = Path(__file__).parent.parent / "js" / "matches" / "replay-two-games.json"


def as_(player: Player) -> Client:
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
    """Return each step whole, put together as the scripts do it."""
    steps = [data["start"]]
    for step in data["steps"]:
        steps.append({**steps[-1], **step["d"]})
    return steps


@pytest.mark.parametrize("ruleset", RULES, ids=["two", "three", "muggins"])
def test_each_step_is_what_a_watcher_saw_with_all_hands_turned_up(ruleset: Ruleset) -> None:
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


def test_the_match_that_the_scripts_are_tried_with_is_what_the_server_sends() -> None:
    kept = json.loads(FOR_SCRIPTS.read_text())
    ruleset = Ruleset.from_dict(kept["ruleset"])
    found = replays.fold(ruleset, [parse_move(text) for text in kept["log"]])
    assert json.loads(json.dumps(replays.frames(found))) == {
        key: kept[key] for key in ("ruleset", "whole", "hands", "start", "steps")
    }


def test_later_hands_are_not_there_when_only_some_may_be_seen() -> None:
    ruleset = Ruleset()
    moves = random_moves(ruleset, 2)
    part = replays.fold(ruleset, moves, hands=3)
    assert [hand.number for hand in part.hands] == [1, 2, 3]
    assert not part.whole
    assert part.state(len(part.moves)).hand is None
    assert part.moves == tuple(moves[: len(part.moves)])


def test_an_address_names_game_hand_and_step() -> None:
    match, (ann, _) = played(games=2)
    client, base = as_(ann), f"/matches/{match.public_id}"
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


def test_without_scripts_the_hand_is_told_in_words() -> None:
    match, (ann, _) = played()
    page = as_(ann).get(f"/matches/{match.public_id}/1.2/")
    hand = Hand.objects.get(match=match, game=0, number=1)
    told = [line.text for line in page.context["lines"]]
    assert sum(line.startswith("is dealt") for line in told) == 2
    assert sum(line.startswith("throws") for line in told) == 2
    assert sum("→" in line for line in told) == len(hand.plays.split())
    assert "1.1/" in page.content.decode()
    assert "1.3/" in page.content.decode()


def test_who_sat_there_sees_it_from_his_own_side() -> None:
    match, (_, bob) = played()
    data = as_(bob).get(f"/matches/{match.public_id}/replay.json").json()
    assert data["own"] == 1
    assert [seat["name"] for seat in data["seats"]] == [
        row.player.name for row in match.seats.select_related("player").order_by("seat")
    ]


def test_two_computers_of_one_name_are_told_apart() -> None:
    ann = create_guest(name="Ann")
    match = services.create_match(
        creator=ann, ruleset=Ruleset(players=3), computers={1: "poppy", 2: "poppy"}
    )
    play_on(match.public_id)
    data = as_(ann).get(f"/matches/{match.public_id}/replay.json").json()
    assert [seat["name"] for seat in data["seats"]] == ["Ann", "Poppy", "Poppy 2"]


def test_the_page_for_paper_tells_every_hand_and_the_result() -> None:
    match, (ann, _) = played(games=2)
    page = as_(ann).get(f"/matches/{match.public_id}/print/")
    games = page.context["games"]
    assert sum(len(game["hands"]) for game in games) == Hand.objects.filter(match=match).count()
    assert [max(game["scores"]) for game in games] == [121, 121]
    last = games[1]["hands"][-1]["lines"]
    assert last[-1].text.startswith("wins the game")


def test_the_pages_need_a_constant_number_of_queries(
    django_assert_max_num_queries: Any,
) -> None:
    match, (ann, _) = played(games=3, target=61)
    client = as_(ann)
    for page in pages(match):
        with django_assert_max_num_queries(8):
            client.get(page)


def test_nobody_steps_through_a_match_that_goes_on() -> None:
    match, (ann, _) = make_match(first_dealer=0)
    play_on(match.public_id, moves=60)
    assert statuses(as_(ann), match) == {404}


def test_others_see_what_the_players_allow() -> None:
    match, (ann, bob) = played()
    assert statuses(Client(), match) == {404}
    Player.objects.filter(pk=ann.pk).update(replays=Player.Replays.EVERYBODY)
    assert statuses(Client(), match) == {404}, "the other has not agreed"
    Player.objects.filter(pk=bob.pk).update(replays=Player.Replays.EVERYBODY)
    assert statuses(Client(), match) <= {200, 302}
    assert Client().get(f"/matches/{match.public_id}/").status_code == 200


def test_who_shows_his_matches_to_nobody_is_not_overruled() -> None:
    match, (ann, bob) = played()
    Match.objects.filter(pk=match.pk).update(watchable=True)
    assert statuses(Client(), match) <= {200, 302}
    Player.objects.filter(pk=bob.pk).update(replays=Player.Replays.NOBODY)
    assert statuses(Client(), match) == {404}
    assert statuses(as_(ann), match) <= {200, 302}


def test_a_match_of_another_kind_is_its_makers_alone() -> None:
    match, _people = played()
    stranger = create_guest()
    Player.objects.update(replays=Player.Replays.EVERYBODY)
    Match.objects.filter(pk=match.pk).update(imported=True, watchable=True, created_by=stranger)
    match = Match.objects.prefetch_related("seats__player").get(pk=match.pk)
    assert may_replay(match, stranger)
    assert hands_shown(match, create_guest()) == 0
    assert hands_shown(match, None) == 0
