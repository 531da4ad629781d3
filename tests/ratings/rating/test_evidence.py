"""Evidence of foul play on a moderators' case."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from games.models import Match, Move, Player
from games.people.accounts import create_guest
from ratings.matchmaking import linked_accounts
from ratings.models import Attempt, Play
from ratings.rating import cheat_signals
from ratings.rating.evidence import Signal, evidence_about
from ratings.rating.seat_signals import LEAST_PLAYS, STEADY, pace_spread, table_z
from ratings.standard import catalogue
from tests.support.standard_tables import people


def play(players: tuple[Player, ...], *scores: int) -> None:
    """Store a finished play of a new game."""
    game = catalogue.make(seats=len(players), in_background=False)
    row = catalogue.reserve(game=game, players=players, kind=Play.Kind.RANKED, match=None)
    for attempt, score in zip(row.attempts.order_by("seat"), scores, strict=True):
        Attempt.objects.filter(pk=attempt.pk).update(score=score, won=score == max(scores))
    Play.objects.filter(pk=row.pk).update(finished_at=timezone.now())


def named(signals: list[Signal], text: str) -> list[Signal]:
    return [signal for signal in signals if text in signal.title]


def test_the_z_score_grows_with_the_games_up_to_the_doubt_about_the_ratings() -> None:
    assert table_z([], 400.0, 1.0) == 0.0
    assert table_z([20.0], 400.0, 0.0) == 1.0
    assert table_z([20.0] * 4, 400.0, 0.0) == 2.0
    assert table_z([20.0] * 10_000, 400.0, 4.0) < 10.0


def test_an_even_pace_stands_out() -> None:
    rng = Random(1)
    person = [rng.lognormvariate(0.5, 0.5) for _ in range(LEAST_PLAYS)]
    program = [1.0 + rng.random() / 20 for _ in range(LEAST_PLAYS)]
    assert (pace_spread(person) or 0.0) > STEADY > (pace_spread(program) or 1.0)
    assert pace_spread(person[1:]) is None


@pytest.mark.django_db
class TestCases:
    def test_points_that_pass_between_two_of_three_stand_out(self) -> None:
        ann, bob, cat, dan = people(4)
        for _ in range(8):
            play((ann, bob, cat), 80, 121, 100)
            play((dan, cat, bob), 104, 121, 110)
        (passed,) = named(evidence_about(player=ann), f"to or from {bob.name}")
        assert passed.alarming
        others = named(evidence_about(player=dan), "to or from")
        assert [signal.alarming for signal in others] == [False, False]

    def test_two_against_the_third_stand_out(self) -> None:
        ann, bob, cat = people(3)
        for at in range(8):
            play((ann, bob, cat), 121 - at % 2, 120 + at % 2, 85)
        (joint,) = named(evidence_about(player=ann), f"with {bob.name} against")
        (passed,) = named(evidence_about(player=ann), f"to or from {bob.name}")
        assert joint.alarming
        assert not passed.alarming

    def test_a_large_field_is_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cheat_signals, "FIELD", 3)
        game = catalogue.make(seats=2, in_background=False)
        ann, *others = people(9)
        for first, second in zip(others[::2], others[1::2], strict=True):
            row = catalogue.reserve(
                game=game, players=(first, second), kind=Play.Kind.DAILY, match=None
            )
            Play.objects.filter(pk=row.pk).update(finished_at=timezone.now())
        found = list(cheat_signals.field_hands(seats={game.pk: 0}, player=ann))
        assert [key for key, _ in found] == [game.pk] * 3

    def test_results_among_linked_accounts_are_listed(self) -> None:
        ann, bob = people(2)
        for _ in range(3):
            play((ann, bob), 121, 60)
        linked_accounts.link(one=ann, other=bob)
        (signal,) = named(evidence_about(player=ann), "linked")
        assert "3" in signal.value

    def test_a_program_is_known_by_its_pace(self) -> None:
        ann, bob = create_guest(), create_guest()
        game = catalogue.make(seats=2, in_background=False)
        match = Match.objects.create(ruleset={"players": 2}, status="finished")
        for seat, player in enumerate((ann, bob)):
            match.seats.create(seat=seat, player=player)
        catalogue.reserve(game=game, players=(ann, bob), kind=Play.Kind.RANKED, match=match)
        rng, at = Random(2), timezone.now()
        moves = []
        for sequence in range(2 * LEAST_PLAYS + 2):
            at += timedelta(seconds=1.0 if sequence % 2 else rng.lognormvariate(0.5, 0.6))
            text = f"{sequence % 2} play AH"
            moves.append(Move(match=match, sequence=sequence, seat=sequence % 2, text=text, at=at))
        Move.objects.bulk_create(moves)
        assert [signal.alarming for signal in evidence_about(player=bob)] == [True]
        assert [signal.alarming for signal in evidence_about(player=ann)] == [False]
