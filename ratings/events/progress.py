"""State machine of tournaments: which step is due. `ratings.stages.state_machine` takes the steps.

A planned event reminds its players, begins at its time, and is called off if it never could. Then
each round is paired, seated a few tables at a time, recorded and ended, until places are final.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.urls import reverse

from games.api import Match, job, remind, withdraw_reminders
from ratings.clubs.night_state_machine import resume_nights_of
from ratings.events import arena, over, pairings, rounds, seating, waiting
from ratings.events.formats import TEAM_PLAYERS
from ratings.events.results import bracket_tables, has_brackets, places, players_needed
from ratings.models import Event, EventEntrant, EventGame, EventRound, Play, Rating, StandardGame
from ratings.seasons.scoring import medals
from ratings.stages.state_machine import StateMachine, Step
from ratings.standard import catalogue

REMIND_BEFORE = timedelta(minutes=15)
"""The time before an event's start at which players are reminded."""

State, Format = Event.State, Event.Format


def advance(*, event: Event, now: datetime | None = None) -> Event:
    """Take all steps that are due; return the event in its new state."""
    return MACHINE.advance(event, now)


@job(tries=20)
def advance_later(pk: int) -> None:
    """Take the steps of an event that are due, by primary key."""
    MACHINE.advance_by_key(pk)


def advance_after(*, play: Play) -> None:
    """Advance the event of a finished play, if it belongs to one."""
    event = Event.objects.filter(played__tables__games__play=play).first()
    if event is not None:
        advance(event=event)


def resume_events_of(players: Iterable[int], *, other_than: Event | None = None) -> None:
    """Have jobs look at the running events of these players (primary keys), which may wait."""
    rows = Event.objects.filter(state=State.RUNNING)
    rows = rows.filter(entrants__player__in=players, entrants__computer=False)
    if other_than is not None:
        rows = rows.exclude(pk=other_than.pk)
    for pk in rows.order_by("pk").values_list("pk", flat=True).distinct():
        advance_later.enqueue(pk)


def no_longer_await(players: Iterable[int], *, other_than: Event | None = None) -> None:
    """Have jobs look at the nights and the other events that may have waited for players.

    Their table of an event, for which those waited, gets no game. They are primary keys. Nights
    come first, as everywhere: else two transactions could wait for each other's rows of jobs.
    """
    resume_nights_of(players)
    resume_events_of(players, other_than=other_than)


def resume_events(*, play: Play) -> None:
    """Have jobs look at the other events of a finished play's people, as `resume_events_of`."""
    people = play.attempts.filter(computer=False).values_list("player", flat=True)
    own = Event.objects.filter(played__tables__games__play=play).first()
    resume_events_of(list(people), other_than=own)


def touch(event: Event) -> None:
    """Note that the event's page shows something new."""
    Event.objects.filter(pk=event.pk).update(version=F("version") + 1)


def has_enough_players(event: Event) -> bool:
    """Whether enough players are there to begin; with a check-in, those who have checked in."""
    there = sum(row.here or not event.check_in for row in pairings.present(event))
    if event.format == Format.TEAMS:
        return there == TEAM_PLAYERS
    return there >= players_needed(event)


def begin(event: Event, now: datetime) -> None:
    """Begin an event: players who have not checked in are absent, and ratings become seeds."""
    if event.check_in:
        event.entrants.filter(here=False, computer=False).update(absent=True)
    if event.format == Format.ROBIN:
        event.entrants.filter(Q(absent=True) | Q(player__is_active=False)).delete()
        number = event.entrants.count()
        event.rounds = number - 1 + number % 2
    ratings = Rating.objects.filter(seats=event.seats, player__events_entered__event=event)
    floors = {row.player_id: row.floor for row in ratings}
    rows = list(event.entrants.all())
    for row in rows:
        row.seed = floors.get(row.player_id, 0.0)
    EventEntrant.objects.bulk_update(rows, ["seed"], batch_size=500)
    if now < event.starts_at:
        withdraw_reminders(reminder_key(event))  # they name the planned time
    # An arena has its whole time from its first game on, however long it waited for players.
    late = event.format == Format.ARENA and now < event.ends_at
    event.state, event.starts_at = State.RUNNING, now if late else min(event.starts_at, now)
    event.save(update_fields=["state", "starts_at", "rounds"])


def _next_step(event: Event, now: datetime) -> Step | None:
    """Return the step that is due; None if none is."""
    step = None
    if event.is_planned:
        step = _planned_step(event, now)
    elif event.is_running:
        step = _running_step(event, now)
    return None if step is None else partial(_take, event, step)


def _take(event: Event, step: Callable[[], None]) -> None:
    step()
    touch(event)


def _planned_step(event: Event, now: datetime) -> Step | None:
    if now >= event.ends_at:
        return partial(call_off, event, now)
    if now >= event.starts_at and not event.paused and has_enough_players(event):
        return partial(begin, event, now)
    if not event.reminded and now >= event.starts_at - REMIND_BEFORE:
        return partial(_remind, event, now)
    return None


def _running_step(event: Event, now: datetime) -> Step | None:
    done = list(
        EventGame.objects.filter(
            table__round__event=event, ended_at__isnull=True, play__finished_at__isnull=False
        ).select_related("table")
    )
    if done:
        return partial(seating.record, done, now)
    current = event.played.order_by("-number").first()
    if event.format == Format.ARENA:
        return _arena_step(event, current, now)
    if current is not None and current.ended_at is None:
        return rounds.next_step(event, current, now, partial(no_longer_await, other_than=event))
    if now >= event.ends_at or _was_last(event, current):
        return partial(finish, event, now)
    if event.paused:
        return None
    number = 1 if current is None else current.number + 1
    if not _can_go_on(event):
        return partial(finish, event, now)
    return partial(pairings.start_round, event=event, number=number, now=now)


def _arena_step(event: Event, current: EventRound | None, now: datetime) -> Step | None:
    if current is None:
        return partial(_open_arena, event, now)
    if current.ended_at is not None:
        return partial(finish, event, now)
    return arena.next_step(event, current, now)


def _open_arena(event: Event, now: datetime) -> None:
    pairings.open_round(event=event, number=1, bracket=False, now=now)


def _was_last(event: Event, current: EventRound | None) -> bool:
    """Whether no round can follow this one."""
    if current is None:
        return False
    if has_brackets(event):
        last = bracket_tables(event).filter(round=current)
        return bool(current.bracket) and last.count() == 1
    return current.number >= event.rounds


def _can_go_on(event: Event) -> bool:
    """Whether players are left for another round; in a bracket the tables themselves decide."""
    return has_brackets(event) or bool(pairings.present(event))


def _remind(event: Event, now: datetime) -> None:
    """Have players told that the event begins soon, unless its time has already come."""
    event.reminded = True
    event.save(update_fields=["reminded"])
    if now < event.starts_at:
        rows = event.entrants.filter(computer=False, absent=False).select_related("player")
        remind(
            players=[row.player for row in rows],
            key=reminder_key(event),
            title=event.title,
            address=reverse("ratings:event", args=[event.public_id]),
            until=event.starts_at,
        )


def reminder_key(event: Event) -> str:
    """Return the key of the reminders of an event."""
    return f"event-{event.public_id}"


def call_off(event: Event, now: datetime) -> None:
    """Call off an event that has not begun."""
    withdraw_reminders(reminder_key(event))
    event.state, event.over_at = State.OFF, now
    event.save(update_fields=["state", "over_at"])
    over.tell(event)


def finish(event: Event, now: datetime) -> None:
    """End an event: its cards may be shown, and places are final."""
    event.state, event.over_at, event.paused = State.OVER, now, False
    event.save(update_fields=["state", "over_at", "paused"])
    close_cards(event)
    set_places(event)
    # Others may have waited for players whose tables got no game any more.
    no_longer_await(event.entrants.values_list("player", flat=True), other_than=event)


def close_cards(event: Event) -> None:
    """Close the standard games of an event that are still open."""
    own = Q(event_round__event=event) | Q(played__event_game__table__round__event=event)
    still_open = StandardGame.objects.filter(own, state=StandardGame.State.OPEN)
    for game in still_open.distinct():
        catalogue.close(game=game)


def set_places(event: Event) -> None:
    """Store final places; the best players who stayed to the end get a title.

    Titles go to first place, with 4 players also to second, with 8 also to third. Players who
    share a place share its title. A bracket without a winner gives none. A match of a league gives
    none: the league does.
    """
    rows = list(event.entrants.select_related("player"))
    found = places(event, rows)
    titles = 1 if event.format == Format.TEAMS else medals(len(rows))
    decided = event.entry != Event.Entry.TEAM and (not has_brackets(event) or _has_champion(event))
    played = event.played.filter(tables__games__scores__isnull=False).exists()
    for row in rows:
        row.place = found[row.pk]
        stayed = not row.absent and not row.computer and row.player.is_active
        row.titled = decided and played and stayed and row.place <= titles
    EventEntrant.objects.bulk_update(rows, ["place", "titled"], batch_size=500)
    over.tell(event)


def _has_champion(event: Event) -> bool:
    last = bracket_tables(event).last()
    if last is None or last.winner_id is None:
        return False
    return bracket_tables(event).filter(round=last.round_id).count() == 1


def _dates(event: Event) -> list[datetime]:
    if event.is_over:
        return []
    dates = [event.starts_at - REMIND_BEFORE, event.starts_at, event.ends_at]
    if event.is_running:
        dates += (arena if event.format == Format.ARENA else waiting).dates(event)
    return dates


def _most_steps(event: Event) -> int:
    """Return a bound: each round is paired, seated, recorded, decided and ended."""
    number = event.entrants.count()
    tables = number // (2 * rounds.SEATED_AT_ONCE) + 1
    return 20 + (event.rounds + number.bit_length() + 1) * (4 + 2 * event.best_of * (tables + 2))


def _matches(event: Event) -> QuerySet[Match]:
    return Match.objects.filter(standard_play__event_game__table__round__event=event)


def _wait(pk: int, date: datetime) -> None:
    advance_later.using(run_after=date).enqueue(pk)


MACHINE = StateMachine(
    rows=Event.objects.all,
    next_step=_next_step,
    dates=_dates,
    most_steps=_most_steps,
    matches=_matches,
    wait=_wait,
)


def locked(event: Event) -> Event:
    """Return an event's row, locked; call it in a transaction."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("lock an event in a transaction")
    return MACHINE.lock(event)
