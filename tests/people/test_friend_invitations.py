"""Invitations of friends to tables, and what a block, a ban or a deletion stops."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from games.cluster import online_status
from games.engine.state import Ruleset
from games.live.lobby import asked_message
from games.models import Block, Match, Player, TableInvitation
from games.people import friends
from games.people import friendships as services
from games.people.accounts import create_guest, merge_guest
from games.people.player_lock import locked_player
from games.safety.erasure import erase
from games.tables import invitations
from games.tables.duplicates import make_duplicate
from games.tables.quick_match import quick_match
from games.tables.rematches import make_rematch
from games.tables.tables import create_match, join_match
from games.wire.refusals import Refused
from tests.people.test_friends import befriend, page, person
from tests.support.people import as_
from tests.support.played import play_on
from tests.support.wrong_clocks import wrong_clock

pytestmark = pytest.mark.django_db


def test_an_invited_friend_sees_the_invitation_in_the_lobby(ann: Player, bob: Player) -> None:
    befriend(ann, bob)
    client = Client()
    client.force_login(ann)
    address = client.post(f"/friends/{bob.public_id}/invite/").headers["Location"]
    match = Match.objects.get()
    assert address == f"/t/{match.public_id}/"
    told = page(bob, "/lobby/")
    assert "Ann</strong> invites you to a table" in told
    assert f"/join/{match.invite}/" in told
    assert match.invite not in page(person(), "/lobby/"), "the invitation is for Bob only"
    assert invitations.invite(player=ann, friend=bob) == match, "the waiting table is reused"
    assert TableInvitation.objects.count() == 1


@pytest.mark.parametrize("ahead", [-1, 1])
def test_an_invitation_does_not_depend_on_a_process_clock(
    ann: Player, bob: Player, ahead: int
) -> None:
    befriend(ann, bob)
    with wrong_clock(ahead * timedelta(hours=1)):
        match = invitations.invite(player=ann, friend=bob)
        assert invitations.invite(player=ann, friend=bob) == match
        (told,) = friends.table_invitations(players=[bob.pk])[bob.pk]
        left = asked_message([told])["d"]["tables"][0]["left"]
        assert abs(left - friends.INVITATION_KEPT.total_seconds()) < 60
    assert friends.table_invitations(players=[bob.pk])


def test_an_invitation_disappears_once_the_table_is_full(ann: Player, bob: Player) -> None:
    befriend(ann, bob)
    match = invitations.invite(player=ann, friend=bob)
    join_match(player=person(), invite=match.invite)
    assert not friends.table_invitations(players=[bob.pk])


def test_only_the_invited_player_can_decline_an_invitation(ann: Player, bob: Player) -> None:
    befriend(ann, bob)
    match = invitations.invite(player=ann, friend=bob)
    invitations.turn_down(player=person().pk, match=match.public_id)
    assert friends.table_invitations(players=[bob.pk])
    client = Client()
    client.force_login(bob)
    client.post(f"/friends/tables/{match.public_id}/no/")
    assert not friends.table_invitations(players=[bob.pk])
    assert Match.objects.filter(pk=match.pk, status=Match.Status.WAITING).exists()


def test_a_listed_table_is_not_used_for_inviting_a_friend(ann: Player, bob: Player) -> None:
    befriend(ann, bob)
    listed = create_match(creator=ann, ruleset=Ruleset(), listed=True)
    assert invitations.invite(player=ann, friend=bob) != listed


@pytest.mark.parametrize("kept", [{"days": 7}, {"created_at": timezone.now() - timedelta(days=2)}])
def test_a_table_that_waits_for_others_is_not_used_for_inviting_a_friend(
    ann: Player, bob: Player, kept: dict[str, object]
) -> None:
    befriend(ann, bob)
    other = create_match(creator=ann, ruleset=Ruleset(players=3))
    Match.objects.filter(pk=other.pk).update(**kept)
    table = invitations.invite(player=ann, friend=bob)
    assert table != other
    assert (table.days, table.ruleset["players"]) == (None, 2)


def test_only_friends_can_be_invited(ann: Player, bob: Player) -> None:
    with pytest.raises(Refused, match="not_friends"):
        invitations.invite(player=ann, friend=bob)
    assert not Match.objects.exists()


@pytest.mark.parametrize("action", ["accept", "decline", "remove", "block", "unblock"])
def test_answers_need_a_post_by_the_player_asked(ann: Player, bob: Player, action: str) -> None:
    services.ask(player=ann, other=bob)
    address = f"/friends/{ann.public_id}/{action}/"
    client = Client()
    assert client.get(address).status_code == 405
    assert client.post(address).headers["Location"] == "/friends/"
    assert friends.received_requests(player=bob) == [ann], "a visitor changes nothing"
    client.force_login(person())
    client.post(address)
    assert friends.received_requests(player=bob) == [ann], "nor does a third player"
    assert not Block.objects.filter(blocker=bob).exists()
    client.force_login(bob)
    elsewhere = client.post(address, {"next": "https://evil.example/"})
    assert elsewhere.headers["Location"] == "/friends/"


def test_invitations_can_be_declined_expire_and_are_limited(ann: Player, bob: Player) -> None:
    befriend(ann, bob)
    online_status.mark_online([bob.pk])
    match = invitations.invite(player=ann, friend=bob)
    (row,) = friends.invitable(match=match.pk, player=ann.pk)
    assert (row.name, row.asked, row.declined) == ("Bob", True, False)
    invitations.turn_down(player=bob.pk, match=match.public_id)
    invitations.invite(player=ann, friend=bob)
    (row,) = friends.invitable(match=match.pk, player=ann.pk)
    assert (row.asked, row.declined) == (False, True), "Bob is not invited to this table again"
    assert not friends.table_invitations(players=[bob.pk])
    TableInvitation.objects.update(made_at=timezone.now() - friends.INVITATION_KEPT)
    invitations.invite(player=ann, friend=bob)
    assert [table.inviter for table in friends.table_invitations(players=[bob.pk])[bob.pk]] == [
        "Ann"
    ]
    TableInvitation.objects.update(made_at=timezone.now() - friends.INVITATION_KEPT)
    assert not friends.table_invitations(players=[bob.pk])
    left = settings.LIMITS["invitations"][0] - 3
    for _ in range(left):
        invitations.invite(player=ann, friend=bob)
    with pytest.raises(Refused, match="too_often"):
        invitations.invite(player=ann, friend=bob)


def test_only_the_tables_owner_can_invite_friends_who_are_online(ann: Player, bob: Player) -> None:
    away, stranger = person("Away"), person("Stranger")
    for friend in (bob, away):
        befriend(ann, friend)
    online_status.mark_online([bob.pk, stranger.pk])
    match = create_match(creator=ann, ruleset=Ruleset(players=3))
    assert [row.name for row in friends.invitable(match=match.pk, player=ann.pk)] == ["Bob"]
    invitations.invite_to(player=ann, friend=bob, match=match)
    with pytest.raises(Refused, match="not_offered"):
        invitations.invite_to(player=bob, friend=ann, match=match)
    join_match(player=bob, invite=match.invite)
    assert not friends.invitable(match=match.pk, player=ann.pk), "Bob is seated already"
    assert not friends.table_invitations(players=[bob.pk])


def test_a_friend_who_blocks_a_player_at_that_moment_is_not_invited(
    ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    befriend(ann, bob)
    match = create_match(creator=ann, ruleset=Ruleset())

    def blocked_first(*players: Player) -> AbstractContextManager[Player]:
        services.block(player=bob, other=ann)
        return locked_player(*players)

    monkeypatch.setattr(invitations, "locked_player", blocked_first)
    with pytest.raises(Refused, match="not_friends"):
        invitations.invite_to(player=ann, friend=bob, match=match)
    assert not TableInvitation.objects.exists()


def test_an_invitation_seats_nobody_whom_the_owner_has_blocked_since(
    ann: Player, bob: Player
) -> None:
    befriend(ann, bob)
    match = invitations.invite(player=ann, friend=bob)
    services.block(player=ann, other=bob)
    with pytest.raises(Refused, match="match_closed"):
        join_match(player=bob, invite=match.invite)
    services.unblock(player=ann, other=bob)
    services.block(player=bob, other=ann)
    with pytest.raises(Refused, match="you_blocked"):
        join_match(player=bob, invite=match.invite)
    page = as_(bob).post(f"/join/{match.invite}/", {"name": ""}, follow=True)
    assert "You have blocked this player." in page.content.decode()
    services.unblock(player=bob, other=ann)
    assert join_match(player=bob, invite=match.invite) == match


@pytest.mark.parametrize("make", [make_rematch, make_duplicate])
def test_no_rematch_follows_a_block(ann: Player, bob: Player, make: Callable[..., Match]) -> None:
    """The player who blocks may have wished for it before."""
    match = create_match(creator=ann, ruleset=Ruleset())
    join_match(player=bob, invite=match.invite)
    play_on(match.public_id)
    services.block(player=ann, other=bob)
    with pytest.raises(Refused, match="not_offered"):
        make(match=match)
    services.unblock(player=ann, other=bob)
    assert make(match=match).seats.filter(player=bob).exists()


@pytest.mark.parametrize("make", [make_rematch, make_duplicate])
def test_no_rematch_follows_a_ban_or_a_deletion(
    ann: Player, bob: Player, make: Callable[..., Match]
) -> None:
    """The player who is gone may have wished for it before."""
    match = create_match(creator=ann, ruleset=Ruleset())
    join_match(player=bob, invite=match.invite)
    play_on(match.public_id)
    Player.objects.filter(pk=bob.pk).update(is_active=False)
    with pytest.raises(Refused, match="not_offered"):
        make(match=match)
    Player.objects.filter(pk=bob.pk).update(is_active=True)
    erase(player=bob)
    with pytest.raises(Refused, match="not_offered"):
        make(match=match)


def test_quick_match_never_pairs_blocked_players(ann: Player, bob: Player) -> None:
    services.block(player=ann, other=bob)
    table = quick_match(player=ann)
    assert quick_match(player=bob) != table
    with pytest.raises(Refused, match="match_closed"):
        join_match(player=bob, invite=table.invite)
    carol = person("Carol")
    assert quick_match(player=carol) == table


def test_logging_in_does_not_evade_a_block(ann: Player, bob: Player) -> None:
    befriend(ann, bob)
    guest = create_guest()
    for blocker in (ann, bob):
        services.block(player=blocker, other=guest)
    merge_guest(guest=guest, account=bob)
    assert list(friends.blocked(player=ann)) == [bob]
    assert list(friends.blocked(player=bob)) == [], "nobody blocks themselves"
    assert friends.friends_of(player=ann) == []
