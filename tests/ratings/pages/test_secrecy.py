"""No page shows cards of a standard game too early."""

import hashlib
import re

import pytest
from django.test import Client

from games.models import Hand, Match, Player
from games.pages.archive.scoresheet import SeatPart
from ratings.models import Attempt, Play, StandardGame
from ratings.rating.results import collect
from ratings.standard import catalogue
from tests.support.people import as_
from tests.support.standard_tables import (
    cards_shown,
    match_left_after,
    people,
    play_on,
    ranked_match,
    result,
    text,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("midday", "same_cards")]


def test_an_unplayed_game_looks_like_a_missing_one() -> None:
    ann, bob, stranger = people(3)
    ranked_match([ann, bob])
    game = StandardGame.objects.get()
    for client in (Client(), as_(stranger)):
        there = client.get(f"/standard/{game.pk}/")
        missing = client.get(f"/standard/{game.pk + 1}/")
        assert there.status_code == missing.status_code == 404
        address = f"/standard/{game.pk}/".encode()
        own = there.content.replace(address, f"/standard/{game.pk + 1}/".encode())
        assert own == missing.content, "they differ in more than their address"


def test_cards_of_an_open_game_are_hidden_from_players_who_have_not_played_it() -> None:
    ann, bob, stranger = people(3)
    match = ranked_match([ann, bob])
    game = StandardGame.objects.get()
    for client in (Client(), as_(stranger), as_(ann)):
        page = text(client, f"/standard/{game.pk}/verify/")
        assert game.commitment in page
        assert game.salt not in page
        assert all(pack not in page for pack in game.decks.packs)
        assert client.get(f"/standard/{game.pk}/verify/deals.txt").status_code == 404
    for client in (Client(), as_(stranger)):
        assert client.get(f"/matches/{match.public_id}/").status_code == 404
        for file in ("record.jsonl", "halscrib.txt"):
            assert client.get(f"/matches/{match.public_id}/{file}").status_code == 404


def test_a_player_in_the_middle_of_a_game_sees_none_of_its_results() -> None:
    ann, bob, cat, dan = people(4)
    first = ranked_match([ann, bob])
    game = StandardGame.objects.get()
    match = catalogue.start_match(game=game, players=[cat, dan], kind=Play.Kind.RANKED)
    play_on(match, stop=3)
    assert as_(cat).get(f"/standard/{game.pk}/").status_code == 404
    assert "Result coming soon" in text(as_(cat), result(match))
    assert as_(cat).get(f"/matches/{first.public_id}/").status_code == 404


def test_hands_are_shown_only_as_far_as_the_player_got() -> None:
    ann, bob = people(2)
    ranked_match([ann, bob])
    game = StandardGame.objects.get()
    game.attempts.filter(player=ann).update(hands_seen=2)
    page = text(as_(ann), f"/standard/{game.pk}/")
    assert 'aria-label="Hand 2"' in page
    assert 'aria-label="Hand 3"' not in page
    assert 'aria-label="Hand 3"' in text(as_(bob), f"/standard/{game.pk}/")
    longest = max(len(attempt.hands) for attempt in game.attempts.all())
    assert f'aria-label="Hand {longest + 1}"' not in text(as_(bob), f"/standard/{game.pk}/")


def test_a_leaver_does_not_see_the_hands_played_by_the_computer() -> None:
    ann, bob = people(2)
    match = match_left_after(2, [ann, bob])
    play_on(match)
    collect(match=match.pk)
    for file in ("record.jsonl", "halscrib.txt"):
        assert as_(ann).get(f"/matches/{match.public_id}/{file}").status_code == 404
    assert cards_shown(text(as_(ann), f"/matches/{match.public_id}/")) == 0
    assert as_(bob).get(f"/matches/{match.public_id}/1.1/").status_code == 200
    assert as_(ann).get(f"/matches/{match.public_id}/1.1/").status_code == 404
    row = '<th scope="row" class="num hand-number"'
    game = StandardGame.objects.get()
    traveller, own = (text(as_(ann), path) for path in (f"/standard/{game.pk}/", result(match)))
    assert "Hand 2" in traveller
    assert "Hand 3" not in traveller
    assert "for the deals you missed" in own
    assert own.count(row) == 2
    assert "Hand 3" in text(as_(bob), f"/standard/{game.pk}/")
    assert text(as_(bob), result(match)).count(row) > 2


def test_a_leaver_learns_the_scores_of_the_hands_played_by_the_computer_and_no_items() -> None:
    """At the table the last card, the hand and the crib of a dealer come as one sum."""
    ann, bob = people(2)
    match = match_left_after(2, [ann, bob])
    play_on(match, stop=4)
    assert _items_shown(as_(ann), match) == [False] * 4
    play_on(match)
    collect(match=match.pk)
    all_hands = Hand.objects.filter(match=match).count()
    assert _items_shown(as_(ann), match) == [at < 2 for at in range(all_hands)]
    assert _items_shown(as_(bob), match) == [True] * all_hands
    told = as_(ann).get(f"/api/v1/matches/{match.public_id}/hands").json()["hands"]
    assert max(seat["score_after"] for seat in told[-1]["seats"]) == 121
    StandardGame.objects.update(state=StandardGame.State.CLOSED)
    assert _items_shown(as_(ann), match) == [True] * all_hands


def _items_shown(client: Client, match: Match) -> list[bool]:
    """Return whether the page and the API tell what the points of each hand are made of."""
    (sheet,) = client.get(f"/matches/{match.public_id}/").context["sheet"]
    page = [
        {row.crib_points} | {point for part in row.seats for point in _items(part)} != {None}
        for row in sheet.rows
    ]
    hands = client.get(f"/api/v1/matches/{match.public_id}/hands").json()["hands"]
    names = ("pegging", "hand", "crib", "muggins")
    told = [
        any(seat[name] is not None for seat in hand["seats"] for name in names) for hand in hands
    ]
    assert page == told
    return page


def _items(part: SeatPart) -> tuple[int | None, ...]:
    return part.pegging, part.hand_points, part.muggins


def test_the_traveller_links_only_to_replays_the_reader_may_see() -> None:
    """A player of the game sees others' hands only as far as they got themselves."""
    ann, bob, cat, dan, stranger = people(5)
    first, second = ranked_match([ann, bob]), ranked_match([cat, dan])
    game = StandardGame.objects.get()
    ann_seat, field = Attempt.objects.get(player=ann).seat, Attempt.objects.filter(computer=True)
    (other,) = Attempt.objects.filter(play__match=second, seat=ann_seat)
    page = text(as_(ann), f"/standard/{game.pk}/")
    replay = f"/matches/{second.public_id}/"
    assert f'href="{replay}"' in page
    houses = [one.play.match for one in field.filter(seat=ann_seat) if one.play.match]
    assert houses
    assert all(f'href="/matches/{match.public_id}/"' in page for match in houses)

    hands = Hand.objects.filter(match=second).count()
    game.attempts.filter(player=ann).update(hands_seen=4)
    assert hands > 3, "the other play must have more hands than the reader has seen"
    for match in (second, houses[0]):
        address = f"/matches/{match.public_id}/1."
        assert as_(ann).get(f"{address}3/").status_code == 200
        assert as_(ann).get(f"{address}4/").status_code == 404, (
            "not all of it was turned up for her"
        )
    assert as_(ann).get(f"{replay}record.jsonl").status_code == 404
    for nobody in (Client(), as_(stranger)):
        for match in (second, houses[0]):
            assert nobody.get(f"/matches/{match.public_id}/").status_code == 404
            assert nobody.get(f"/matches/{match.public_id}/1.1/").status_code == 404

    other.player.replays = Player.Replays.NOBODY
    other.player.save()
    assert f'href="{replay}"' not in text(as_(ann), f"/standard/{game.pk}/")
    assert as_(ann).get(replay).status_code == 404
    assert as_(other.player).get(replay).status_code == 200

    game.attempts.filter(player=ann).update(hands_seen=0)
    own = text(as_(ann), f"/standard/{game.pk}/")
    assert not re.findall(r'href="/matches/(\w{10})/"', own.split("<main")[1])
    assert as_(ann).get(f"/matches/{first.public_id}/").status_code == 200, (
        "she may see her own match"
    )


def test_players_of_a_closed_game_may_replay_each_others_matches() -> None:
    ann, bob, cat, dan, stranger = people(5)
    ranked_match([ann, bob])
    second = ranked_match([cat, dan])
    game = StandardGame.objects.get()
    game.attempts.filter(player=ann).update(hands_seen=1)
    replay, last = f"/matches/{second.public_id}/", Hand.objects.filter(match=second).count()
    assert as_(ann).get(f"{replay}1.{last}/").status_code == 404
    catalogue.close(game=game)
    assert as_(ann).get(f"{replay}1.{last}/").status_code == 200
    assert as_(stranger).get(replay).status_code == 404, "its players have not made it public"


def test_the_cards_of_a_closed_game_are_published_once_no_one_plays_it() -> None:
    ann, bob, cat, dan = people(4)
    ranked_match([ann, bob])
    game = StandardGame.objects.get()
    late = catalogue.start_match(game=game, players=[cat, dan], kind=Play.Kind.RANKED)
    catalogue.close(game=game)
    assert Client().get(f"/standard/{game.pk}/verify/deals.txt").status_code == 404
    assert game.salt not in text(as_(cat), f"/standard/{game.pk}/verify/")
    play_on(late)
    collect(match=late.pk)
    answer = Client().get(f"/standard/{game.pk}/verify/deals.txt")
    assert hashlib.sha256(answer.content).hexdigest() == game.commitment
    page = text(Client(), f"/standard/{game.pk}/verify/")
    assert all(pack in page for pack in game.decks.packs)
