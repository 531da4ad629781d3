"""Logins of a guest in the middle of something, or at the same moment; requests know older rows."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.engine.state import Ruleset
from games.models import Match, Player, Seat
from games.people.accounts import create_guest, merge_guest
from games.people.friendships import block
from games.tables.tables import create_match, join_match

pytestmark = pytest.mark.django_db


def a_seat(player: Player) -> Seat:
    match = Match.objects.create(ruleset={}, created_by=player, status=Match.Status.PLAYING)
    return Seat.objects.create(match=match, seat=0, player=player)


def test_a_guest_who_has_signed_up_meanwhile_keeps_the_account() -> None:
    guest, bea = create_guest(), Player.objects.create_user("Bea")
    seat = a_seat(guest)
    Player.objects.filter(pk=guest.pk).update(kind="person", username="Ann", name_skeleton="ann")
    assert merge_guest(guest=guest, account=bea) == 0
    seat.refresh_from_db()
    assert seat.player_id == guest.pk


@pytest.mark.parametrize("shared", [False, True])
def test_of_two_logins_the_first_has_the_games(*, shared: bool) -> None:
    guest, bea, carl = create_guest(), *map(Player.objects.create_user, ("Bea", "Carl"))
    seat = a_seat(guest)
    if shared:
        kept = a_seat(guest)
        Seat.objects.create(match=kept.match, seat=1, player=bea)
    stale = Player.objects.get(pk=guest.pk)
    assert merge_guest(guest=guest, account=bea) == 1
    assert merge_guest(guest=stale, account=carl) == 0
    seat.refresh_from_db()
    assert seat.player_id == bea.pk
    assert not Seat.objects.filter(player=carl).exists()


def test_what_a_moderator_does_at_that_moment_remains() -> None:
    guest, bea = create_guest(), Player.objects.create_user("Bea")
    until = timezone.now() + timedelta(days=3)
    Player.objects.filter(pk=bea.pk).update(muted_until=until, ranked_ban_until=until)
    merge_guest(guest=guest, account=bea)
    bea.refresh_from_db()
    assert (bea.muted_until, bea.ranked_ban_until) == (until, until)


def test_nothing_moves_to_an_account_that_was_banned_or_deleted_meanwhile() -> None:
    guest, bea = create_guest(), Player.objects.create_user("Bea")
    seat = a_seat(guest)
    Player.objects.filter(pk=bea.pk).update(is_active=False)
    assert merge_guest(guest=guest, account=bea) == 0
    seat.refresh_from_db()
    assert seat.player_id == guest.pk


@pytest.mark.parametrize("blocker", ["Ann", "Bea"])
def test_a_block_keeps_the_account_from_the_table_where_its_guest_waits(blocker: str) -> None:
    ann, bea = map(Player.objects.create_user, ("Ann", "Bea"))
    block(player=ann if blocker == "Ann" else bea, other=bea if blocker == "Ann" else ann)
    match, guest = create_match(creator=ann, ruleset=Ruleset(players=3)), create_guest()
    join_match(player=guest, invite=match.invite)
    merge_guest(guest=guest, account=bea)
    assert sorted(match.seats.values_list("player", flat=True), key=bool) == [None, None, ann.pk]
    assert not Player.objects.filter(pk=guest.pk).exists()
