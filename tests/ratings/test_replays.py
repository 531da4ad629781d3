"""Who may step through a match on a standard game: no card of an open game gets out by it."""

import pytest
from django.test import Client

from games import access
from games.models import Match, Player
from games.services.duplicates import make_duplicate
from ratings.models import Attempt, Play, StandardGame
from ratings.services import catalogue
from ratings.services.collecting import collect
from tests.games.people import make_match
from tests.games.played import play_on as play_ordinary
from tests.ratings.tables import people, play_on

pytestmark = pytest.mark.django_db


def as_(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


def played(game: StandardGame, players: list[Player]) -> Match:
    match = catalogue.seat_down(game=game, players=players, kind=Play.Kind.RANKED)
    play_on(match)
    collect(match=match.pk)
    match.refresh_from_db()
    return match


def hands_sent(client: Client, match: Match) -> int:
    """Return how many hands the frames of a replay hold; 0 where it is refused."""
    answer = client.get(f"/matches/{match.public_id}/replay.json")
    assert answer.status_code in {200, 404}
    return len(answer.json()["hands"]) if answer.status_code == 200 else 0


def all_hands(match: Match) -> int:
    return match.hands.count()


def everybody_shows() -> None:
    Player.objects.update(replays=Player.Replays.EVERYBODY)


def test_an_open_game_is_shown_to_those_alone_who_have_played_it() -> None:
    ann, bob, cat, dan, eve = people(5)
    game = catalogue.lend(players=[ann, bob])
    one, other = played(game, [ann, bob]), played(game, [cat, dan])
    everybody_shows()
    assert hands_sent(as_(ann), one) == all_hands(one)
    assert hands_sent(as_(cat), one) > 0
    for client in (as_(eve), Client()):
        assert hands_sent(client, one) == 0
        for page in ("", "1.1/", "print/", "record.jsonl"):
            assert client.get(f"/matches/{one.public_id}/{page}").status_code == 404
        answer = client.post(
            f"/matches/{one.public_id}/branch/", {"step": 1, "seat": 0, "level": "poppy"}
        )
        assert answer.status_code == 404
    catalogue.close(game=game)
    assert hands_sent(as_(eve), one) == all_hands(one)
    assert hands_sent(Client(), other) == all_hands(other)


def test_who_played_fewer_hands_sees_no_later_one() -> None:
    ann, bob, cat, dan = people(4)
    game = catalogue.lend(players=[ann, bob])
    one = played(game, [ann, bob])
    played(game, [cat, dan])
    everybody_shows()
    Attempt.objects.filter(player=cat).update(hands_seen=3)
    assert hands_sent(as_(cat), one) == 3
    client, base = as_(cat), f"/matches/{one.public_id}"
    assert client.get(f"{base}/1.3/").status_code == 200
    assert client.get(f"{base}/1.4/").status_code == 404
    assert client.get(f"{base}/record.jsonl").status_code == 404
    (sheet,) = client.get(f"{base}/").context["sheet"]
    assert [row.number for row in sheet.rows] == [1, 2, 3], "the points of later hands tell, too"
    refused = client.post(f"{base}/branch/", {"step": 85, "seat": 0, "level": "poppy"}, follow=True)
    assert "from any point within a hand" in refused.content.decode()


def test_an_ordinary_match_that_became_a_standard_game_is_kept_from_others_too() -> None:
    match, _people = make_match()
    play_ordinary(match.public_id)
    collect(match=match.pk)
    match.refresh_from_db()
    assert Play.objects.filter(match=match, standard_game__state="open").exists()
    everybody_shows()
    assert hands_sent(Client(), match) == 0


def test_a_branch_becomes_no_standard_game() -> None:
    source, _people = make_match()
    match, _others = make_match()
    Match.objects.filter(pk=match.pk).update(branch_of=source, branch_step=1)
    play_ordinary(match.public_id)
    assert collect(match=match.pk) is None
    assert not Play.objects.exists()


def test_the_same_deals_with_the_seats_swapped_are_their_players_alone() -> None:
    """What they were dealt before may be an open game by now: they show it to nobody."""
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
    everybody_shows()
    stranger = Player.objects.create_user("Zoe")
    assert as_(ann).get(f"/matches/{again.public_id}/").status_code == 200
    for reader in (Client(), as_(stranger)):
        assert hands_sent(reader, again) == 0
        for page in ("", "record.jsonl", "print/", "1.1/"):
            assert reader.get(f"/matches/{again.public_id}/{page}").status_code == 404
    assert access.listed([again], stranger) == []
