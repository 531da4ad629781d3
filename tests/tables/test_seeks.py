"""Open correspondence seeks: posting, accepting, withdrawing, expiry, limits and the notice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.archive import selectors
from games.correspondence import notify
from games.correspondence.turns import DAYS
from games.engine.state import Ruleset
from games.models import Block, Match, Notice, Player
from games.people import limits
from games.people.accounts import create_guest
from games.tables import seeks
from games.tables.quick_match import quick_match
from games.tables.tables import join_match
from games.wire.refusals import Refused
from ratings.models import LinkedAccount
from tests.support.letters import deliver, discard, make_person, settle
from tests.support.wrong_clocks import wrong_clock

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Player:
    return make_person("ann")


@pytest.fixture
def bob() -> Player:
    return make_person("bob", mails=False)


def post(player: Player, days: int = 3) -> Match:
    return seeks.post_seek(player=player, ruleset=Ruleset(), days=days)


def seen(reader: Player | None) -> list[str]:
    return [each.match.public_id for each in seeks.open_seeks(reader=reader)]


def link(*players: Player) -> None:
    for player in players:
        LinkedAccount.objects.create(player=player, group=players[0].pk)


@pytest.mark.parametrize("ahead", [-1, 1])
def test_a_second_click_posts_no_second_game_by_a_wrong_clock(ann: Player, ahead: int) -> None:
    with wrong_clock(ahead * timedelta(hours=1)):
        assert post(ann) == post(ann)


class TestTheLobby:
    def test_a_posted_game_stands_apart_from_the_open_tables(
        self, client: Client, ann: Player
    ) -> None:
        match = post(ann, days=5)
        assert selectors.lobby_tables() == []
        page = client.get("/lobby/").content.decode()
        row = page[page.index("data-seeks") :]
        for text in ("ann", "by correspondence: 5 days per decision", f"/join/{match.invite}/"):
            assert text in row

    def test_it_can_be_posted_and_withdrawn_on_the_page(self, client: Client, ann: Player) -> None:
        client.force_login(ann)
        form = {"days": "7", "target": "61", "counting": "muggins", "games": "3", "hints": "on"}
        page = client.post("/seeks/post/", form, follow=True).content.decode()
        match = Match.objects.get()
        assert (match.days, match.listed, match.hints) == (7, True, True)
        rules = Ruleset.from_dict(match.ruleset)
        assert (rules.players, rules.target, rules.muggins, rules.games) == (2, 61, True, 3)
        assert f"/seeks/{match.public_id}/withdraw/" in page
        client.post(f"/seeks/{match.public_id}/withdraw/")
        match.refresh_from_db()
        assert match.status == Match.Status.ABANDONED
        assert seen(ann) == []

    def test_the_list_is_sent_again_only_when_it_has_changed(
        self, client: Client, ann: Player, bob: Player
    ) -> None:
        client.force_login(bob)
        page = client.get("/lobby/")
        tag = page.context["seeks_tag"]
        same = client.get("/seeks/", headers={"If-None-Match": tag})
        assert (same.status_code, same.content) == (304, b"")
        match = post(ann)
        new = client.get("/seeks/", headers={"If-None-Match": tag})
        assert (new.status_code, new.headers["ETag"] == tag) == (200, False)
        assert f"/join/{match.invite}/" in new.content.decode()
        seeks.withdraw(player=ann, match=match.public_id)
        gone = client.get("/seeks/", headers={"If-None-Match": new.headers["ETag"]})
        assert "No one is looking for a correspondence game" in gone.content.decode()
        assert client.get("/seeks/", headers={"Accept-Language": "de"}).headers["ETag"] != tag

    def test_its_owner_in_the_lobby_is_told_who_accepted_it_and_gets_to_the_table(
        self, client: Client, ann: Player, bob: Player
    ) -> None:
        client.force_login(ann)
        match = post(ann)
        tag = client.get("/lobby/").context["seeks_tag"]
        join_match(player=bob, invite=match.invite)
        new = client.get("/seeks/", headers={"If-None-Match": tag})
        for page in (new, client.get("/lobby/")):
            text = page.content.decode()
            row = text[text.index("data-accepted") :]
            assert "bob accepted your game" in row
            assert f"/t/{match.public_id}/" in row
        again = client.get("/seeks/", headers={"If-None-Match": new.headers["ETag"]})
        assert again.status_code == 304
        for other in (bob, None):
            assert seeks.accepted_seeks(owner=other) == []
        long_ago = timezone.now() - seeks.ACCEPTED_FOR
        Match.objects.filter(pk=match.pk).update(started_at=long_ago)
        assert "data-accepted" not in client.get("/seeks/").content.decode()

    def test_the_list_hides_from_a_reader_what_the_lobby_hides(
        self, client: Client, ann: Player, bob: Player
    ) -> None:
        link(ann, bob)
        post(ann)
        client.force_login(bob)
        assert "/join/" not in client.get("/seeks/").content.decode()

    @pytest.mark.parametrize("address", ["/seeks/", "/lobby/"])
    def test_the_readers_row_is_read_once(self, client: Client, ann: Player, address: str) -> None:
        client.force_login(ann)
        with CaptureQueriesContext(connection) as asked:
            client.get(address)
        whole = 'SELECT "games_player"."id", "games_player"."password"'
        assert sum(each["sql"].startswith(whole) for each in asked) == 1

    def test_own_games_come_first_and_all_are_read_at_once(self, ann: Player, bob: Player) -> None:
        own, other = post(ann), post(bob, days=5)
        with CaptureQueriesContext(connection) as asked:
            found = seeks.open_seeks(reader=ann)
        assert [(each.match, each.own) for each in found] == [(own, True), (other, False)]
        assert sum('FROM "games_match"' in each["sql"] for each in asked) == 1
        assert [each.own for each in seeks.open_seeks(reader=None)] == [False, False]

    def test_a_visitor_can_accept_it(self, client: Client, ann: Player) -> None:
        match = post(ann)
        answer = client.post(f"/join/{match.invite}/", {"name": "Tom"})
        assert answer.headers["Location"] == f"/t/{match.public_id}/"
        match.refresh_from_db()
        assert (match.status, match.days) == (Match.Status.PLAYING, 3)
        assert seen(None) == []

    @pytest.mark.parametrize("days", ["", "4", "-1", "x", "9" * 40])
    def test_other_numbers_of_days_get_a_clear_answer(
        self, client: Client, ann: Player, days: str
    ) -> None:
        client.force_login(ann)
        page = client.post("/seeks/post/", {"days": days}, follow=True).content.decode()
        assert "Choose 1, 2, 3, 5, 7 or 14 days per decision." in page
        assert not Match.objects.exists()

    def test_quick_match_seats_no_one_at_it(self, ann: Player, bob: Player) -> None:
        match = post(ann)
        assert quick_match(player=bob) != match

    def test_quick_match_is_no_way_back_to_an_own_one(self, ann: Player, bob: Player) -> None:
        posted, accepted = post(ann), post(bob)
        join_match(player=ann, invite=accepted.invite)
        table = quick_match(player=ann)
        assert table not in {posted, accepted}
        assert table.days is None


class TestWhoMayAccept:
    def test_not_a_linked_account(self, client: Client, ann: Player, bob: Player) -> None:
        link(ann, bob)
        match = post(ann)
        assert seen(bob) == []
        with pytest.raises(Refused) as refused:
            join_match(player=bob, invite=match.invite)
        assert refused.value.code == "own_seek"
        client.force_login(bob)
        page = client.post(f"/join/{match.invite}/", {"name": ""}, follow=True).content.decode()
        assert "This is your own game." in page
        match.refresh_from_db()
        assert match.status == Match.Status.WAITING

    def test_not_a_blocked_player_who_does_not_see_it_either(
        self, ann: Player, bob: Player
    ) -> None:
        Block.objects.create(blocker=ann, blocked=bob)
        match = post(ann)
        assert seen(bob) == []
        with pytest.raises(Refused) as refused:
            join_match(player=bob, invite=match.invite)
        assert refused.value.code == "match_closed"

    def test_only_the_owner_withdraws_it(self, ann: Player, bob: Player) -> None:
        match = post(ann)
        assert not seeks.withdraw(player=bob, match=match.public_id)
        join_match(player=bob, invite=match.invite)
        assert not seeks.withdraw(player=ann, match=match.public_id), "it is being played"
        match.refresh_from_db()
        assert match.status == Match.Status.PLAYING


class TestLimits:
    def test_an_account_has_some_open_games_and_a_guest_one(self, ann: Player) -> None:
        for days in DAYS[: seeks.MOST_OPEN]:
            post(ann, days)
        guest = create_guest()
        post(guest)
        for player in (ann, guest):
            with pytest.raises(Refused) as refused:
                post(player, DAYS[-1])
            assert refused.value.code == "too_many_seeks"

    def test_posting_and_withdrawing_again_and_again_is_limited(
        self, ann: Player, settings: object
    ) -> None:
        settings.LIMITS = settings.LIMITS | {"seeks": (2, 86400)}  # type: ignore[attr-defined]
        for _ in range(2):
            seeks.withdraw(player=ann, match=post(ann).public_id)
        with pytest.raises(limits.TooOften):
            post(ann)

    def test_three_seats_are_refused(self, ann: Player) -> None:
        with pytest.raises(Refused) as refused:
            seeks.post_seek(player=ann, ruleset=Ruleset(players=3), days=3)
        assert refused.value.code == "bad_ruleset"

    def test_it_expires(self, ann: Player, bob: Player) -> None:
        old, new, taken = (post(ann, days) for days in (3, 5, 7))
        join_match(player=bob, invite=taken.invite)
        long_ago = timezone.now() - seeks.KEPT - timedelta(minutes=1)
        Match.objects.filter(pk__in=[old.pk, taken.pk]).update(created_at=long_ago)
        assert seen(bob) == [new.public_id]
        for _ in range(2):
            seeks.expire_seeks.func()
        states = dict(Match.objects.values_list("pk", "status"))
        assert states == {old.pk: "abandoned", new.pk: "waiting", taken.pk: "playing"}


@pytest.mark.django_db(transaction=True)
def test_of_several_who_accept_at_once_one_plays() -> None:
    match = post(make_person("ann"))
    players = [create_guest() for _ in range(4)]

    def accept(player: Player) -> str:
        try:
            join_match(player=player, invite=match.invite)
        except Refused as refusal:
            return refusal.code
        finally:
            connection.close()
        return "plays"

    with ThreadPoolExecutor(len(players)) as pool:
        answers = sorted(pool.map(accept, players))
    assert answers == ["match_full"] * 3 + ["plays"]


class TestTheNotice:
    def test_the_owner_hears_that_it_was_accepted_and_not_twice(
        self, ann: Player, bob: Player
    ) -> None:
        match = post(ann)
        join_match(player=bob, invite=match.invite)
        match.refresh_from_db()
        settle(match)
        notify.your_turn(match)
        deliver()
        (letter,) = mail.outbox
        assert letter.to == ["ann@example.org"]
        assert letter.subject == "bob accepted your game"
        assert "Your first hand is waiting." in letter.body and "You have until" in letter.body
        discard(match, 0)
        discard(match, 1)
        notify.your_turn(match)
        assert not Notice.objects.filter(kind=Notice.Kind.TAKEN).exists()

    def test_it_is_sent_before_the_cards_are_dealt_too(self, ann: Player, bob: Player) -> None:
        join_match(player=bob, invite=post(ann).invite)
        deliver()
        assert [letter.subject for letter in mail.outbox] == ["bob accepted your game"]

    def test_none_is_sent_once_the_owner_has_moved(self, ann: Player, bob: Player) -> None:
        match = post(ann)
        join_match(player=bob, invite=match.invite)
        match.refresh_from_db()
        settle(match)
        discard(match, 0)
        deliver()
        assert mail.outbox == []
