"""Seating of tables: starts their games, lets computers play each other, records results."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction

from games.api import BATCH, Player, bot, computer_of, house, job
from ratings.events.results import rules_of
from ratings.models import Attempt, Event, EventEntrant, EventGame, EventTable, Play, StandardGame
from ratings.standard import catalogue
from ratings.standard.recording import store_simulated_game
from ratings.standard.simulation import simulate

_random = secrets.SystemRandom()


def start_game(*, event: Event, table: EventTable, deals: int, number: int) -> EventGame:
    """Start the next game at a table; house computers take empty places and those of the absent.

    If only computers play, a job plays the game.
    """
    rules = rules_of(event)
    machine = computer_of(house().name)
    sitting: list[EventEntrant | None] = [table.first, table.second, table.third][: event.seats]
    by_place = [
        machine if row is None or (row.absent and rules.computer_fills) else row.player
        for row in sitting
    ]
    players = [by_place[(deals + seat) % len(by_place)] for seat in range(len(by_place))]
    game = _cards(event, table)
    play = _begin(event, game, players)
    return EventGame.objects.create(table=table, number=number, deals=deals, play=play)


def _cards(event: Event, table: EventTable) -> StandardGame:
    """Return the cards of a table: those of its round in a duplicate, else new ones."""
    if not rules_of(event).duplicate:
        return catalogue.make(
            seats=event.seats, purpose=StandardGame.Purpose.EVENT, in_background=False
        )
    game = table.round.standard_game
    if game is None:
        raise ValueError(f"round {table.round_id} has no cards")
    return game


def _begin(event: Event, game: StandardGame, players: Sequence[Player]) -> Play:
    rules = rules_of(event)
    kind, chosen = Play.Kind.EVENT, Play.Exclusion.CHOSEN
    if all(player.is_computer and not player.owner_id for player in players):
        play = catalogue.reserve(
            game=game, players=players, kind=kind, match=None, exclusion=chosen
        )
        play_computers.enqueue(play.pk)
        return play
    match = catalogue.start_match(
        game=game,
        players=players,
        kind=kind,
        exclusion=chosen,
        clock=catalogue.arranged_clock(),
        target=rules.target,
        grace=60 * event.no_show,
        watchable=not rules.duplicate,
    )
    return Play.objects.get(match=match)


@job(queue=BATCH)
def play_computers(pk: int) -> None:
    """Play a game at which only computers sit, by the primary key of its play."""
    from ratings.events.progress import advance_later

    found = (
        Play.objects.filter(pk=pk, finished_at__isnull=True)
        .select_related("standard_game__decks", "event_game__table__round__event")
        .first()
    )
    if found is None:
        return
    event = found.event_game.table.round.event
    rows = found.attempts.order_by("seat").values_list("player__bot", flat=True)
    out = simulate(
        [bot(level) for level in rows],
        found.standard_game.decks.packs,
        target=rules_of(event).target,
    )
    with transaction.atomic():
        play = Play.objects.select_for_update(of=("self",)).get(pk=pk)
        if play.finished_at is None:
            store_simulated_game(play=play, out=out)
    advance_later.enqueue(event.pk)


def record(games: Iterable[EventGame], now: datetime) -> None:
    """Copy the results of finished plays to their games; players who left are absent from now."""
    games = list(games)
    attempts: dict[int, list[Attempt]] = {}
    rows = Attempt.objects.filter(play__in=[game.play_id for game in games])
    for row in rows.defer("hands").order_by("play", "seat"):
        attempts.setdefault(row.play_id, []).append(row)
    left: set[int] = set()
    for game in games:
        left |= _record(game, attempts[game.play_id or 0], now)
    EventGame.objects.bulk_update(games, ["scores", "margins", "gone", "winner", "ended_at"])
    EventEntrant.objects.filter(pk__in=left).update(absent=True)


def _record(game: EventGame, by_seat: Sequence[Attempt], now: datetime) -> set[int]:
    """Set a game's result; return the entrants who left it."""
    number = len(by_seat)
    rows = [by_seat[(place - game.deals) % number] for place in range(number)]
    game.scores = [row.score or 0 for row in rows]
    game.margins = [row.counted if row.counted is not None else row.margin or 0.0 for row in rows]
    game.gone = [place for place, row in enumerate(rows) if row.ended != Attempt.Ended.PLAYED]
    game.winner = next((place for place, row in enumerate(rows) if row.won), None)
    if game.winner is None and len(game.gone) < number:
        stayed = [place for place in range(number) if place not in game.gone]
        game.winner = max(stayed, key=lambda place: rows[place].score or 0)
    game.ended_at = now
    sitting = (game.table.first, game.table.second, game.table.third)
    return {row.pk for place in game.gone if (row := sitting[place]) is not None}


def first_dealer(number: int) -> int:
    """Return a random place at a table."""
    return _random.randrange(number)
