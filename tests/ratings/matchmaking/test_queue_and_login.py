"""The ranked queue while a guest who waits in it logs in to an account."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Match, Player
from games.people.accounts import create_guest, merge_guest
from games.tables.forfeit import leave_for_good
from games.tables.turn_deadlines import running_clocks
from games.wire.refusals import Refused
from ratings.matchmaking import leavers, queue
from ratings.models import Leaving, Play, Ticket
from tests.support.people import as_
from tests.support.wrong_clocks import wrong_clock

pytestmark = pytest.mark.django_db


@pytest.fixture
def margery() -> Player:
    return Player.objects.create_user("Margery")


def test_the_account_waits_in_the_guests_place(
    margery: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = create_guest()
    ratings = {margery: 1650.0}
    monkeypatch.setattr(queue, "_rating", lambda player, seats: ratings.get(player, 1500.0))
    queue.enter(player=guest, seats=2)
    since = Ticket.objects.get().since
    merge_guest(guest=guest, account=margery)
    assert queue.poll(player=margery).waiting
    assert (Ticket.objects.get().since, Ticket.objects.get().rating) == (since, 1650.0)


def test_a_process_with_a_wrong_clock_pairs_with_who_waits_elsewhere() -> None:
    """Each counted the pages that polled the other as closed."""
    one, other = create_guest(), create_guest()
    with wrong_clock(timedelta(hours=-1)):
        assert queue.enter(player=one, seats=2).waiting
    assert queue.enter(player=other, seats=2).match


def test_the_account_gets_the_game_that_was_found_for_the_guest(margery: Player) -> None:
    guest, other = create_guest(), create_guest()
    queue.enter(player=guest, seats=2)
    found = queue.enter(player=other, seats=2).match
    merge_guest(guest=guest, account=margery)
    assert queue.poll(player=margery).match == found


def test_two_games_that_guest_and_account_play_both_go_on_and_count(
    margery: Player, client: Client
) -> None:
    """To give one up, call it off or stop its clock would harm an opponent, or be a way out."""
    guest = create_guest()
    for player in (margery, guest):
        queue.enter(player=player, seats=2)
        queue.enter(player=create_guest(), seats=2)
    games = [queue.unfinished(player) for player in (margery, guest)]
    clocks = running_clocks()
    merge_guest(guest=guest, account=margery)
    assert running_clocks() == clocks
    assert not Play.objects.exclude(exclusion=Play.Exclusion.NONE).exists()
    client.force_login(margery)
    page = client.get("/").content.decode()
    assert all(game is not None and game.public_id in page for game in games)
    for game in reversed(games):
        assert game is not None
        assert queue.enter(player=margery, seats=2).match == game.public_id, "and no third begins"
        leave_for_good(match=game.pk, seat=game.seats.get(player=margery).seat)
    assert Leaving.objects.filter(player=margery).count() == 2


def test_a_guests_ticket_is_no_way_around_a_pause(
    margery: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = create_guest()
    queue.enter(player=guest, seats=2)

    def paused(_player: Player) -> None:
        raise Refused("ranked_paused")

    monkeypatch.setattr(leavers, "check", paused)
    merge_guest(guest=guest, account=margery)
    assert not queue.poll(player=margery).waiting


def test_an_account_that_waits_keeps_its_own_place(margery: Player) -> None:
    guest = create_guest()
    queue.enter(player=margery, seats=2)
    Ticket.objects.create(player=guest, seats=3, rating=1500.0)
    merge_guest(guest=guest, account=margery)
    assert Ticket.objects.get().seats == 2


def test_an_account_stops_waiting_when_its_guest_has_a_game_to_finish(margery: Player) -> None:
    guest, other = create_guest(), create_guest()
    for player in (guest, other):
        queue.enter(player=player, seats=2)
    found = queue.poll(player=guest).match
    queue.enter(player=margery, seats=2)
    merge_guest(guest=guest, account=margery)
    assert not Ticket.objects.exists()
    assert queue.enter(player=margery, seats=2).match == found


def test_the_page_says_why_the_account_does_not_wait(margery: Player) -> None:
    guest = create_guest()
    queue.enter(player=guest, seats=2)
    margery.ranked_ban_until = timezone.now() + timedelta(days=1)
    margery.save()
    merge_guest(guest=guest, account=margery)
    page = as_(margery).post("/ranked/look/", follow=True)
    assert page.redirect_chain == [("/ranked/?gone", 302)]
    assert "A moderator barred you from ranked games." in page.content.decode()


def test_the_page_goes_on_to_the_game_that_the_account_has_to_finish(margery: Player) -> None:
    guest, other = create_guest(), create_guest()
    for player in (margery, other, guest):
        queue.enter(player=player, seats=2)
    merge_guest(guest=guest, account=margery)
    page = as_(margery).post("/ranked/look/", follow=True)
    assert page.request["PATH_INFO"] == f"/t/{Match.objects.get().public_id}/"
