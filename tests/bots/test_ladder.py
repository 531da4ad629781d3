"""The ratings of the levels: complete, up to date, and what the stored games give."""

from itertools import pairwise

from benchmarks.ratings import ladder
from games.bots import levels
from games.bots.ladder import ANCHOR, ANCHORED, RATINGS


def test_every_level_has_the_rating_of_its_present_version() -> None:
    assert {level.name: level.version for level in levels()} == {
        name: rating.version for name, rating in RATINGS.items()
    }


def test_ratings_rise_from_level_to_level() -> None:
    ratings = [RATINGS[level.name].elo for level in levels()]
    assert all(lower < higher for lower, higher in pairwise(ratings))


def test_the_anchor_is_set_and_the_others_have_an_error() -> None:
    assert RATINGS[ANCHOR].elo == ANCHORED
    assert {name for name, rating in RATINGS.items() if not rating.error} == {ANCHOR}


def test_the_ratings_are_those_of_the_stored_games() -> None:
    assert ladder.measured(ladder.read()) == [
        (name, rating.elo, rating.error) for name, rating in RATINGS.items()
    ]
