"""Tournament services: organisers plan and run them, players sign up; `progress` does the rest.

Each changes rows under the event's lock, and leaves the steps that follow to the job.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import Max

from games.api import (
    Player,
    Refused,
    computer_of,
    levels,
    locked_player,
    made_already,
    true_now,
    withdraw_reminders,
)
from ratings.events import progress
from ratings.events.entry import check_entry, is_officer, is_organiser
from ratings.events.formats import TEAM_PLAYERS
from ratings.events.leaving import has_more_games
from ratings.events.refusals import refused
from ratings.events.results import players_needed, rules_of
from ratings.models import Club, Event, EventEntrant, EventTable

MAX_PLANNED = 5
"""Maximum number of events of one organiser that are not over."""
MAX_PLACES = 1024
LASTS = timedelta(hours=12)
"""Time after its start at which an event ends at the latest."""

Entry, State, Format = Event.Entry, Event.State, Event.Format


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """An organiser's choices; the fields are those of `Event`."""

    title: str
    format: str
    starts_at: datetime
    note: str = ""
    entry: str = Entry.OPEN
    club: Club | None = None
    seats: int = 2
    rounds: int = 5
    best_of: int = 1
    minutes: int = 60
    no_show: int = 5
    check_in: int = 0
    late_rounds: int = 1
    band_low: int | None = None
    band_high: int | None = None
    places: int = 64


def plan(*, by: Player, plan: Plan) -> Event:
    """Plan an event; return it if the form is sent again.

    Raises:
        Refused: ``event_account``, ``event_muted``, ``event_many`` or ``event_officers``.
    """
    if not by.is_person:
        raise refused("event_account")
    if by.is_muted:
        raise refused("event_muted")
    if plan.club is not None and not is_officer(plan.club, by):
        raise refused("event_officers")
    fields = {name: getattr(plan, name) for name in Plan.__slots__}
    with locked_player(by):
        own = by.events_made.exclude(entry=Entry.TEAM).exclude(state__in=[State.OVER, State.OFF])
        event = Event(**fields, made_by=by, ends_at=plan.starts_at + LASTS)
        _fit(event)
        # A match of teams begins when its players are ready; its time is when the form was sent.
        chosen = set(fields) - ({"starts_at"} if plan.format == Format.TEAMS else set())
        known = made_already(own, **{name: getattr(event, name) for name in chosen})
        if known is not None:
            return known
        if own.count() >= MAX_PLANNED:
            raise refused("event_many")
        event.save()
        progress.advance_later.enqueue(event.pk)
    return event


def _fit(event: Event) -> None:
    """Set what the format does not leave to the organiser."""
    rules = rules_of(event)
    if event.seats not in rules.seats:
        event.seats = rules.seats[0]
    if not rules.bracket:
        event.best_of = 1
    if not rules.chosen_rounds:
        event.rounds = 0
    if event.format == Format.ARENA:
        event.ends_at = event.starts_at + timedelta(minutes=event.minutes) + LASTS
    event.places = min(event.places, MAX_PLACES)


def join(*, event: Event, player: Player, token: str = "", team: int | None = None) -> EventEntrant:
    """Sign a player up, or have one who left come back.

    Before the start, players who were banned meanwhile make room.

    Raises:
        Refused: ``event_over``, ``event_closed``, ``event_full``, ``event_link``, ``event_club``,
            ``event_band`` or ``event_linked``.
    """
    with locked_player(player), changed(event) as found:
        known = found.entrants.filter(player=player, computer=False).first()
        if known is not None:
            known.absent = False
            known.here = known.here or found.is_running
            known.save(update_fields=["absent", "here"])
            return known
        if found.is_planned:
            found.entrants.filter(player__is_active=False).delete()
        check_entry(found, player, token)
        return add(found, player, team=team, here=found.is_running)


def add(
    event: Event,
    player: Player,
    *,
    computer: bool = False,
    team: int | None = None,
    here: bool = False,
) -> EventEntrant:
    """Add an entrant to a locked event."""
    last = event.entrants.aggregate(last=Max("number"))["last"] or 0
    if event.format == Format.TEAMS:
        team = _team(event, team)
    return EventEntrant.objects.create(
        event=event, player=player, computer=computer, number=last + 1, team=team, here=here
    )


def _team(event: Event, wanted: int | None) -> int:
    """Return the team that a player joins: the one they chose, or the other one if it is full."""
    taken = [event.entrants.filter(team=team).count() for team in (0, 1)]
    first = wanted if wanted in {0, 1} else int(taken[0] > taken[1])
    return first if taken[first or 0] < TEAM_PLAYERS // 2 else 1 - first


def check_in(*, event: Event, player: Player) -> None:
    """Record that a player is there for the start.

    Raises:
        Refused: ``event_over``, ``event_not_in`` or ``event_not_yet``.
    """
    with changed(event) as found:
        row = _entrant(found, player)
        if found.is_planned and true_now() < found.check_in_from:
            raise refused("event_not_yet")
        row.here, row.absent = True, False
        row.save(update_fields=["here", "absent"])


def leave(*, event: Event, player: Player) -> bool:
    """Withdraw a player; once the event runs, from games that have not begun, if any may come.

    Return whether they are withdrawn: who has no further game stays.

    Raises:
        Refused: ``event_over`` or ``event_not_in``.
    """
    with changed(event) as found:
        return _withdraw(found, _entrant(found, player))


def _withdraw(event: Event, row: EventEntrant) -> bool:
    if event.is_planned:
        withdraw_reminders(progress.reminder_key(event), row.player)
        row.delete()
    elif has_more_games(event, row):
        row.absent = True
        row.save(update_fields=["absent"])
        # Another tournament may have waited for them.
        progress.no_longer_await([row.player_id], other_than=event)
    else:
        return False
    return True


def mark(*, event: Event, by: Player, number: int, absent: bool) -> None:
    """Mark an entrant, by number, as absent or as there.

    Only players themselves say whether they are ready for a match of a league.

    Raises:
        Refused: ``event_organiser``, ``event_over``, ``event_not_begun`` or ``event_not_in``.
    """
    check_organiser(event, by)
    with changed(event) as found:
        if found.is_planned and found.entry == Entry.TEAM:
            raise refused("event_not_begun")
        row = found.entrants.filter(number=number).first()
        if row is None:
            raise refused("event_not_in")
        row.absent, row.here = absent, not absent
        row.save(update_fields=["absent", "here"])
        progress.no_longer_await([row.player_id], other_than=found)


def fill(*, event: Event, by: Player, number: int, level: str = "") -> None:
    """Add house computers to an event that has not begun, of one level or of all in turn.

    Raises:
        Refused: ``event_organiser``, ``event_over``, ``event_begun``, ``event_team`` or
            ``event_full``.
    """
    check_organiser(event, by)
    with changed(event) as found:
        if not found.is_planned:
            raise refused("event_begun")
        if found.entry == Entry.TEAM:
            raise refused("event_team")
        if found.entrants.count() + number > found.places:
            raise refused("event_full")
        names = [level] if level else [each.name for each in levels()[:-1]]
        players = [computer_of(name) for name in names]
        for at in range(number):
            add(found, players[at % len(players)], computer=True, here=True)


def begin(*, event: Event, by: Player) -> None:
    """Begin before the planned time.

    Raises:
        Refused: ``event_organiser``, ``event_over``, ``event_begun`` or ``event_few``.
    """
    check_organiser(event, by)
    with changed(event) as found:
        if not found.is_planned:
            raise refused("event_begun")
        if not progress.has_enough_players(found):
            raise refused("event_few", n=players_needed(found))
        found.paused = False
        found.save(update_fields=["paused"])
        progress.begin(found, true_now())


def pause(*, event: Event, by: Player, paused: bool) -> None:
    """Pause an event, so that no game begins, or let it go on.

    Raises:
        Refused: ``event_organiser`` or ``event_over``.
    """
    check_organiser(event, by)
    with changed(event) as found:
        goes_on = found.paused and not paused
        found.paused = paused
        found.save(update_fields=["paused"])
        if goes_on:
            # Tables wait again for players who sit elsewhere.
            found.played.filter(ended_at__isnull=True).update(began_at=true_now())
        players = found.entrants.values_list("player", flat=True)
        progress.no_longer_await(players, other_than=found)


def end(*, event: Event, by: Player) -> None:
    """End an event: no further game begins. One that has not begun is called off.

    Raises:
        Refused: ``event_organiser`` or ``event_over``.
    """
    check_organiser(event, by)
    with changed(event) as found:
        now = true_now()
        if found.is_planned:
            progress.call_off(found, now)
            return
        found.ends_at = max(now, found.starts_at + timedelta(microseconds=1))
        found.save(update_fields=["ends_at"])


def hold_entered(player: int) -> None:
    """Lock the events that a player (a primary key) has entered, so that they seat no one now."""
    rows = Event.objects.filter(entrants__player=player, entrants__computer=False)
    rows = rows.filter(state__in=[State.PLANNED, State.RUNNING])
    list(rows.order_by("pk").select_for_update(of=("self",)).values_list("pk"))


def merge(*, guest: int, account: int) -> None:
    """Move a guest's entries to the account that they log in to; both by primary key.

    If the account is already entered, the guest is withdrawn.
    """
    for row in EventEntrant.objects.filter(player_id=guest).select_related("event"):
        try:
            with transaction.atomic():
                EventEntrant.objects.filter(pk=row.pk).update(player_id=account)
        except IntegrityError:
            _drop(row)
            # Not before: the event's row is locked before those of its entrants, and the pool.
            transaction.on_commit(partial(progress.touch, row.event))
            # A table may have waited for the guest, here or in another tournament.
            progress.no_longer_await([guest, account])


def _drop(row: EventEntrant) -> None:
    own = EventTable.objects.filter(round__event=row.event)
    seated = any(own.filter(**{place: row}).exists() for place in ("first", "second", "third"))
    if seated or row.event.is_running:
        # Once: after a second change PostgreSQL would lock the event's row to check the reference.
        EventEntrant.objects.filter(pk=row.pk, absent=False).update(absent=True)
    else:
        row.delete()


def leave_all(*, player: int) -> None:
    """Withdraw a player, by primary key, from all events that are not over; empty their notes."""
    Event.objects.filter(made_by_id=player).exclude(note="").update(note="")
    rows = EventEntrant.objects.filter(player_id=player, computer=False)
    running = [State.PLANNED, State.RUNNING]
    for row in rows.filter(event__state__in=running).select_related("event").order_by("event_id"):
        with suppress(Refused), changed(row.event) as found:  # it may just have ended
            _withdraw(found, row)


def check_organiser(event: Event, player: Player) -> None:
    """Refuse a player who does not run the event; officers of its club run it too.

    Raises:
        Refused: ``event_organiser``.
    """
    if not is_organiser(event, player):
        raise refused("event_organiser")


def _entrant(event: Event, player: Player) -> EventEntrant:
    row = event.entrants.filter(player=player, computer=False).first()
    if row is None:
        raise refused("event_not_in")
    return row


@contextmanager
def changed(event: Event) -> Iterator[Event]:
    """Lock an event that is not over, then note the change and have a job take the next steps."""
    with transaction.atomic():
        found = progress.locked(event)
        if found.is_over:
            raise refused("event_over")
        yield found
        progress.touch(found)
        progress.advance_later.enqueue(found.pk)
