"""What goes wrong in tournaments: absence, kills, pauses, deleted players, late entry."""

import contextlib
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from games.api import Refused
from games.jobs.worker import work_off
from games.models import Player
from games.people.accounts import create_guest, merge_guest
from games.safety.erasure import erase
from games.tables.turn_deadlines import deadlines
from ratings.events import (
    corrections,
    entry,
    event_pages,
    events,
    pairings,
    progress,
    results,
    seating,
    team_matches,
)
from ratings.matchmaking import linked_accounts
from ratings.models import Event, EventGame, EventTable, Rating
from ratings.stages.state_machine import EndlessError, StateMachine, Step
from tests.support.standard_tables import people
from tests.support.tournaments import (
    again,
    begun,
    entrant,
    finish,
    planned,
    play_all,
    play_round,
    tables,
    under_way,
    work,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("same_event")]


def seat_of(match: object, player: Player) -> int:
    seat: int = match.seats.get(player=player).seat  # type: ignore[attr-defined]
    return seat


def test_players_are_read_only_where_a_game_begins() -> None:
    event, _ = begun("swiss", 4, rounds=2)
    with CaptureQueriesContext(connection) as asked:
        progress.advance(event=event)
    said = [query["sql"] for query in asked]
    assert said
    assert not [sql for sql in said if "games_player" in sql], "every table has its game"


def test_each_of_several_steps_is_looked_for_once_under_its_lock() -> None:
    event, _ = planned("swiss", 4, rounds=2)
    looked: list[Step | None] = []
    taken: list[Step] = []

    def next_step(row: Event, now: datetime) -> Step | None:
        step = progress.MACHINE.next_step(row, now)
        looked.append(step)
        return None if step is None else partial(take, step)

    def take(step: Step) -> None:
        taken.append(step)
        step()

    machine = replace(progress.MACHINE, next_step=next_step)
    machine.advance(event, event.starts_at)
    assert len(taken) == 3, "the event begins, its round is made and seated"
    assert len(looked) == 1 + len(taken) + 1, "one look before, and one that finds none"
    looked.clear()
    machine.advance(again(event), event.starts_at)
    assert looked == [None]


class TestKilled:
    """A process that dies in any step changes nothing; the next one takes the same step."""

    @pytest.mark.parametrize("step", ["begin", "start_round", "start_game", "record", "finish"])
    def test_a_step_that_dies_is_taken_again(
        self, step: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        event, _ = planned("swiss", 4, rounds=1)
        Event.objects.filter(pk=event.pk).update(starts_at=timezone.now())
        module = {
            "start_round": pairings, "start_game": seating, "record": seating,
        }.get(step, progress)  # fmt: skip
        real = getattr(module, step)
        killed: list[bool] = []

        def dying(*args: object, **kwargs: object) -> object:
            done = real(*args, **kwargs)
            if not killed:
                killed.append(True)
                raise RuntimeError("killed")
            return done

        monkeypatch.setattr(module, step, dying)
        for _ in range(3):
            with contextlib.suppress(RuntimeError):
                progress.advance(event=again(event))
            play_round(event)
        assert killed
        event = again(event)
        assert event.state == Event.State.OVER
        assert EventTable.objects.filter(round__event=event).count() == 2
        assert EventGame.objects.filter(table__round__event=event).count() == 2

    def test_advancing_again_changes_nothing(self) -> None:
        event, _ = begun("knockout", 4)
        before = [event.version, [match.pk for match in under_way(event)]]
        for _ in range(3):
            event = progress.advance(event=event)
        assert [again(event).version, [match.pk for match in under_way(event)]] == before

    def test_a_step_that_changes_nothing_is_noticed(self) -> None:
        event, _ = planned("swiss", 2)
        machine = StateMachine(
            rows=Event.objects.all,
            next_step=lambda *_: lambda: None,
            dates=lambda _: [],
            most_steps=lambda _: 5,
            matches=progress.MACHINE.matches,
            wait=lambda *_: None,
        )
        with pytest.raises(EndlessError):
            machine.advance(event)


class TestAbsence:
    def test_an_absent_player_has_some_minutes_before_the_clock_runs(self) -> None:
        event, _ = begun("swiss", 2, rounds=1, no_show=7)
        (match,) = under_way(event)
        assert match.started_at is not None
        due = deadlines([match.pk])[match.pk]
        assert due - match.started_at == timedelta(minutes=7)

    def test_a_player_who_leaves_loses_the_game_and_is_not_paired_until_back(self) -> None:
        event, _ = begun("swiss", 4, rounds=3)
        first = under_way(event)[0]
        leaver = first.seats.get(seat=0).player
        finish(first, 121, 60, left=0)
        assert leaver is not None
        assert entrant(event, leaver).absent
        play_round(event)
        assert leaver.pk not in {
            seat.player_id for match in under_way(event) for seat in match.seats.all()
        }
        events.join(event=event, player=leaver)
        play_round(event)
        assert leaver.pk in {
            seat.player_id for match in under_way(event) for seat in match.seats.all()
        }

    def test_who_left_shares_no_title(self) -> None:
        event, _ = begun("knockout", 4)
        play_round(event)
        (final,) = under_way(event)
        leaver = final.seats.get(seat=0).player
        assert leaver is not None
        finish(final, 121, 60, left=0)
        event = again(event)
        assert event.state == Event.State.OVER
        assert event.entrants.get(titled=True).place == 1
        assert entrant(event, leaver).place == 2
        assert not entrant(event, leaver).titled

    def test_a_final_that_both_leave_has_no_winner(self) -> None:
        event, _ = begun("knockout", 2)
        event.entrants.update(absent=True)
        (match,) = under_way(event)
        EventGame.objects.filter(play__match=match).update(
            ended_at=timezone.now(), gone=[0, 1], scores=[10, 20], winner=None
        )
        event = progress.advance(event=again(event))
        assert event.state == Event.State.OVER
        assert not event.entrants.filter(titled=True).exists()

    def test_an_absent_opponent_gives_a_walkover_in_a_bracket(self) -> None:
        event, who = planned("knockout", 4)
        events.pause(event=event, by=who[0], paused=True)
        Event.objects.filter(pk=event.pk).update(state="running")
        pairings.start_round(event=again(event), number=1, now=timezone.now())
        table = tables(event, 1)[0]
        events.mark(event=event, by=who[0], number=table.first.number, absent=True)
        events.pause(event=event, by=who[0], paused=False)
        work()
        table.refresh_from_db()
        assert table.winner == table.second
        assert table.games.get().scores is None

    def test_who_has_not_checked_in_is_not_paired(self) -> None:
        event, who = planned("swiss", 3, check_in=20)
        with pytest.raises(Refused):
            events.check_in(event=event, player=who[1])
        Event.objects.filter(pk=event.pk).update(starts_at=timezone.now() + timedelta(minutes=5))
        for player in who[1:3]:
            events.check_in(event=event, player=player)
        Event.objects.filter(pk=event.pk).update(starts_at=timezone.now())
        work_off(["prompt"])
        events.check_in(event=event, player=who[2])
        work()
        assert entrant(event, who[3]).absent
        assert len(under_way(event)) == 1

    @pytest.mark.parametrize("kind", ["swiss", "qualifying", "knockout", "robin", "arena"])
    def test_it_waits_until_enough_players_have_checked_in(self, kind: str) -> None:
        event, who = planned(kind, 4, check_in=20)
        with pytest.raises(Refused) as refusal:
            events.begin(event=event, by=who[0])
        assert refusal.value.code == "event_few"
        Event.objects.filter(pk=event.pk).update(starts_at=timezone.now())
        work_off(["prompt"])
        assert again(event).is_planned
        assert event_pages.shared_sheet(again(event)).there == 0
        for player in who[1:]:
            events.check_in(event=event, player=player)
        work()
        assert again(event).is_running
        assert len(under_way(event)) >= 1


class TestPause:
    def test_a_paused_tournament_ends_at_its_end(self) -> None:
        event, who = begun("knockout", 4, best_of=3)
        events.pause(event=event, by=who[0], paused=True)
        for match in under_way(event):
            finish(match)
        assert not under_way(event)
        assert again(event).is_running
        event = progress.advance(event=again(event), now=event.ends_at)
        assert event.state == Event.State.OVER
        assert not event.entrants.filter(titled=True).exists()

    def test_one_without_players_is_called_off(self) -> None:
        event, _ = planned("swiss", 1)
        assert progress.advance(event=event, now=event.ends_at).state == Event.State.OFF


class TestEntry:
    def test_late_entry_until_the_chosen_round(self) -> None:
        event, _ = begun("swiss", 4, rounds=3, late_rounds=1)
        late, too_late = people(2, 20)
        events.join(event=event, player=late)
        play_round(event)
        assert late.pk in {s.player_id for match in under_way(event) for s in match.seats.all()}
        with pytest.raises(Refused):
            events.join(event=event, player=too_late)

    def test_nobody_enters_in_the_last_round_and_waits_in_vain(self) -> None:
        event, _ = begun("swiss", 4, rounds=1, late_rounds=3)
        (late,) = people(1, 20)
        assert not entry.may_join(event=event, player=late)
        with pytest.raises(Refused) as refusal:
            events.join(event=event, player=late)
        assert refusal.value.code == "event_closed"

    def test_a_banned_player_makes_room_for_another_before_the_start(self) -> None:
        organiser, *players, other = people(6)
        event = team_matches.plan(by=organiser, title="Cup")
        for player in players[:3]:
            events.join(event=event, player=player, token=event.token)
        Player.objects.filter(pk=players[0].pk).update(is_active=False)
        events.join(event=event, player=players[3], token=event.token)
        assert entry.may_join(event=event, player=other, token=event.token)
        events.join(event=event, player=other, token=event.token)
        work()
        assert len(under_way(event)) == 2

    def test_nobody_enters_twice(self) -> None:
        event, who = planned("swiss", 1)
        (other,) = people(1, 20)
        for player in (who[1], other):
            linked_accounts.record_device(player=player, token="browser")
        with pytest.raises(Refused):
            events.join(event=event, player=other)

    def test_the_band_of_ratings(self) -> None:
        event, _ = planned("swiss", 0, band_low=1400, band_high=1600)
        inside, above, unrated = people(3, 20)
        for player, value in ((inside, 1500.0), (above, 1700.0)):
            Rating.objects.create(
                player=player, seats=2, skill=0, rating=value, rd=20, floor=value - 20,
                provisional=False, results=50,
            )  # fmt: skip
        events.join(event=event, player=inside)
        for player in (above, unrated):
            with pytest.raises(Refused):
                events.join(event=event, player=player)

    def test_a_guest_who_logs_in_keeps_their_entry(self) -> None:
        event, _ = planned("swiss", 0)
        guest, (account,) = create_guest(), people(1, 20)
        events.join(event=event, player=guest)
        merge_guest(guest=guest, account=account)
        assert event.entrants.get().player == account

    def test_a_page_shows_that_a_guest_who_was_entered_twice_is_away(
        self, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
    ) -> None:
        event, who = planned("swiss", 3)
        guest = create_guest()
        events.join(event=event, player=guest, token=event.token)
        events.begin(event=event, by=who[0])
        before = again(event).version
        with django_capture_on_commit_callbacks(execute=True):
            merge_guest(guest=guest, account=who[1])
        assert entrant(event, guest).absent
        assert again(event).version > before

    def test_an_account_is_deleted_although_its_event_ends_at_that_moment(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _, who = begun("swiss", 4)
        locked = progress.locked

        def over(row: Event) -> Event:
            Event.objects.filter(pk=row.pk).update(state=Event.State.OVER, over_at=timezone.now())
            return locked(row)

        monkeypatch.setattr(progress, "locked", over)
        erase(player=who[1])
        assert Player.objects.get(pk=who[1].pk).kind == Player.Kind.DELETED

    def test_deleted_and_banned_players_are_not_paired_any_more(self) -> None:
        event, who = begun("swiss", 5, rounds=2)
        erase(player=who[1])
        Player.objects.filter(pk=who[2].pk).update(is_active=False)
        play_all(event)
        later = {key for table in tables(event, 2) for key in (table.first, table.second)}
        assert not later & set(event.entrants.filter(player__in=who[1:3]))
        assert not event.entrants.filter(player__in=who[1:3], titled=True).exists()
        assert again(event).state == Event.State.OVER


class TestCorrections:
    def test_a_winner_stays_once_the_next_round_has_begun(self) -> None:
        event, who = begun("knockout", 4)
        play_round(event)
        game = tables(event, 1)[0].games.get()
        swapped = list(reversed(game.scores or []))
        with pytest.raises(Refused):
            corrections.correct(
                event=event, by=who[0], game=game.pk, scores=swapped, reason="wrong"
            )
        game.refresh_from_db()
        assert game.scores == list(reversed(swapped))

    def test_a_best_of_three_that_becomes_level_goes_on(self) -> None:
        event, who = begun("knockout", 4, best_of=3)
        first, second = under_way(event)
        finish(first, 121, 90)
        finish(next(match for match in under_way(event) if match != second), 90, 121)
        table = EventTable.objects.get(round__event=event, games__play__match=first)
        assert table.winner is not None
        game = table.games.get(number=2)
        corrections.correct(
            event=event, by=who[0], game=game.pk, scores=game.scores[::-1], reason="swapped"
        )
        work()
        table.refresh_from_db()
        assert table.winner is None
        assert table.games.count() == 3
        event = play_all(event)
        assert results.bracket_tables(event).count() == 3
        assert event.entrants.filter(place=1, titled=True).count() == 1

    def test_places_and_titles_follow(self) -> None:
        event, who = begun("knockout", 2)
        event = play_all(event)
        best = event.entrants.get(place=1)
        game = EventGame.objects.get(table__round__event=event)
        swapped = (game.scores or [])[::-1]
        for _ in range(2):  # a double click
            corrections.correct(event=event, by=who[0], game=game.pk, scores=swapped, reason="Oh")
        assert game.corrections.count() == 1
        best.refresh_from_db()
        assert (best.place, best.titled) == (2, False)
        assert event.entrants.get(place=1).titled

    def test_a_running_game_cannot_be_corrected(self) -> None:
        event, who = begun("robin", 3)
        game = EventGame.objects.filter(table__round__event=event, ended_at=None).first()
        assert game is not None
        with pytest.raises(Refused):
            corrections.correct(
                event=event, by=who[0], game=game.pk, scores=[121, 90], reason="impatient"
            )
