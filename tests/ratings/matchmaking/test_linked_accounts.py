"""Linked accounts that a moderator has separated."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Player
from games.people.accounts import create_guest
from ratings.matchmaking import linked_accounts
from ratings.model.guards import PAIR_CAP
from ratings.models import LinkedAccount, Play, SeparateAccounts
from ratings.rating.moderation import remove_results, restore_results
from ratings.standard import catalogue
from ratings.standard.field import comparable
from ratings.standard.identities import are_linked
from tests.support.standard_tables import people

pytestmark = pytest.mark.django_db


def use_one_browser(*players: Player) -> None:
    for player in players:
        linked_accounts.record_device(player=player, token="x")


def test_separated_accounts_stay_so_though_they_share_a_browser() -> None:
    ann, bob, cat = people(3)
    use_one_browser(ann, bob, cat)
    assert linked_accounts.unlink(player=ann) == 2
    use_one_browser(ann, bob, cat, ann)
    assert not are_linked([ann, bob])
    assert not are_linked([ann, cat])
    assert are_linked([bob, cat])


def test_no_third_account_links_what_was_separated() -> None:
    ann, bob, cat = people(3)
    use_one_browser(ann, bob)
    linked_accounts.unlink(player=ann)
    use_one_browser(bob, cat)
    assert are_linked([bob, cat])
    linked_accounts.link(one=ann, other=cat)
    assert not are_linked([ann, cat])


def test_the_last_of_a_group_is_not_linked_to_itself() -> None:
    ann, bob = people(2)
    use_one_browser(ann, bob)
    linked_accounts.unlink(player=bob)
    assert not LinkedAccount.objects.exists()


@pytest.mark.parametrize("days", [1, -1])
def test_a_guests_ranked_games_do_not_count_for_an_account_that_is_barred(days: int) -> None:
    """Whoever is barred could play on as a guest and log in, even in the middle of a game."""
    ann, guest, bob = people(3)
    Player.objects.filter(pk=ann.pk).update(ranked_ban_until=timezone.now() + timedelta(days=days))
    game = catalogue.choose_game(players=[guest, bob])
    catalogue.start_match(game=game, players=[guest, bob], kind=Play.Kind.RANKED)
    linked_accounts.merge(guest=guest.pk, account=ann.pk)
    counts = Play.objects.filter(exclusion=Play.Exclusion.NONE, attempts__player=ann)
    assert counts.exists() == (days < 0)
    Play.objects.update(finished_at=timezone.now())
    for change in (remove_results, restore_results):
        change(player=ann.pk)
    assert counts.exists() == (days < 0)


def test_what_a_barred_accounts_guest_played_counts_no_more_once_restored() -> None:
    ann, guest, bob = people(3)
    Player.objects.filter(pk=ann.pk).update(ranked_ban_until=timezone.now() + timedelta(days=1))
    game = catalogue.choose_game(players=[guest, bob])
    catalogue.start_match(game=game, players=[guest, bob], kind=Play.Kind.RANKED)
    Play.objects.update(finished_at=timezone.now())
    remove_results(player=bob.pk)
    linked_accounts.merge(guest=guest.pk, account=ann.pk)
    assert restore_results(player=bob.pk) == 0


def test_a_game_in_which_a_guest_sat_with_their_account_counts_for_no_one() -> None:
    ann, guest, bob = people(3)
    sat = [ann, guest, bob]
    game = catalogue.choose_game(players=sat)
    catalogue.start_match(game=game, players=sat, kind=Play.Kind.RANKED)
    Play.objects.update(finished_at=timezone.now())
    linked_accounts.merge(guest=guest.pk, account=ann.pk)
    assert not comparable().exists()
    restore_results(player=ann.pk)
    assert Play.objects.get().exclusion == Play.Exclusion.TWICE


def test_guests_of_one_account_are_one_opponent() -> None:
    """Ten results against guests count in a month: fresh guests who log in made room for more."""
    ann, bob = people(2)
    for _ in range(PAIR_CAP + 2):
        guest = create_guest()
        game = catalogue.choose_game(players=[guest, bob])
        match = catalogue.start_match(game=game, players=[guest, bob], kind=Play.Kind.RANKED)
        Play.objects.filter(match=match).update(finished_at=timezone.now())
        linked_accounts.merge(guest=guest.pk, account=ann.pk)
    plays = Play.objects.filter(attempts__player=ann)
    assert plays.filter(exclusion=Play.Exclusion.NONE).count() == PAIR_CAP
    assert plays.filter(exclusion=Play.Exclusion.PAIR_CAP).count() == 2


def test_nobody_separates_accounts_in_the_admin_where_it_is_not_logged() -> None:
    ann, bob = people(2)
    use_one_browser(ann, bob)
    keeper = Client()
    keeper.force_login(Player.objects.create_superuser("Keeper", password="x"))
    row = LinkedAccount.objects.get(player=ann)
    shown = keeper.get(f"/admin/ratings/linkedaccount/{row.pk}/change/")
    assert shown.status_code == 200
    for path, data in (
        (f"/admin/ratings/linkedaccount/{row.pk}/delete/", {"post": "yes"}),
        ("/admin/ratings/linkedaccount/", {"action": "delete_selected", "post": "yes"}),
    ):
        keeper.post(path, {**data, "_selected_action": [str(row.pk)]})
        assert are_linked([ann, bob])


def test_a_guest_who_logs_in_stays_separate() -> None:
    ann, guest, bob = people(3)
    use_one_browser(guest, bob)
    linked_accounts.unlink(player=guest)
    linked_accounts.merge(guest=guest.pk, account=ann.pk)
    use_one_browser(ann, bob)
    assert not are_linked([ann, bob])
    assert SeparateAccounts.objects.count() == 1
