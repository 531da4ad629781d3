"""Field comparison in the review of a match on a standard game."""

from __future__ import annotations

import random
import re

import pytest
from django.test import Client

from games.engine.cards import parse_cards
from games.learn import review_jobs
from games.models import HandSeat, Match, Player
from ratings.models import Play, StandardGame
from ratings.rating.results import collect
from ratings.standard import catalogue
from ratings.standard.field_comparison import field_of_match
from tests.support.people import as_
from tests.support.reviewed import review_now
from tests.support.standard_tables import match_left_after, people, play_on

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratings.standard.decks._random", random.Random(11))
    monkeypatch.setattr(review_jobs, "request_review", lambda _match: True)


def played(game: StandardGame, players: list[Player], levels: tuple[str, ...]) -> Match:
    match = catalogue.start_match(game=game, players=players, kind=Play.Kind.RANKED)
    play_on(match, levels)
    collect(match=match.pk)
    match.refresh_from_db()
    return match


def twice() -> tuple[list[Player], Match, Match]:
    """Return four players and their two matches on the same game."""
    four = people(4)
    game = catalogue.choose_game(players=four[:2])
    return (
        four,
        played(game, four[:2], ("alfie", "nora")),
        played(game, four[2:], ("nora", "alfie")),
    )


def test_the_field_comparison_counts_discards_and_pones_leads() -> None:
    (ann, bob, *_), first, _second = twice()
    for player, seat in ((ann, 0), (bob, 1)):
        field = field_of_match(match=first.pk, player=player.pk)
        assert field is not None
        for hand in field.hands:
            assert sum(throw.number for throw in hand.throws) == hand.others + 1
            assert [throw.own for throw in hand.throws].count(True) == 1
            is_pone = hand.number % 2 == seat
            for throw in hand.throws:
                dealt, thrown = parse_cards(hand.dealt), parse_cards(throw.cards)
                assert set(thrown) < set(dealt)
                assert sum(times for _, times in throw.led) == (throw.number if is_pone else 0)
                for card, _ in throw.led:
                    assert parse_cards(card)[0] in set(dealt) - set(thrown)
        assert field.address == f"/standard/{StandardGame.objects.get().pk}/"


def test_the_field_comparison_is_shown_only_to_players_of_the_match() -> None:
    (ann, _bob, cat, _dan), first, _second = twice()
    review_now(first.pk)
    address = f"/matches/{first.public_id}/review/"
    text = as_(ann).get(address).content.decode()
    assert "Everyone with these cards" in text
    assert "See the full comparison" in text
    shown = (
        r'data-label="Gain" class="num">([^<]+)<|>your gain (\S+), the others(?:&#x27;|.) (\S+)<'
    )
    numbers = [number for found in re.findall(shown, text) for number in found if number]
    assert any(number.startswith("−") for number in numbers)
    assert not any(number.startswith("-") for number in numbers)
    assert field_of_match(match=first.pk, player=cat.pk) is None
    (stranger,) = people(1, start=9)
    assert as_(stranger).get(address).status_code == 404
    assert Client().get(address).status_code == 404


def test_only_hands_dealt_at_the_readers_table_are_compared() -> None:
    """In an open game later packs may still be dealt to others, and must appear on no page."""
    (ann, *_), first, second = twice()
    dealt = {row.dealt for row in HandSeat.objects.filter(hand__match=first, seat__player=ann)}
    field = field_of_match(match=first.pk, player=ann.pk)
    assert field is not None
    assert {hand.dealt for hand in field.hands} == dealt
    longest = max(match.hands.count() for match in (first, second))
    packs = StandardGame.objects.get().decks.packs
    assert len(packs) > longest
    assert len(field.hands) == first.hands.count()


def test_a_leaver_sees_the_hands_they_reached_and_no_review() -> None:
    ann, bob = people(2)
    match = match_left_after(2, [ann, bob])
    play_on(match)
    collect(match=match.pk)
    review_now(match.pk)
    field = field_of_match(match=match.pk, player=ann.pk)
    assert field is not None
    assert len(field.hands) == 2
    assert as_(ann).get(f"/matches/{match.public_id}/review/").status_code == 404
    assert as_(bob).get(f"/matches/{match.public_id}/review/").status_code == 200


def test_a_match_without_a_standard_game_has_no_field() -> None:
    (ann,) = people(1)
    assert field_of_match(match=1, player=ann.pk) is None
