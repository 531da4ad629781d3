"""What stands out for a moderator, and what he may do."""

import random

import pytest
from django.test import Client

from games.models import Player
from ratings.luck import starter_luck, z_score
from ratings.models import Attempt, Play, Rating
from ratings.selectors.suspects import starter_z
from ratings.services import catalogue
from ratings.services.collecting import collect
from tests.ratings.tables import people, play_on

HANDS = 80


def test_a_starter_that_fits_is_luck_and_one_that_does_not_is_bad_luck() -> None:
    dealt = (16, 17, 18, 43, 0, 51)  # 5C 5D 5H, the jack of spades; thrown AC KS
    kept = dealt[:4]
    assert starter_luck(kept, dealt, 19) > 10
    assert starter_luck(kept, dealt, 21) < 0


def test_who_plays_like_others_does_not_stand_out_and_who_knows_the_starters_does() -> None:
    rng = random.Random(3)
    fields = [[rng.gauss(0.0, 1.5) for _ in range(6)] for _ in range(HANDS)]
    honest = [rng.gauss(0.0, 1.5) for _ in range(HANDS)]
    cheating = [luck + 2.0 for luck in honest]
    assert abs(z_score(honest, fields)) < 3
    assert z_score(cheating, fields) > 4
    assert z_score([5.0], [[]]) == 0.0


@pytest.mark.django_db
def test_a_moderator_takes_a_cheats_results_away() -> None:
    ann, bob, cat, dan = people(4)
    for pair in ((ann, bob), (cat, dan)):
        match = catalogue.seat_down(
            game=catalogue.lend(players=pair), players=pair, kind=Play.Kind.RANKED
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
    chosen = Rating.objects.get(player=ann)
    keeper.post(
        "/admin/ratings/rating/",
        {"action": "remove_all_results", "_selected_action": [chosen.pk]},
    )
    assert Play.objects.filter(exclusion=Play.Exclusion.REMOVED).count() == 1
