"""Cheat signals, and the removal of results by moderators."""

import random
from math import sqrt

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Player
from games.safety.moderation import moderate
from ratings.models import Attempt, Play, Rating, StandardGame
from ratings.rating.cheat_signals import starter_z, starter_zs
from ratings.rating.results import collect
from ratings.standard import catalogue
from ratings.standard.luck import starter_luck, z_score
from tests.support.moderators import a_moderator
from tests.support.standard_tables import people, play_on

HANDS = 80


def test_a_helpful_starter_is_good_luck_and_a_useless_one_bad_luck() -> None:
    dealt = (16, 17, 18, 43, 0, 51)  # 5C 5D 5H, the jack of spades; thrown AC KS
    kept = dealt[:4]
    assert starter_luck(kept, dealt, 19) > 10
    assert starter_luck(kept, dealt, 21) < 0


def test_only_a_player_who_knows_the_starters_stands_out() -> None:
    rng = random.Random(3)
    fields = [[rng.gauss(0.0, 1.5) for _ in range(6)] for _ in range(HANDS)]
    honest = [rng.gauss(0.0, 1.5) for _ in range(HANDS)]
    cheating = [luck + 2.0 for luck in honest]
    assert abs(z_score(honest, fields)) < 3
    assert z_score(cheating, fields) > 4
    assert z_score([5.0], [[]]) == 0.0


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_cards")
def test_a_moderator_can_remove_a_cheaters_results() -> None:
    ann, bob, cat, dan = people(4)
    for pair in ((ann, bob), (cat, dan)):
        match = catalogue.start_match(
            game=catalogue.choose_game(players=pair), players=pair, kind=Play.Kind.RANKED
        )
        play_on(match)
        collect(match=match.pk)
    for attempt in Attempt.objects.filter(player=ann):
        for hand in attempt.hands:
            hand["luck"] = 8.0
        attempt.save()
    assert starter_z(player=ann) > 4 > starter_z(player=cat)
    keeper = Client()
    keeper.force_login(Player.objects.create_superuser("Keeper", password="x"))
    page = keeper.get("/admin/ratings/rating/").content.decode()
    assert " !" in page
    assert f"/moderation/players/{ann.public_id}/" in page
    moderate(
        moderator=Player.objects.get(name="Keeper"), player=ann, action="remove", reason="starters"
    )
    assert Play.objects.filter(exclusion=Play.Exclusion.REMOVED).count() == 1


@pytest.mark.django_db
def test_staff_who_may_not_open_cases_see_no_links_to_them() -> None:
    (ann,) = people(1)
    Rating.objects.create(
        player=ann, seats=2, skill=0, rating=1500, rd=20, floor=1480,
        provisional=False, results=50,
    )  # fmt: skip
    reader = Player.objects.create_user("Reader", password="x", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_rating"))
    client = Client()
    client.force_login(reader)
    page = client.get("/admin/ratings/rating/").content.decode()
    assert ann.name in page
    assert "/moderation/" not in page
    moderator = Client()
    moderator.force_login(a_moderator("Mo"))
    assert moderator.get(f"/moderation/players/{ann.public_id}/").status_code == 200
    assert client.get(f"/moderation/players/{ann.public_id}/").status_code == 404


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_cards")
def test_results_come_back_once_those_of_both_players_are_restored() -> None:
    ann, bob = people(2)
    match = catalogue.start_match(
        game=catalogue.choose_game(players=(ann, bob)), players=(ann, bob), kind=Play.Kind.RANKED
    )
    play_on(match)
    collect(match=match.pk)
    keeper = Player.objects.create_superuser("Keeper", password="x")
    found = []
    for player, action in (
        (ann, "remove"),
        (bob, "remove"),
        (bob, "restore"),
        (ann, "restore"),
        (bob, "remove"),
    ):
        moderate(moderator=keeper, player=player, action=action, reason="checked")
        found.append(Play.objects.get().exclusion)
    removed, counted = Play.Exclusion.REMOVED, Play.Exclusion.NONE
    assert found == [removed, removed, removed, counted, removed]


@pytest.mark.django_db
def test_the_list_of_ratings_needs_as_many_queries_for_one_as_for_many(
    admin_client: Client,
) -> None:
    counted = []
    for players in (people(1), people(20, 10)):
        Rating.objects.bulk_create(
            Rating(
                player=player, seats=2, skill=0, rating=1500.4567, rd=20.123, floor=1480,
                provisional=False, results=50,
            )
            for player in players
        )  # fmt: skip
        with CaptureQueriesContext(connection) as queries:
            page = admin_client.get("/admin/ratings/rating/").content.decode()
        assert all(player.name in page for player in players)
        assert '<td class="field-whole_rating">1500</td>' in page
        assert '<td class="field-short_rd">20.1</td>' in page
        assert "Django" not in page
        counted.append(len(queries))
    assert counted[0] == counted[1] < 15


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_cards")
def test_luck_is_compared_with_the_newest_others_in_the_same_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Four pairs play a game, with luck 0, 9, 1 and 4 in one hand of seat 0; two rivals count."""
    monkeypatch.setattr("ratings.rating.cheat_signals.FIELD", 2)
    pairs = [people(2, 10 * number) for number in range(4)]
    for pair, luck in zip(pairs, (0.0, 9.0, 1.0, 4.0), strict=True):
        game = StandardGame.objects.first() or catalogue.choose_game(players=pair)
        match = catalogue.start_match(game=game, players=pair, kind=Play.Kind.RANKED)
        play_on(match)
        collect(match=match.pk)
        for attempt in Attempt.objects.filter(player__in=pair):
            first, *others = attempt.hands
            first["luck"] = luck if attempt.seat == 0 else 2.0
            for hand in others:
                hand["luck"] = None
            attempt.save()
    firsts = [Attempt.objects.get(player__in=pair, seat=0).player for pair in pairs]
    seconds = [Attempt.objects.get(player__in=pair, seat=1).player for pair in pairs]
    found = starter_zs([player.pk for player in (*firsts, *seconds)])
    least = 2.0**2 / 3  # LEAST_SD squared, over the rivals and one
    expected = [
        (0 - 2.5) / sqrt(2.25 + least),  # against 4 and 1
        (9 - 2.5) / sqrt(2.25 + least),  # against 4 and 1
        (1 - 6.5) / sqrt(6.25 + least),  # against 4 and 9
        (4 - 5.0) / sqrt(16.0 + least),  # against 1 and 9
    ]
    assert [found[player.pk] for player in firsts] == pytest.approx(expected)
    assert [found[player.pk] for player in seconds] == [0, 0, 0, 0]
    assert starter_z(player=firsts[1]) == pytest.approx(expected[1])
