"""Friends: requests, answers, removal and blocks; lists are visible to owners only."""

from __future__ import annotations

import io
import itertools
import zipfile
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from games.cluster import online_status
from games.models import Friendship, Player
from games.people import friends
from games.people import friendships as services
from games.people.accounts import computer_player, create_guest
from games.people.friends import Standing
from games.tables import invitations
from games.wire.refusals import Refused

pytestmark = pytest.mark.django_db

_numbers = itertools.count()


def person(name: str = "") -> Player:
    return Player.objects.create_user(name or f"Person {next(_numbers)}")


def befriend(one: Player, other: Player) -> None:
    services.ask(player=one, other=other)
    services.accept(player=other, other=one)


def page(player: Player, path: str = "/friends/") -> str:
    client = Client()
    client.force_login(player)
    return client.get(path).content.decode()


def test_accepting_a_request_makes_both_players_friends(ann: Player, bob: Player) -> None:
    services.ask(player=ann, other=bob)
    assert friends.sent_requests(player=ann) == [bob]
    assert friends.received_requests(player=bob) == [ann]
    assert not friends.friends_of(player=ann), "asking is not enough"
    services.accept(player=bob, other=ann)
    for one, other in ((ann, bob), (bob, ann)):
        assert [friend.player for friend in friends.friends_of(player=one)] == [other]
        assert friends.friend_keys(player=one) == {other.pk}
        assert friends.standing(player=one, other=other) is Standing.FRIEND
    assert not friends.received_requests(player=bob)


def test_every_page_shows_the_number_of_friend_requests(ann: Player, bob: Player) -> None:
    assert "friend request" not in page(bob, "/rules/") + page(bob, "/")
    services.ask(player=ann, other=bob)
    assert "1 friend request<" in page(bob, "/rules/")
    assert 'href="/friends/">1 friend request<' in page(bob, "/")
    services.accept(player=bob, other=ann)
    assert "friend request" not in page(bob, "/rules/") + page(bob, "/")


def test_two_players_who_ask_each_other_become_friends(ann: Player, bob: Player) -> None:
    services.ask(player=ann, other=bob)
    assert services.ask(player=bob, other=ann).accepted_at is not None
    assert Friendship.objects.count() == 1


def test_two_players_have_one_friendship_row(ann: Player, bob: Player) -> None:
    Friendship.objects.create(asker=ann, asked=bob)
    with pytest.raises(IntegrityError, match=r"friendship_pair_once|UNIQUE"), transaction.atomic():
        Friendship.objects.create(asker=bob, asked=ann)


@pytest.mark.parametrize("again", ["at once", "after taking it back"])
def test_a_declined_player_is_not_told_and_cannot_ask_again(
    ann: Player, bob: Player, again: str
) -> None:
    services.ask(player=ann, other=bob)
    services.decline(player=bob, other=ann)
    assert friends.sent_requests(player=ann) == [bob], "it looks unanswered"
    if again == "at once":
        with pytest.raises(Refused, match="asked_already"):
            services.ask(player=ann, other=bob)
    else:
        services.remove(player=ann, other=bob)
        assert friends.sent_requests(player=ann) == []
        assert friends.standing(player=ann, other=bob) is Standing.NONE
        services.ask(player=ann, other=bob)
        assert friends.sent_requests(player=ann) == [bob]
    assert not friends.received_requests(player=bob)


def test_a_second_click_on_a_request_is_no_error(ann: Player, bob: Player) -> None:
    services.ask(player=ann, other=bob)
    for _ in range(2):
        services.decline(player=bob, other=ann)
    assert friends.sent_requests(player=ann) == [bob]
    services.ask(player=bob, other=ann)
    for _ in range(2):
        services.accept(player=ann, other=bob)
    assert friends.standing(player=ann, other=bob) is Standing.FRIEND


def test_an_export_does_not_reveal_a_declined_request(ann: Player, bob: Player) -> None:
    services.ask(player=ann, other=bob)
    before = exported(ann)
    services.decline(player=bob, other=ann)
    assert exported(ann) == before
    assert any(bob.public_id in row for row in before)
    services.block(player=bob, other=ann)
    assert not any(bob.public_id in row for row in exported(ann))


def exported(player: Player) -> list[str]:
    """Return the files about friends and blocks in a player's export, as text."""
    client = Client()
    client.force_login(player)
    content = client.get("/data/everything.zip").getvalue()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if "friend" in name or "block" in name]
        assert names
        return [archive.read(name).decode() for name in sorted(names)]


def test_a_declined_player_may_ask_again_after_a_month(ann: Player, bob: Player) -> None:
    services.ask(player=ann, other=bob)
    services.decline(player=bob, other=ann)
    Friendship.objects.update(declined_at=timezone.now() - services.ASK_AGAIN - timedelta(hours=1))
    services.ask(player=ann, other=bob)
    assert friends.received_requests(player=bob) == [ann]


def test_a_player_who_declined_may_still_ask_the_other(ann: Player, bob: Player) -> None:
    services.ask(player=ann, other=bob)
    services.decline(player=bob, other=ann)
    services.ask(player=bob, other=ann)
    assert friends.received_requests(player=ann) == [bob]


def test_a_blocked_player_cannot_ask_again(ann: Player, bob: Player) -> None:
    befriend(ann, bob)
    services.block(player=bob, other=ann)
    assert not friends.friends_of(player=ann), "a block ends the friendship"
    with pytest.raises(Refused, match="not_askable"):
        services.ask(player=ann, other=bob)
    with pytest.raises(Refused, match="not_friends"):
        invitations.invite(player=ann, friend=bob)
    assert friends.standing(player=ann, other=bob) is Standing.NONE, "a blocked player is not told"
    assert friends.standing(player=bob, other=ann) is Standing.BLOCKED
    with pytest.raises(Refused, match="you_blocked"):
        services.ask(player=bob, other=ann)
    services.unblock(player=bob, other=ann)
    services.ask(player=ann, other=bob)
    assert friends.received_requests(player=bob) == [ann]


def test_a_block_removes_earlier_requests(ann: Player, bob: Player) -> None:
    services.ask(player=ann, other=bob)
    services.block(player=bob, other=ann)
    assert not friends.received_requests(player=bob)
    with pytest.raises(Refused, match="not_asked_by"):
        services.accept(player=bob, other=ann)


def test_guests_computers_and_oneself_cannot_be_asked(ann: Player) -> None:
    guest = create_guest()
    machine = computer_player(bot="poppy", version="1", name="Poppy")
    for other in (guest, machine, ann):
        with pytest.raises(Refused, match="not_askable"):
            services.ask(player=ann, other=other)
    with pytest.raises(Refused, match="no_account"):
        services.ask(player=guest, other=ann)


def test_open_requests_are_limited(
    ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_WAITING", 1)
    services.ask(player=ann, other=person())
    with pytest.raises(Refused, match="too_many_asked"):
        services.ask(player=ann, other=bob)


def test_the_number_of_friends_is_limited(
    ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    services.ask(player=bob, other=ann)
    befriend(ann, person())
    monkeypatch.setattr(services, "MAX_FRIENDS", 1)
    with pytest.raises(Refused, match="too_many_friends"):
        services.accept(player=ann, other=bob)
    with pytest.raises(Refused, match="too_many_friends"):
        services.ask(player=ann, other=person())


def test_friend_requests_are_limited_to_twenty_a_day(ann: Player) -> None:
    client = Client()
    client.force_login(ann)
    answers = [client.post("/friends/ask/", {"name": "Nobody Here"}) for _ in range(2)]
    assert {answer.status_code for answer in answers} == {302}, "an unknown name is no request"
    others = [person() for _ in range(21)]
    for other in others[:20]:
        services.remove(player=ann, other=other)
        assert client.post("/friends/ask/", {"player": other.public_id}).status_code == 302
        services.remove(player=ann, other=other)
    assert client.post("/friends/ask/", {"player": others[20].public_id}).status_code == 429
    assert not Friendship.objects.exists()


def test_a_friend_can_be_found_by_a_similar_spelling_of_the_name(ann: Player, bob: Player) -> None:
    client = Client()
    client.force_login(ann)
    client.post("/friends/ask/", {"name": " bob "})
    assert friends.received_requests(player=bob) == [ann]
    said = client.post("/friends/ask/", {"name": "Bobby"}, follow=True).content.decode()
    assert "No player has this name. Check the spelling." in said


def test_players_cannot_see_each_others_lists(ann: Player, bob: Player) -> None:
    carol, dave, eve = person("Carol"), person("Dave"), person("Eve")
    befriend(bob, carol)
    services.ask(player=dave, other=bob)
    services.block(player=bob, other=eve)
    own = page(bob)
    assert all(name in own for name in ("Carol", "Dave", "Eve"))
    befriend(ann, bob)
    for reader in (ann, carol, dave, eve):
        seen_by_them = strip_tags(page(reader))  # tokens of forms are random letters
        hidden = {"Ann", "Carol", "Dave", "Eve"} - {reader.name}
        assert not any(name in seen_by_them for name in hidden), reader
    assert "Bob" not in strip_tags(page(eve)), "a blocked player is not told"
    assert "Sign up" in Client().get("/friends/").content.decode()
    assert "Sign up" in page(create_guest())


def test_only_friends_see_who_is_online(ann: Player, bob: Player) -> None:
    befriend(ann, bob)
    assert not friends.friends_of(player=ann)[0].online
    page(bob)
    assert friends.friends_of(player=ann)[0].online
    assert "Invite to a table" in page(ann)
    stranger = person()
    online_status.mark_online([stranger.pk])
    assert stranger.name not in page(ann)
