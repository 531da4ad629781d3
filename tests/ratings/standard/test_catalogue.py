"""The catalogue never deals a player the same standard game twice."""

import hashlib

import pytest

from games.models import Match, Move, Player
from ratings.matchmaking import linked_accounts, queue
from ratings.models import Attempt, LinkedAccount, Play, Rating, RatingChange, Record, StandardGame
from ratings.rating.results import collect, collect_missed
from ratings.standard import catalogue, decks, house_field, identities
from tests.support.standard_tables import people, play_on

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixed_cards")]


def sit(*players: Player) -> Match:
    game = catalogue.choose_game(players=players)
    return catalogue.start_match(game=game, players=players, kind=Play.Kind.RANKED)


def test_two_pairs_are_dealt_the_same_cards() -> None:
    first, second = sit(*people(2)), sit(*people(2, start=2))
    assert first.decks_id == second.decks_id
    assert StandardGame.objects.count() == 1
    play_on(first)
    play_on(second, ("walter", "poppy"))

    def deals(match: Match) -> list[str]:
        texts = Move.objects.filter(match=match, seat=None).order_by("sequence")
        return list(texts.values_list("text", flat=True))[:4]

    assert deals(first) == deals(second)


def test_no_player_gets_a_game_twice_and_open_games_are_reused() -> None:
    ann, bob, cat, dan = people(4)
    one = sit(ann, bob)
    other = sit(ann, cat)
    assert one.decks_id != other.decks_id
    third = sit(bob, dan)
    assert third.decks_id == other.decks_id


def test_a_linked_account_counts_as_the_same_person() -> None:
    ann, bob, cat, again = people(4)
    one = sit(ann, bob)
    linked_accounts.link(one=ann, other=again)
    assert sit(again, cat).decks_id != one.decks_id


def test_accounts_in_one_browser_are_linked() -> None:
    ann, bob, cat = people(3)
    assert linked_accounts.record_device(player=ann, token="x") == []
    assert linked_accounts.record_device(player=bob, token="x") == [ann]
    linked_accounts.record_device(player=bob, token="y")
    linked_accounts.record_device(player=cat, token="y")
    assert LinkedAccount.objects.values("group").distinct().count() == 1
    assert identities.with_linked([ann]) == {ann.pk, bob.pk, cat.pk}


def test_the_commitment_is_the_digest_of_the_published_text() -> None:
    game = catalogue.make(seats=2)
    text = decks.canonical(game.salt, game.decks.packs)
    assert hashlib.sha256(text.encode()).hexdigest() == game.commitment
    assert len(text.splitlines()) == 1 + decks.HANDS
    assert all(len(set(pack.split())) == 52 for pack in game.decks.packs)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_new_game_has_par_and_a_field_of_computers(seats: int) -> None:
    game = catalogue.make(seats=seats)
    catalogue.prepare(game=game)
    catalogue.prepare(game=game)
    game.refresh_from_db()
    assert game.par is not None
    assert len(game.par) == seats
    assert game.plays == 0
    plays = Play.objects.filter(standard_game=game)
    assert plays.count() == len(house_field.TABLES[seats])
    for attempt in Attempt.objects.filter(standard_game=game):
        assert attempt.computer
        assert sum(hand["net"] for hand in attempt.hands) == pytest.approx(attempt.margin, abs=0.1)


def test_a_ranked_result_is_collected_once_and_rates_both() -> None:
    ann, bob = people(2)
    match = sit(ann, bob)
    play_on(match)
    for _ in range(3):
        collect(match=match.pk)
    game = StandardGame.objects.get()
    assert game.plays == 1
    ratings = {row.player_id: row for row in Rating.objects.all()}
    assert set(ratings) == {ann.pk, bob.pk}
    assert ratings[ann.pk].results == 1
    assert ratings[ann.pk].rating + ratings[bob.pk].rating == pytest.approx(3000.0, abs=0.2)
    assert ratings[ann.pk].provisional
    records = Record.objects.filter(seats=2)
    assert sum(row.won for row in records) == sum(row.lost for row in records) == 1
    for change in RatingChange.objects.all():
        assert sum(part["elo"] for part in change.parts) == pytest.approx(
            change.now - change.was, abs=0.01
        )


def test_ratings_change_without_playing_and_the_feed_explains_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With thresholds this low even tiny changes are passed on at once instead of accumulating."""
    monkeypatch.setattr("ratings.model.incremental.UPDATE_THRESHOLD_ELO", 0.001)
    monkeypatch.setattr("ratings.rating.updates.MIN_CHANGE_ELO", 0.001)
    monkeypatch.setattr("ratings.rating.updates._raters", {})
    ann, bob, cat, dan = people(4)
    one = sit(ann, bob)
    play_on(one)
    collect(match=one.pk)
    before = Rating.objects.get(player=ann).rating
    two = sit(cat, dan)
    assert two.decks_id == one.decks_id
    play_on(two, ("poppy", "ada"))
    collect(match=two.pk)
    after = Rating.objects.get(player=ann).rating
    assert after != before
    change = RatingChange.objects.filter(player=ann).latest("pk")
    assert not change.own
    assert change.parts[0]["cause"] == "effect"
    assert change.parts[0]["game"] == StandardGame.objects.get().pk
    assert sum(part["elo"] for part in change.parts) == pytest.approx(change.now - change.was)


def test_results_missed_by_a_dead_process_are_collected_later() -> None:
    match = sit(*people(2))
    play_on(match)
    assert collect_missed() == 1
    assert collect_missed() == 0
    assert Rating.objects.count() == 2


def test_three_seat_games_are_rated() -> None:
    match = sit(*people(3))
    play_on(match)
    collect(match=match.pk)
    assert Rating.objects.filter(seats=3).count() == 3


def test_waiting_players_are_paired() -> None:
    ann, bob = people(2)
    assert queue.enter(player=ann, seats=2).waiting
    found = queue.enter(player=bob, seats=2)
    assert found.match
    assert queue.poll(player=ann).match == found.match
    assert queue.enter(player=ann, seats=2).match == found.match
