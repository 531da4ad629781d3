"""Replays of matches on standard games reveal no cards of an open game."""

import pytest
from django.db.models import F
from django.test import Client

from games.archive import access
from games.models import Match, Player
from games.tables.duplicates import make_duplicate
from ratings.models import Attempt, Play, StandardGame
from ratings.rating.results import collect
from ratings.standard import catalogue
from tests.support.people import as_, make_match
from tests.support.played import play_on as play_ordinary
from tests.support.standard_tables import people, play_on

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixed_cards")]


def played(game: StandardGame, players: list[Player]) -> Match:
    match = catalogue.start_match(game=game, players=players, kind=Play.Kind.RANKED)
    play_on(match)
    collect(match=match.pk)
    match.refresh_from_db()
    return match


def hands_sent(client: Client, match: Match) -> int:
    """Return the number of hands in a replay; 0 if it is refused."""
    answer = client.get(f"/matches/{match.public_id}/replay.json")
    assert answer.status_code in {200, 404}
    return len(answer.json()["hands"]) if answer.status_code == 200 else 0


def all_hands(match: Match) -> int:
    return match.hands.count()


def make_replays_public() -> None:
    Player.objects.update(replays=Player.Replays.EVERYBODY)


def test_an_open_game_is_shown_only_to_players_who_have_played_it() -> None:
    ann, bob, cat, dan, eve = people(5)
    game = catalogue.choose_game(players=[ann, bob])
    one, other = played(game, [ann, bob]), played(game, [cat, dan])
    make_replays_public()
    assert hands_sent(as_(ann), one) == all_hands(one) - 1
    assert hands_sent(as_(cat), one) > 0
    for client in (as_(eve), Client()):
        assert hands_sent(client, one) == 0
        for page in ("", "1.1/", "print/", "record.jsonl", "halscrib.txt"):
            assert client.get(f"/matches/{one.public_id}/{page}").status_code == 404
        answer = client.post(
            f"/matches/{one.public_id}/branch/", {"step": 1, "seat": 0, "level": "poppy"}
        )
        assert answer.status_code == 404
    catalogue.close(game=game)
    assert hands_sent(as_(eve), one) == all_hands(one)
    assert hands_sent(Client(), other) == all_hands(other)


def test_a_player_who_played_fewer_hands_sees_no_later_ones() -> None:
    ann, bob, cat, dan = people(4)
    game = catalogue.choose_game(players=[ann, bob])
    one = played(game, [ann, bob])
    played(game, [cat, dan])
    make_replays_public()
    Attempt.objects.filter(player=cat).update(hands_seen=4)
    assert hands_sent(as_(cat), one) == 3
    client, base = as_(cat), f"/matches/{one.public_id}"
    assert client.get(f"{base}/1.3/").status_code == 200
    assert client.get(f"{base}/1.4/").status_code == 404
    assert client.get(f"{base}/record.jsonl").status_code == 404
    (sheet,) = client.get(f"{base}/").context["sheet"]
    assert [row.number for row in sheet.rows] == [1, 2, 3], (
        "points of later hands would give information, too"
    )
    refused = client.post(f"{base}/branch/", {"step": 85, "seat": 0, "level": "poppy"}, follow=True)
    assert "from within a hand" in refused.content.decode()


@pytest.mark.usefixtures("all_are_established")
def test_an_ordinary_match_that_became_a_standard_game_is_hidden_from_others() -> None:
    match, players = make_match()
    Player.objects.filter(pk__in=[player.pk for player in players]).update(
        kind="person", name_skeleton=F("public_id")
    )
    play_ordinary(match.public_id)
    collect(match=match.pk)
    match.refresh_from_db()
    assert Play.objects.filter(match=match, standard_game__state="open").exists()
    make_replays_public()
    assert hands_sent(Client(), match) == 0


def test_a_branch_becomes_no_standard_game() -> None:
    source, _people = make_match()
    match, _others = make_match()
    Match.objects.filter(pk=match.pk).update(branch_of=source, branch_step=1)
    play_ordinary(match.public_id)
    assert collect(match=match.pk) is None
    assert not Play.objects.exists()


def test_a_match_with_swapped_seats_is_visible_only_to_its_players() -> None:
    """The original deals may be an open standard game by now, so no one else may see them."""
    match, (ann, _bob) = make_match()
    play_ordinary(match.public_id)
    collect(match=match.pk)
    match.refresh_from_db()
    again = make_duplicate(match=match)
    assert not again.watchable
    play_ordinary(again.public_id)
    assert collect(match=again.pk) is None
    again.refresh_from_db()
    assert again.status == Match.Status.FINISHED
    assert StandardGame.objects.count() == 1
    make_replays_public()
    stranger = Player.objects.create_user("Zoe")
    assert as_(ann).get(f"/matches/{again.public_id}/").status_code == 200
    for reader in (Client(), as_(stranger)):
        assert hands_sent(reader, again) == 0
        for page in ("", "record.jsonl", "print/", "1.1/"):
            assert reader.get(f"/matches/{again.public_id}/{page}").status_code == 404
    assert access.visible_in_lists([again], stranger) == []
