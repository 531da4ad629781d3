"""Throws that fit the opponent's hidden cards, as evidence on a moderators' case."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest
from django.utils import timezone

from games.analysis.discards import average_points
from games.analysis.hidden_throws import hidden_fits
from games.engine.cards import card_names
from games.models import Hand, HandSeat, Match, Player
from ratings.models import Play
from ratings.rating.cheat_signals import throw_fits
from ratings.rating.evidence import Signal, evidence_about
from ratings.rating.seat_signals import LEAST_THROWS, throws_z
from ratings.standard import catalogue
from tests.support.moderators import a_moderator, as_player
from tests.support.standard_tables import people

pytestmark = pytest.mark.django_db

Cards = tuple[int, ...]
Thrower = Callable[[Cards, Cards, bool], Cards]
"""Returns what is thrown from own cards, the opponent's and whether the player deals."""
TITLE = "hidden cards"


def honest(own: Cards, theirs: Cards, dealer: bool) -> Cards:
    points = average_points(own, "dealer" if dealer else "pone")
    return max(points, key=lambda cards: points[cards])


def sees(own: Cards, theirs: Cards, dealer: bool) -> Cards:
    """Throw what gains most from the opponent's cards, of the better half of the throws."""
    points = average_points(own, "dealer" if dealer else "pone")
    fits = dict(zip(combinations(own, 2), hidden_fits(own, theirs, dealer=dealer), strict=True))
    good = sorted(points, key=lambda cards: -points[cards])[:5]
    return max(good, key=lambda cards: fits[cards].points)


def store(players: tuple[Player, Player], throwers: tuple[Thrower, Thrower], hands: int) -> None:
    """Store a finished ranked play of a game that is still dealt, with its hands."""
    game = catalogue.make(seats=2, in_background=False)
    match = Match.objects.create(
        ruleset={"players": 2}, status=Match.Status.FINISHED, finished_at=timezone.now()
    )
    seats = [match.seats.create(seat=at, player=player) for at, player in enumerate(players)]
    row = catalogue.reserve(game=game, players=players, kind=Play.Kind.RANKED, match=match)
    Play.objects.filter(pk=row.pk).update(finished_at=timezone.now())
    rng = Random(Play.objects.count())  # keys depend on the tests before
    for number in range(hands):
        cards = rng.sample(range(52), 12)
        dealt = tuple(sorted(cards[:6])), tuple(sorted(cards[6:]))
        hand = Hand.objects.create(match=match, game=0, number=number, dealer=number % 2)
        for at, seat in enumerate(seats):
            dealer = at == hand.dealer
            thrown = throwers[at](dealt[at], dealt[1 - at], dealer)
            HandSeat.objects.create(
                hand=hand,
                seat=seat,
                is_dealer=dealer,
                dealt=card_names(dealt[at]),
                discarded=card_names(thrown),
                score_before=0,
                score_after=0,
            )


def throws_signal(player: Player) -> Signal | None:
    found = [signal for signal in evidence_about(player=player) if TITLE in signal.title]
    return found[0] if found else None


def test_the_z_score_of_throws() -> None:
    assert throws_z([]) == 0.0
    assert throws_z([(0.0, 0.0)]) == 0.0
    assert throws_z([(1.0, 4.0), (3.0, 12.0)]) == 1.0


def test_only_the_player_who_sees_the_other_hand_stands_out() -> None:
    ann, bob = people(2)
    for _ in range(5):
        store((ann, bob), (sees, honest), 10)
    cheat, other = throws_signal(ann), throws_signal(bob)
    assert cheat is not None and other is not None
    assert cheat.alarming and not other.alarming
    assert "50 throws" in cheat.value


def test_few_throws_and_repeated_games_show_nothing() -> None:
    ann, bob = people(2)
    store((ann, bob), (sees, sees), LEAST_THROWS - 1)
    assert throws_signal(ann) is None
    store((ann, bob), (sees, sees), 1)
    assert throws_signal(ann) is not None
    Play.objects.get(pk=Play.objects.latest("pk").pk).attempts.filter(player=bob).update(
        first=False
    )
    assert len(throw_fits(player=bob)) == LEAST_THROWS - 1


def test_the_case_shows_the_signal_and_no_card_of_a_game_that_is_still_dealt() -> None:
    ann, bob = people(2)
    store((ann, bob), (sees, honest), LEAST_THROWS)
    mo = a_moderator("Mo")
    page = as_player(mo).get(f"/moderation/players/{ann.public_id}/").content.decode()
    assert "throws that fit the opponent&#x27;s hidden cards" in page
    page = re.sub(r'(csrfmiddlewaretoken" value|nonce)="[^"]*"', "", page)  # may spell a card
    for dealt, thrown in HandSeat.objects.values_list("dealt", "discarded"):
        assert dealt not in page and thrown not in page
    assert "card-face" not in page
