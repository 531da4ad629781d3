"""Which finished plays count for ratings, where one person may be behind two identities."""

from __future__ import annotations

import pytest

from games.engine.state import Ruleset
from games.models import Match, Player
from games.people.accounts import create_guest
from games.tables.tables import create_match, join_match
from ratings.matchmaking import linked_accounts
from ratings.model.guards import GUEST_CAP, within_guest_cap
from ratings.models import Play
from ratings.rating.results import collect
from ratings.standard import catalogue
from tests.support.standard_tables import people, play_on

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixed_cards")]


def played(*players: Player) -> Match:
    match = catalogue.start_match(
        game=catalogue.make(seats=2), players=players, kind=Play.Kind.RANKED
    )
    play_on(match)
    collect(match=match.pk)
    return match


def exclusion(match: Match) -> str:
    return Play.objects.get(match=match).exclusion


def test_a_game_between_linked_accounts_does_not_count() -> None:
    ann, bob = people(2)
    linked_accounts.link(one=ann, other=bob)
    assert exclusion(played(ann, bob)) == Play.Exclusion.SAME


def test_games_between_accounts_that_are_linked_later_count_no_longer() -> None:
    ann, bob, cat = people(3)
    together, other = played(ann, bob), played(bob, cat)
    assert exclusion(together) == Play.Exclusion.NONE
    linked_accounts.record_device(player=ann, token="x")
    linked_accounts.record_device(player=bob, token="x")
    assert exclusion(together) == Play.Exclusion.SAME
    assert exclusion(other) == Play.Exclusion.NONE


def test_an_ordinary_game_with_a_guest_never_counts() -> None:
    """Its players chose each other, and anyone may have any number of guests."""
    (ann,), guest = people(1), create_guest()
    match = create_match(creator=ann, ruleset=Ruleset(), listed=True)
    join_match(player=guest, invite=match.invite)
    play_on(match)
    collect(match=match.pk)
    assert exclusion(match) == Play.Exclusion.CHOSEN


def test_ten_results_of_an_account_against_guests_count_in_a_month() -> None:
    assert within_guest_cap(7, [7] * (GUEST_CAP - 1) + [6] * 20)
    assert not within_guest_cap(7, [7] * GUEST_CAP)


def test_guests_count_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratings.model.guards.GUEST_CAP", 1)
    ann, bob = people(2)
    assert exclusion(played(ann, create_guest())) == Play.Exclusion.NONE
    assert exclusion(played(create_guest(), ann)) == Play.Exclusion.GUESTS
    assert exclusion(played(ann, bob)) == Play.Exclusion.NONE
    assert exclusion(played(create_guest(), create_guest())) == Play.Exclusion.NONE
    assert exclusion(played(bob, create_guest())) == Play.Exclusion.NONE
