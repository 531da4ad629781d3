"""Notices that a correspondence match has ended: to players who were away, once, and no cards."""

from __future__ import annotations

import asyncio
import html
from datetime import timedelta

import pytest
from channels.db import database_sync_to_async
from django.core import mail
from django.test import Client
from django.urls import reverse

from games.correspondence import notice_texts, notify
from games.engine import rules
from games.engine.moves import Resign
from games.engine.state import Phase
from games.live.planned_moves import follow_move, opened
from games.models import Match, Notice, Player
from games.models.moves import PLANNED
from games.people.accounts import computer_player
from tests.support import letters
from tests.support.letters import A_CARD, begin, deliver, make_person, pass_time
from tests.support.people import Wire, as_, run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bob() -> Player:
    return make_person("bob")


def resign(match: Match, seat: int, *, client_id: str = "r-1") -> None:
    """Resign for a seat; without a client's id the other player has claimed the win."""

    async def play() -> None:
        async with opened(match.public_id) as table:
            assert table is not None
            await table.play(Resign(seat), seat=seat, client_id=client_id)

    asyncio.run(play())
    follow_move.func(match.pk)


def play_to_the_end(match: Match, *, client_id: str = "c-") -> int:
    """Play a match in which the next point decides; return the seat that moved last."""
    scores = [120] * match.ruleset["players"]
    Match.objects.filter(pk=match.pk).update(ruleset={**match.ruleset, "scores": scores})

    async def play() -> int:
        seat = -1
        async with opened(match.public_id) as table:
            assert table is not None
            while table.state.phase is not Phase.OVER:
                seat = rules.waiting(table.state)[0]
                move = next(iter(rules.legal_moves(table.state, seat)))
                await table.play(
                    move, seat=seat, client_id=client_id and f"{client_id}{table.version}"
                )
        return seat

    last = asyncio.run(play())
    follow_move.func(match.pk)
    return last


def told() -> dict[str, str]:
    """Deliver the notices; return the subject of each mail by the name of its reader."""
    deliver()
    return {letter.to[0].partition("@")[0]: letter.subject for letter in mail.outbox}


class TestWhoIsTold:
    def test_the_winner_hears_that_the_opponent_has_resigned(
        self, ann: Player, bob: Player
    ) -> None:
        match = begin(ann, bob)
        resign(match, 1)
        assert told() == {"ann": "You won: bob resigned"}
        (letter,) = mail.outbox
        [(page, _)] = letter.alternatives
        for text in (f"/accounts/login/?next=/t/{match.public_id}/", "You won: bob resigned."):
            assert text in letter.body
            assert text in html.unescape(str(page))
        assert "See the result" in str(page)
        assert "You have until" not in letter.body and "score" not in letter.body

    def test_a_late_player_hears_that_the_win_was_claimed(self, ann: Player, bob: Player) -> None:
        resign(begin(ann, bob), 0, client_id="")
        assert told() == {"ann": "You lost on time against bob"}

    def test_the_player_who_did_not_make_the_last_move_hears_the_result(
        self, ann: Player, bob: Player
    ) -> None:
        match = begin(ann, bob)
        last = play_to_the_end(match)
        reader = "bob" if last == 0 else "ann"
        match.refresh_from_db()
        won = match.winner == 1 - last
        other = "ann" if last == 0 else "bob"
        assert told() == {reader: f"You {'won' if won else 'lost'} against {other}"}
        body = str(mail.outbox[0].body)
        rows = match.seats.order_by("seat").values_list("score", flat=True)
        own, others = rows[1 - last], rows[last]
        assert f"Final score, yours first: {own} : {others}." in body
        assert not A_CARD.search(body.partition("http")[0])

    def test_both_hear_of_an_end_by_a_planned_play(self, ann: Player, bob: Player) -> None:
        play_to_the_end(begin(ann, bob), client_id=PLANNED)
        assert told().keys() == {"ann", "bob"}

    def test_a_player_hears_that_a_computer_has_finished_for_them(
        self, ann: Player, bob: Player
    ) -> None:
        match = begin(ann, bob)
        computer = computer_player(bot="grandpa", version="1", name="Grandpa")
        match.seats.get(seat=0).let_play(computer)
        play_to_the_end(match, client_id="")
        assert "ann" in told()
        said = {letter.to[0]: str(letter.body) for letter in mail.outbox}
        assert "The computer played to the end for you." in said["ann@example.org"]
        assert "The computer played" not in said["bob@example.org"]

    def test_three_players_hear_who_has_won(self, ann: Player, bob: Player) -> None:
        match = begin(ann, bob, make_person("cid"))
        play_to_the_end(match, client_id=PLANNED)
        match.refresh_from_db()
        assert match.winner is not None
        winner = ("ann", "bob", "cid")[match.winner]
        heard = told()
        assert heard.pop(winner).startswith("You won against ")
        assert set(heard.values()) == {f"{winner} won your match"}

    def test_a_tied_match_has_no_winner(self, ann: Player, bob: Player) -> None:
        match = begin(ann, bob)
        assert notice_texts.result_title(match, ann) == "Your match against bob was drawn"

    def test_nobody_hears_of_a_match_against_computers_or_in_one_sitting(
        self, ann: Player, bob: Player
    ) -> None:
        against_computer, live = begin(ann, bob), begin(ann, bob)
        against_computer.seats.filter(seat=1).update(computer=True)
        Match.objects.filter(pk=live.pk).update(days=None)
        for match in (against_computer, live):
            resign(match, 0, client_id="")
        assert not Notice.objects.exists()


class TestOnce:
    def test_one_is_sent_however_often_the_job_runs(self, ann: Player, bob: Player) -> None:
        match = begin(ann, bob)
        resign(match, 1)
        for _ in range(2):
            deliver()
            follow_move.func(match.pk)
        assert len(mail.outbox) == 1

    @pytest.mark.parametrize("sees", [True, False], ids=["seen", "in a background tab"])
    def test_none_is_sent_to_a_player_who_sees_it_at_the_table(
        self, ann: Player, bob: Player, sees: bool
    ) -> None:
        match = begin(ann, bob)

        async def scenario() -> None:
            watching, leaving = await Wire(match, ann).open(), await Wire(match, bob).open()
            assert (await watching.ask("seen"))["t"] == "ok"
            assert (await leaving.ask("resign"))["t"] == "ok"
            await watching.hear("table", status="finished")
            if sees:
                assert (await watching.ask("seen", "a-2"))["t"] == "ok"
            for wire in (watching, leaving):
                await wire.hang_up()

        run(scenario())
        follow_move.func(match.pk)
        assert told().keys() == ({"ann"} if not sees else set())

    def test_none_is_sent_to_a_player_who_has_come_to_the_table_since(
        self, ann: Player, bob: Player
    ) -> None:
        match = begin(ann, bob)

        async def scenario() -> None:
            leaving = await Wire(match, bob).open()
            assert (await leaving.ask("resign"))["t"] == "ok"
            await database_sync_to_async(follow_move.func)(match.pk)
            assert await Notice.objects.filter(player=ann, sent_at=None).aexists()
            coming = await Wire(match, ann).open()
            await coming.hear("table", status="finished")
            assert (await coming.ask("seen"))["t"] == "ok"
            for wire in (coming, leaving):
                await wire.hang_up()

        run(scenario())
        assert told() == {}

    def test_an_open_page_delays_it_for_an_hour_at_most(
        self, ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("games.cluster.online_status.online", frozenset)
        match = begin(ann, bob)
        resign(match, 1)
        assert told() == {}
        pass_time(match, timedelta(hours=2))
        assert told() == {"ann": "You won: bob resigned"}

    def test_the_notice_of_the_last_turn_is_deleted(self, ann: Player, bob: Player) -> None:
        match = begin(ann, bob)
        letters.discard(match, 0)
        notify.your_turn(match)
        resign(match, 0)
        assert set(Notice.objects.values_list("kind", flat=True)) == {Notice.Kind.ENDED}


class TestUntilItIsSeen:
    def marked(self, player: Player) -> tuple[bool, bool]:
        """Return whether the list of matches and the home page mark a match as new."""
        client = Client()
        client.force_login(player)
        listed = client.get(reverse("games:matches")).content.decode()
        home = client.get("/").content.decode()
        return '<span class="tag">new</span>' in listed, "You won" in home

    def test_lists_mark_the_match_as_new_for_the_player_who_has_not_seen_its_end(
        self, ann: Player, bob: Player
    ) -> None:
        match = begin(ann, bob)
        resign(match, 1)
        assert self.marked(bob) == (False, False), "who ended it"
        assert self.marked(ann) == (True, True)
        client = Client()
        client.force_login(ann)
        client.get(reverse("games:match", args=[match.public_id]))
        assert self.marked(ann) == (False, False)
        assert told() == {}

    def test_the_home_page_lists_games_that_wait_for_the_player_before_results(
        self, ann: Player, bob: Player
    ) -> None:
        resign(begin(ann, bob), 1)
        letters.discard(begin(ann, bob), 0)
        begin(ann, bob)
        page = as_(ann).get("/").content.decode()
        texts = ("your discard", "You won", "waiting for bob")
        assert sorted(texts, key=page.index) == list(texts)

    def test_only_their_own_page_tells_the_player_that_it_is_new(
        self, ann: Player, bob: Player
    ) -> None:
        resign(begin(ann, bob), 1)
        page = reverse("games:player", args=[ann.public_id])
        for reader, marked in ((ann, True), (bob, False)):
            text = as_(reader).get(page).content.decode()
            assert '<span class="tag">resigned</span>' in text
            assert ('<span class="tag">new</span>' in text) == marked

    def test_a_match_in_one_sitting_is_never_new(self, ann: Player, bob: Player) -> None:
        match = begin(ann, bob)
        Match.objects.filter(pk=match.pk).update(days=None)
        resign(match, 1)
        assert self.marked(ann) == (False, False)
