"""Tournaments played without a server."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.jobs.worker import work_off
from games.models import Match, Player
from ratings.events import events, progress, seating
from ratings.models import Attempt, Event, EventEntrant, EventGame, EventTable, Play
from tests.support.standard_tables import people

SOON = timedelta(hours=1)


def planned(
    kind: str, number: int, *, computers: int = 0, start: int = 0, **plan: Any
) -> tuple[Event, list[Player]]:
    """Plan an event in an hour, with an organiser who does not play, players and computers."""
    organiser, *players = people(number + 1, start)
    event = events.plan(
        by=organiser,
        plan=events.Plan(
            **{"title": "Cup", "format": kind, "starts_at": timezone.now() + SOON, **plan}
        ),
    )
    for player in players:
        events.join(event=event, player=player, token=event.token)
    if computers:
        events.fill(event=event, by=organiser, number=computers, level="alfie")
    return event, [organiser, *players]


def begun(kind: str, number: int, **plan: Any) -> tuple[Event, list[Player]]:
    """Return an event whose first round is seated, its organiser and its players."""
    event, who = planned(kind, number, **plan)
    events.begin(event=event, by=who[0])
    work()
    return again(event), who


def again(event: Event) -> Event:
    """Return an event as it is stored."""
    return Event.objects.get(pk=event.pk)


def under_way(event: Event) -> list[Match]:
    """Return the running matches of an event."""
    games = EventGame.objects.filter(
        table__round__event=event, play__match__status=Match.Status.PLAYING
    ).select_related("play__match")
    return [game.play.match for game in games.order_by("pk") if game.play and game.play.match]


def work() -> None:
    """Have the jobs of tournaments done that are due, but not those that prepare cards."""
    work_off(["prompt"])
    waiting = Play.objects.filter(kind=Play.Kind.EVENT, match=None, finished_at=None)
    for pk in list(waiting.values_list("pk", flat=True)):
        seating.play_computers.call(pk)
        work_off(["prompt"])


def finish(match: Match, *scores: int, left: int | None = None) -> None:
    """Write the result of a match by seat as if it had been played; who left has lost.

    By default seat 0 of the first match wins by one point, of the next one by two, and so on.
    """
    play = Play.objects.get(match=match)
    number = play.attempts.count()
    points = scores or ([121, 120 - play.pk % 60, 60][:number])
    by_points = sorted(points)
    for row in play.attempts.all():
        row.score = points[row.seat]
        row.margin = row.counted = row.score - (sum(points) - row.score) / (number - 1)
        row.won = row.score == by_points[-1] if left is None else row.seat != left
        row.ended = Attempt.Ended.LEFT if row.seat == left else Attempt.Ended.PLAYED
        row.save()
    Match.objects.filter(pk=match.pk).update(
        status=Match.Status.FINISHED, finished_at=timezone.now()
    )
    Play.objects.filter(pk=play.pk).update(finished_at=timezone.now())
    played = EventGame.objects.select_related("table__round").get(play=play)
    progress.advance_later.enqueue(played.table.round.event_id)
    work()


def play_round(event: Event) -> None:
    """Finish all running matches of an event."""
    for match in under_way(event):
        finish(match)


def play_all(event: Event) -> Event:
    """Play a running event to its end."""
    while under_way(event):
        play_round(event)
    return again(event)


def tables(event: Event, number: int) -> list[EventTable]:
    """Return the tables of a round."""
    rows = EventTable.objects.filter(round__event=event, round__number=number)
    return list(rows.select_related("first", "second", "third", "round").order_by("number"))


def pairs(event: Event) -> list[frozenset[int]]:
    """Return the pairs of entrants that met, round by round."""
    rows = EventTable.objects.filter(round__event=event, second__isnull=False).order_by("pk")
    return [frozenset(pair) for pair in rows.values_list("first", "second") if None not in pair]


def entrant(event: Event, player: Player) -> EventEntrant:
    """Return a player's entry."""
    return EventEntrant.objects.get(event=event, player=player)
