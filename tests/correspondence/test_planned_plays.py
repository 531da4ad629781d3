"""Planned and forced plays: carried out once, by a worker, and secret until then."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import orjson
import pytest
from django.db import connection
from django.test import Client

from games.correspondence import planned_plays
from games.engine import rules
from games.engine.cards import NAMES, RANKS, parse_card, pips, rank
from games.engine.moves import Play, parse_move
from games.engine.state import Phase, State
from games.engine.view import view_for
from games.jobs.worker import work_off
from games.live import planned_moves
from games.live.planned_moves import follow_move
from games.log import reply_times, store
from games.log.substitutes import moves_of_substitutes
from games.models import Match, Move, Notice, PlannedPlay, Player
from games.safety.erasure import erase
from games.tables import tables
from games.wire.refusals import Refused
from tests.support import letters
from tests.support.people import Wire, run

pytestmark = pytest.mark.django_db(transaction=True)


class Killed(BaseException):
    """The end of a worker in the middle of its work."""


class Pegging:
    """A correspondence match in which the pone is about to lead, and the dealer may plan."""

    def __init__(self) -> None:
        self.match = letters.begin(letters.make_person("ann"), letters.make_person("bob"))
        for seat in (0, 1):
            letters.discard(self.match, seat)
        (self.pone,) = rules.waiting(self.state)
        self.dealer = 1 - self.pone
        self.planner = self.player(self.dealer)

    @property
    def state(self) -> State:
        return letters.state_of(self.match)

    def player(self, seat: int) -> Player:
        found = self.match.seats.get(seat=seat).player
        assert found is not None
        return found

    def cards(self, seat: int) -> list[str]:
        return [NAMES[card] for card in view_for(self.state, seat).cards]

    def plan(self, answers: dict[str, str], *, version: int | None = None) -> None:
        planned_moves.plan(
            match=self.match,
            player=self.planner,
            version=self.state.sequence if version is None else version,
            answers=answers,
        )

    def lead(self) -> None:
        letters.act(self.match, Play(self.pone, parse_card(self.cards(self.pone)[0])))

    def plays(self) -> list[str]:
        """Return the cards played in this hand, in order, by name."""
        moves = [parse_move(entry.text) for entry in store.whole(self.match.pk)]
        return [NAMES[move.card] for move in moves if isinstance(move, Play)]


@pytest.fixture
def pegging() -> Pegging:
    return Pegging()


class TestPlans:
    def test_the_planned_card_follows_whatever_is_played(self, pegging: Pegging) -> None:
        card = pegging.cards(pegging.dealer)[2]
        pegging.plan({"": card})
        pegging.lead()
        follow_move.func(pegging.match.pk)
        assert pegging.plays()[1] == card
        for _ in range(2):
            follow_move.func(pegging.match.pk)
        assert len(pegging.plays()) == 2
        assert not PlannedPlay.objects.exists()

    def test_it_stays_the_players_own_where_a_computer_substituted(self, pegging: Pegging) -> None:
        """They have been back since; the review and the drills leave out the computer's moves."""
        tables.seat_stand_in(match=pegging.match, seat=pegging.dealer)
        assert tables.take_back(match=pegging.match, player=pegging.planner)
        pegging.plan({"": pegging.cards(pegging.dealer)[2]})
        pegging.lead()
        follow_move.func(pegging.match.pk)
        last = Move.objects.filter(match=pegging.match, seat=pegging.dealer).latest("sequence")
        assert " play " in last.text
        assert last.sequence not in moves_of_substitutes(match=pegging.match.pk)
        assert not reply_times.replies([*store.whole(pegging.match.pk)], pegging.dealer, ())

    def test_an_answer_to_one_rank_goes_before_the_others(self, pegging: Pegging) -> None:
        led = RANKS[rank(parse_card(pegging.cards(pegging.pone)[0]))]
        first, last = pegging.cards(pegging.dealer)[0], pegging.cards(pegging.dealer)[-1]
        pegging.plan({led: last, "": first})
        pegging.lead()
        follow_move.func(pegging.match.pk)
        assert pegging.plays()[1] == last

    def test_without_an_answer_to_this_rank_nothing_is_played(self, pegging: Pegging) -> None:
        led = RANKS[rank(parse_card(pegging.cards(pegging.pone)[0]))]
        other = next(name for name in RANKS if name != led)
        pegging.plan({other: pegging.cards(pegging.dealer)[0]})
        pegging.lead()
        follow_move.func(pegging.match.pk)
        assert len(pegging.plays()) == 1
        assert not PlannedPlay.objects.exists()

    def test_a_plan_for_an_older_version_is_dropped(self, pegging: Pegging) -> None:
        pegging.plan({"": pegging.cards(pegging.dealer)[0]})
        PlannedPlay.objects.update(version=pegging.state.sequence - 1)
        pegging.lead()
        follow_move.func(pegging.match.pk)
        assert len(pegging.plays()) == 1
        assert not PlannedPlay.objects.exists()

    def test_a_card_that_would_pass_31_is_not_offered_and_refused(self, pegging: Pegging) -> None:
        pegging.lead()
        letters.act(
            pegging.match, Play(pegging.dealer, parse_card(pegging.cards(pegging.dealer)[-1]))
        )
        known = planned_plays.planning(match=pegging.match, player=pegging.planner)
        assert known is not None
        for option in known.options:
            then = known.count + pips(parse_card(option.rank + "C"))
            assert then <= 31
            for name in known.cards:
                fits = then == 31 or then + pips(parse_card(name)) <= 31
                assert (name in option.cards) is fits
        with pytest.raises(Refused) as refused:
            pegging.plan({"5": "ZZ"})
        assert refused.value.code == "bad_plan"

    def test_a_withdrawn_plan_plays_nothing(self, pegging: Pegging) -> None:
        pegging.plan({"": pegging.cards(pegging.dealer)[0]})
        pegging.plan({})
        pegging.lead()
        follow_move.func(pegging.match.pk)
        assert len(pegging.plays()) == 1

    def test_no_plan_outlives_its_match(self, pegging: Pegging) -> None:
        pegging.plan({"": pegging.cards(pegging.dealer)[0]})
        Match.objects.filter(pk=pegging.match.pk).update(status=Match.Status.FINISHED)
        follow_move.func(pegging.match.pk)
        assert not PlannedPlay.objects.exists()

    def test_a_deleted_account_leaves_no_plan(self, pegging: Pegging) -> None:
        pegging.plan({"": pegging.cards(pegging.dealer)[0]})
        erase(player=pegging.planner)
        assert not PlannedPlay.objects.exists()

    def test_a_plan_comes_too_late_once_the_opponent_has_played(self, pegging: Pegging) -> None:
        version = pegging.state.sequence
        pegging.lead()
        with pytest.raises(Refused) as refused:
            pegging.plan({"": pegging.cards(pegging.dealer)[0]}, version=version)
        assert refused.value.code == "not_offered"

    def test_a_plan_stored_while_the_opponent_plays_is_found(self, pegging: Pegging) -> None:
        """The job of the opponent's move looked before the plan was there; the plan's looks too."""
        work_off()
        pegging.plan({"": pegging.cards(pegging.dealer)[0]})
        pegging.lead()
        work_off()
        assert len(pegging.plays()) == 2


class TestDurability:
    @pytest.mark.parametrize("where", ["games.live.table.Table.play", "notify.your_turn"])
    def test_a_killed_worker_neither_loses_nor_repeats_it(
        self, pegging: Pegging, where: str
    ) -> None:
        pegging.plan({"": pegging.cards(pegging.dealer)[0]})
        pegging.lead()
        target = where if where.startswith("games") else f"games.live.planned_moves.{where}"
        with patch(target, side_effect=Killed), pytest.raises(Killed):
            follow_move.func(pegging.match.pk)
        for _ in range(2):
            follow_move.func(pegging.match.pk)
        assert len(pegging.plays()) == 2

    def test_what_a_killed_process_did_not_deal_is_dealt(self) -> None:
        match = letters.begin(letters.make_person("ann"), letters.make_person("bob"))
        Move.objects.filter(match=match).delete()
        for _ in range(2):
            follow_move.func(match.pk)
        assert letters.state_of(match).phase is Phase.DISCARD
        assert Notice.objects.filter(match=match, kind=Notice.Kind.TURN).exists()

    def test_two_workers_at_once_play_one_card(self, pegging: Pegging) -> None:
        pegging.plan({"": pegging.cards(pegging.dealer)[0]})
        pegging.lead()

        def work(_: int) -> None:
            try:
                follow_move.func(pegging.match.pk)
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(work, range(2)))
        assert len(pegging.plays()) == 2

    def test_a_move_at_the_table_causes_it(self, pegging: Pegging) -> None:
        pegging.plan({"": pegging.cards(pegging.dealer)[0]})
        opponent, card = pegging.player(pegging.pone), pegging.cards(pegging.pone)[0]

        async def scenario() -> None:
            wire = await Wire(pegging.match, opponent).open()
            await wire.hear("view")
            wire.send({"t": "play", "d": {"card": card}, "id": "a-1"})
            await wire.hear("ok")
            await asyncio.to_thread(work_off)
            told = await wire.hear("steps")
            while len(told["view"]["pile"]) < 2:
                told = await wire.hear("steps")
            await wire.hang_up()

        run(scenario())
        assert len(pegging.plays()) == 2


class TestSecrets:
    def test_no_one_else_hears_of_a_plan(self, pegging: Pegging, client: Client) -> None:
        Match.objects.filter(pk=pegging.match.pk).update(watchable=True)
        opponent, card = pegging.player(pegging.pone), pegging.cards(pegging.dealer)[0]
        fresh: list[str] = []

        async def scenario() -> None:
            wires = [await Wire(pegging.match, who).open() for who in (opponent, None)]
            for wire in wires:
                await wire.hear("due")
            heard = [list(wire.heard) for wire in wires]
            await asyncio.to_thread(pegging.plan, {"": card})
            await asyncio.to_thread(work_off)
            for wire in wires:
                wire.send({"t": "ping"})
                await wire.hear("pong")
            for wire, old in zip(wires, heard, strict=True):
                fresh.extend(wire.heard[len(old) :])
                await wire.hang_up()

        run(scenario())
        assert {orjson.loads(text)["t"] for text in fresh} <= {"pong", "table", "chat", "due"}
        assert not any(card in text for text in fresh)
        secret = PlannedPlay.objects.get().answers[""]
        address = f"/t/{pegging.match.public_id}/plan/"
        assert client.get(address).status_code == 404
        client.force_login(letters.make_person("eve"))
        assert client.get(address).status_code == 404
        assert client.post(address, {"version": "1", "others": secret}).status_code == 404
        client.force_login(opponent)
        for page in (address, f"/t/{pegging.match.public_id}/", "/data/"):
            assert f'value="{secret}"' not in client.get(page).content.decode()

    def test_a_match_without_days_has_no_plans(self, pegging: Pegging) -> None:
        Match.objects.filter(pk=pegging.match.pk).update(days=None)
        pegging.match.refresh_from_db()
        assert planned_plays.planning(match=pegging.match, player=pegging.planner) is None
        assert not planned_plays.is_plannable(pegging.match)

    @pytest.mark.parametrize("rules", [{"players": 3}, {"counting": "manual"}])
    def test_the_page_says_where_plays_can_be_planned(
        self, pegging: Pegging, client: Client, rules: dict[str, object]
    ) -> None:
        client.force_login(pegging.planner)
        address = f"/t/{pegging.match.public_id}/plan/"
        why = "You can plan plays in games for two where the table counts."
        assert why not in client.get(address).content.decode()
        ruleset = pegging.match.ruleset | rules
        Match.objects.filter(pk=pegging.match.pk).update(ruleset=ruleset)
        assert why in client.get(address).content.decode()


class TestForcedPlays:
    @pytest.mark.parametrize("wanted", [False, True])
    def test_an_only_card_is_played_for_those_who_want_it(
        self, pegging: Pegging, wanted: bool
    ) -> None:
        Player.objects.update(plays_forced=wanted)
        while True:
            state = pegging.state
            assert state.phase is Phase.PLAY, "the last card of a hand is an only one"
            (seat,) = rules.waiting(state)
            legal = view_for(state, seat).legal.cards
            if len(legal) == 1:
                break
            letters.act(pegging.match, Play(seat, legal[0]))
        before = len(pegging.plays())
        follow_move.func(pegging.match.pk)
        assert len(pegging.plays()) == before + wanted
        if wanted:
            assert pegging.plays()[-1] == NAMES[legal[0]]


class TestThePage:
    def test_a_plan_is_made_and_withdrawn_on_it(self, pegging: Pegging, client: Client) -> None:
        client.force_login(pegging.planner)
        address = f"/t/{pegging.match.public_id}/plan/"
        card, version = pegging.cards(pegging.dealer)[0], str(pegging.state.sequence)
        assert "data-plan" in client.get(f"/t/{pegging.match.public_id}/").content.decode()
        form = {"version": version, "others": card, "after-5": card}
        page = client.post(address, form, follow=True).content.decode()
        assert "Your plan is saved." in page
        assert PlannedPlay.objects.get().answers == {"": card, "5": card}
        assert f'<option value="{card}" selected>' in page
        page = client.post(address, {"version": version}, follow=True).content.decode()
        assert "Your plan is withdrawn." in page
        assert not PlannedPlay.objects.exists()

    @pytest.mark.parametrize(
        ("form", "answer"),
        [
            ({"version": "x", "others": "5H"}, "You can&#x27;t do that right now."),
            ({"version": "9" * 30}, "You can&#x27;t do that right now."),
            ({"others": "ZZ"}, "You can&#x27;t plan that card there."),
            ({"after-5": "\u0661"}, "You can&#x27;t plan that card there."),
        ],
    )
    def test_bad_input_gets_a_clear_answer(
        self, pegging: Pegging, client: Client, form: dict[str, str], answer: str
    ) -> None:
        client.force_login(pegging.planner)
        posted = {"version": str(pegging.state.sequence)} | form
        page = client.post(f"/t/{pegging.match.public_id}/plan/", posted, follow=True)
        assert answer in page.content.decode()
        assert not PlannedPlay.objects.exists()

    def test_on_the_own_turn_there_is_nothing_to_plan(
        self, pegging: Pegging, client: Client
    ) -> None:
        client.force_login(pegging.player(pegging.pone))
        page = client.get(f"/t/{pegging.match.public_id}/plan/").content.decode()
        assert "nothing to plan right now" in page
