"""Two accounts that share matches are deleted at the same moment, with their programs."""

from __future__ import annotations

from typing import Any

import pytest

from games.bots import levels
from games.engine.state import Ruleset
from games.models import Block, Match, Player
from games.people.programs import create_program
from games.safety import erasure
from games.safety.erasure import erase
from games.tables.forfeit import computer_of
from games.tables.tables import create_match, join_match
from tests.support.at_once import at_once, waits_for_lock
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 5
"""Deletions of pairs; before the matches had one order, PostgreSQL refused one in each round."""

MATCHES = 10


def with_program(name: str) -> tuple[Player, Player]:
    """Return a player and their program."""
    owner = Player.objects.create_user(name)
    return owner, create_program(owner=owner, name=f"{name}bot")[0]


def seat(first: Player, second: Player) -> Match:
    match = create_match(creator=first, ruleset=Ruleset())
    return join_match(player=second, invite=match.invite)


@pytest.mark.parametrize("number", range(ROUNDS))
def test_owners_whose_programs_play_the_other_owner_are_both_deleted(number: int) -> None:
    """Each owner's deletion begins with the matches of the program, which the other ends with."""
    (ann, annbot), (bob, bobbot) = with_program("Ann"), with_program("Bob")
    computer_of(levels()[-1].name)  # so that neither deletion has to create it
    for _ in range(MATCHES):
        seat(annbot, bob)
        seat(bobbot, ann)
    at_once(lambda: erase(player=ann), lambda: erase(player=bob))
    people = Player.objects.exclude(kind=Player.Kind.COMPUTER, owner=None)
    assert set(people.values_list("kind", flat=True)) == {Player.Kind.DELETED}


def test_two_who_block_each_other_are_both_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each deletes the block of the other second, which that one has deleted first."""
    ann, bob = Player.objects.create_user("Ann"), Player.objects.create_user("Bob")
    Block.objects.create(blocker=ann, blocked=bob)
    Block.objects.create(blocker=bob, blocked=ann)
    forget, own_deleted = erasure._forget, []

    def wait_between(relation: Any, player: Player) -> None:
        forget(relation, player)
        if relation.field.name == "blocker":
            own_deleted.append(player)
            wait_for(lambda: len(own_deleted) == 2 or waits_for_lock())

    monkeypatch.setattr(erasure, "_forget", wait_between)
    at_once(lambda: erase(player=ann), lambda: erase(player=bob))
    assert set(Player.objects.values_list("kind", flat=True)) == {Player.Kind.DELETED}


def test_matches_of_a_player_and_their_programs_are_left_in_one_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (ann, annbot), (bob, _) = with_program("Ann"), with_program("Bob")
    matches = [seat(*pair).pk for pair in [(ann, bob), (annbot, bob)] * 2]
    left: list[int] = []
    monkeypatch.setattr(erasure, "_leave", lambda match, _: left.append(match))
    erase(player=ann)
    assert left == sorted(matches)
