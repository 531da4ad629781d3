"""An event as its page shows it: standings, tables, rounds and corrections.

The result at a table of a duplicate reveals something about its cards. It is shown to no one before
the round has ended, and then to everyone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Prefetch

from games.api import Player, Seat, openable, true_now, visible_in_lists
from ratings.events import arena, own_seats, results, waiting
from ratings.events.night_first import night_first
from ratings.events.results import rules_of
from ratings.events.scoring import Total
from ratings.events.series import games_of, places_of
from ratings.models import (
    Event,
    EventCorrection,
    EventEntrant,
    EventGame,
    EventRound,
    EventTable,
    Membership,
)

LINES = 100
"""Maximum number of lines of the standings on a page; the file has them all."""
NEWEST = 2
"""Rounds before the bracket that the page of an event with more players shows, newest first."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the standings; ``place`` is None before there is a result."""

    place: int | None
    entrant: EventEntrant
    total: Total


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game at a table.

    Attributes:
        game: its row.
        scores: by place, if they may be shown.
        match: public id of the match, or "".
        linked: whether its reader may open the match.
    """

    game: EventGame
    scores: tuple[int, ...] | None
    match: str
    linked: bool


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table of a round.

    Attributes:
        table: the row, with its entrants fetched.
        sitting: the entrants by place; None for a computer that fills up the table.
        games: its games in order.
        over: whether it is over.
        bye: whether it has no game, because its player has no opponent.
        winner: the entrant who won, if it may be shown.
        wins: games won by place, where it may be shown.
    """

    table: EventTable
    sitting: tuple[EventEntrant | None, ...]
    games: tuple[GameLine, ...]
    over: bool
    bye: bool
    winner: EventEntrant | None
    wins: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round with its tables; ``playing`` is the number of tables that are not over."""

    row: EventRound
    tables: tuple[TableLine, ...]
    playing: int
    shown: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """An event as its reader may see it.

    Attributes:
        lines: the first `LINES` of the standings, best first.
        rest: the other lines.
        rounds: the rounds that have begun, newest first.
        own: the reader's entry.
        own_line: the reader's line if it is below the first `LINES`.
        own_tables: the reader's tables in ``rounds`` that are over, newest first.
        others: further tables in ``rounds`` with games that the reader may open, and not everyone:
            those of the rounds of a duplicate that they have played.
        table: public id of the reader's running match, or "".
        left: the reader's seat at a running match which they left, or in which their time ran out.
        goes_on: whether the reader may have another game.
        done: whether the event goes on without another game for the reader.
        elsewhere: public id of the match that a reader who may have another game plays elsewhere.
        night: token of the club night whose game comes first for a reader who is free.
        other: the tournament whose game comes first for a reader who is free and for no night.
        waits: whether the reader's table of this round waits, for them or for an opponent.
        corrections: all corrections, newest first.
        there: the number of entrants who are not absent; before the start of an event with a
            check-in, of those who have checked in.
        entered: the number of entrants who are not absent.
        needed: the number of players without which the event does not begin.
        teams: the summed margins of the two teams, in a match of teams.
        unwon: whether the event is over and nobody has won its bracket.
    """

    lines: tuple[Line, ...]
    rest: tuple[Line, ...]
    rounds: tuple[RoundLine, ...]
    corrections: tuple[EventCorrection, ...]
    there: int
    entered: int
    needed: int
    teams: tuple[float, float] | None
    unwon: bool
    own: EventEntrant | None = None
    own_line: Line | None = None
    own_tables: tuple[TableLine, ...] = ()
    others: tuple[TableLine, ...] = ()
    table: str = ""
    left: Seat | None = None
    goes_on: bool = False
    done: bool = False
    elsewhere: str = ""
    night: str = ""
    other: Event | None = None
    waits: bool = False

    @property
    def number(self) -> int:
        """The number of entrants."""
        return len(self.lines) + len(self.rest)


def event_of(*, public_id: str, player: Player | None) -> Event | None:
    """Return an event that a player may see; a club's events are for its members and entrants."""
    event = Event.objects.select_related("club", "made_by").filter(public_id=public_id).first()
    if event is None or event.entry != Event.Entry.CLUB:
        return event
    if player is None:
        return None
    inside = (
        event.made_by_id == player.pk
        or event.entrants.filter(player=player, computer=False).exists()
        or Membership.objects.filter(club=event.club_id, player=player).exists()
    )
    return event if inside else None


def sheet(*, event: Event, viewer: Player | None) -> Sheet:
    """Return an event for one reader, in a constant number of queries."""
    return for_reader(shared_sheet(event), event=event, viewer=viewer)


def shared_sheet(event: Event) -> Sheet:
    """Return what is the same for all readers of an event."""
    entrants = list(event.entrants.select_related("player").order_by("number"))
    totals = results.totals(event, entrants)
    lines = _lines(event, entrants, totals)
    newest = NEWEST if len(entrants) > LINES else None
    found = round_lines(event, {row.pk: row for row in entrants}, newest=newest)
    asked = event.is_planned and event.check_in
    return Sheet(
        lines=tuple(lines[:LINES]),
        rest=tuple(lines[LINES:]),
        rounds=tuple(reversed(found)),
        corrections=results.shown_corrections(event),
        there=sum(not row.absent and (row.here or not asked) for row in entrants),
        entered=sum(not row.absent for row in entrants),
        needed=results.players_needed(event),
        teams=results.team_sums(entrants, totals) if event.format == Event.Format.TEAMS else None,
        unwon=event.state == Event.State.OVER and results.has_brackets(event) and not _won(found),
    )


def for_reader(shared: Sheet, *, event: Event, viewer: Player | None) -> Sheet:
    """Return a shared sheet plus what concerns one reader, in a constant number of queries."""
    if viewer is None:
        return shared
    own = event.entrants.filter(player=viewer, computer=False).select_related("player").first()
    table = own_seats.own_table(event, viewer)
    left = None if own is None or table else own_seats.left_seat(event, viewer)
    more = own is not None and _goes_on(event, own, shared.rounds)
    goes_on = more and own is not None and not own.absent
    pending = goes_on and not table and left is None
    elsewhere = waiting.table_elsewhere(event=event, player=viewer) if pending else ""
    since = _open_since(own, shared.rounds) if pending else None
    free = pending and not elsewhere
    night = night_first(event, viewer, since=since) if free else ""
    other = waiting.event_first(event, viewer, since=since) if free and not night else None
    return replace(
        shared,
        own=own,
        own_line=next((line for line in shared.rest if line.entrant == own), None),
        own_tables=_own_tables(own, shared.rounds) if own is not None else (),
        others=_others(own, shared.rounds, viewer) if own is not None else (),
        table=table,
        left=left,
        goes_on=goes_on,
        done=own is not None and event.is_running and not more,
        elsewhere=elsewhere,
        night=night,
        other=other,
        waits=pending and since is not None,
    )


def _won(played: Sequence[RoundLine]) -> bool:
    """Whether the last of these rounds was the final of a bracket, and was won."""
    final = played[-1].tables if played and played[-1].row.bracket else ()
    return len(final) == 1 and final[0].winner is not None


def _own_tables(own: EventEntrant, played: Sequence[RoundLine]) -> tuple[TableLine, ...]:
    """Return the finished tables of an entrant; they may open their own matches."""
    return tuple(
        replace(line, games=tuple(replace(game, linked=True) for game in line.games))
        for round_line in played
        if round_line.shown
        for line in round_line.tables
        if own in line.sitting and line.over and not line.bye
    )


def _others(
    own: EventEntrant, played: Sequence[RoundLine], viewer: Player
) -> tuple[TableLine, ...]:
    """Return the finished tables of others at the same cards that an entrant may open.

    Everyone who has played a duplicate's cards may, if the players there allow it.
    """
    if not results.rules_of(own.event).duplicate:
        return ()
    lines = [
        line
        for round_line in played
        if round_line.shown and any(own in line.sitting for line in round_line.tables)
        for line in round_line.tables
        if line.over and not line.bye and own not in line.sitting
    ]
    matches = {
        game.match: game.game.play.match
        for line in lines
        for game in line.games
        if not game.linked and game.game.play is not None and game.game.play.match is not None
    }
    opened = openable(list(matches.values()), viewer)
    found = {public_id for public_id, match in matches.items() if match.pk in opened}
    return tuple(
        replace(
            line,
            games=tuple(
                replace(game, linked=game.linked or game.match in found) for game in line.games
            ),
        )
        for line in lines
        if any(game.match in found for game in line.games)
    )


def _goes_on(event: Event, own: EventEntrant, played: Sequence[RoundLine]) -> bool:
    """Whether an entrant may have another game; in a bracket only until they have lost."""
    if not event.is_running or true_now() >= event.ends_at:
        return False
    if event.format == Event.Format.ARENA:
        return arena.seconds_left(event) > 0
    if not played:
        return True
    last = played[0]
    line = next((line for line in last.tables if own in line.sitting), None)
    if line is not None and not line.over:
        return True
    if last.row.bracket:
        return line is not None and line.winner == own and len(last.tables) > 1
    return results.has_brackets(event) or last.row.number < event.rounds


def _open_since(own: EventEntrant | None, played: Sequence[RoundLine]) -> datetime | None:
    """Return since when an entrant's game of the newest round is due, at a table that is not over.

    None without an opponent.
    """
    if own is None:
        return None
    fills = rules_of(own.event).computer_fills
    for row in played[:1]:
        for line in row.tables:
            if own in line.sitting and not line.over and (fills or None not in line.sitting):
                ended = [each.game.ended_at for each in line.games if each.game.ended_at]
                return max([row.row.began_at, *ended])
    return None


def _lines(event: Event, entrants: Sequence[EventEntrant], totals: dict[int, Total]) -> list[Line]:
    if event.is_planned or event.state == Event.State.OFF:
        return [Line(None, row, totals[row.pk]) for row in entrants]
    places = results.places(event, entrants)
    ranked = results.order(event, entrants, totals)
    lines = [Line(row.place or places[row.pk], row, totals[row.pk]) for row in ranked]
    return sorted(lines, key=lambda line: line.place or 0)


def all_lines(event: Event) -> list[Line]:
    """Return the whole standings, best first."""
    entrants = list(event.entrants.select_related("player").order_by("number"))
    return _lines(event, entrants, results.totals(event, entrants))


def round_lines(
    event: Event, entrants: dict[int, EventEntrant], *, newest: int | None = None
) -> list[RoundLine]:
    """Return the rounds that have begun with their tables, in a constant number of queries.

    With ``newest``, only so many rounds before the bracket, and the whole bracket.
    """
    games = EventGame.objects.select_related("play__match").order_by("number")
    games = games.prefetch_related("play__match__seats__player")
    tables = EventTable.objects.order_by("number").prefetch_related(Prefetch("games", games))
    rows = event.played.order_by("number").select_related("standard_game")
    if newest is not None:
        first = event.played.filter(bracket=False).count() - newest
        rows = rows.filter(number__gt=first)
    played = list(rows.prefetch_related(Prefetch("tables", tables)))
    everyone = _open_to_everyone(played)
    found = []
    for row in played:
        shown = row.ended_at is not None or not rules_of(event).duplicate
        lines = tuple(
            _table_line(event, each, entrants, shown, everyone) for each in row.tables.all()
        )
        found.append(RoundLine(row, lines, sum(not line.over for line in lines), shown))
    return found


def _open_to_everyone(played: Sequence[EventRound]) -> frozenset[int]:
    """Return the matches (primary keys) of some rounds that every reader may open."""
    games = [game for row in played for table in row.tables.all() for game in table.games.all()]
    matches = [game.play.match for game in games if game.play is not None]
    seen = visible_in_lists([match for match in matches if match is not None], None)
    return frozenset(match.pk for match in seen)


def _table_line(
    event: Event,
    table: EventTable,
    entrants: dict[int, EventEntrant],
    shown: bool,
    everyone: frozenset[int],
) -> TableLine:
    sitting = tuple(entrants.get(key or 0) for key in places_of(table)[: event.seats])
    games = games_of(table)
    bye = all(game.play_id is None and game.scores is None for game in games) and bool(games)
    wins = [sum(game.winner == place for game in games) for place in range(len(sitting))]
    return TableLine(
        table=table,
        sitting=sitting,
        games=tuple(_game_line(game, shown, everyone) for game in games),
        over=table.ended_at is not None,
        bye=bye,
        winner=entrants.get(table.winner_id or 0) if shown else None,
        wins=tuple(wins) if shown else (),
    )


def _game_line(game: EventGame, shown: bool, everyone: frozenset[int]) -> GameLine:
    match = game.play.match if game.play is not None else None
    over = game.ended_at is not None and shown and game.scores is not None
    return GameLine(
        game=game,
        scores=tuple(game.scores or ()) if over else None,
        match=match.public_id if match is not None else "",
        linked=match is not None and match.pk in everyone,
    )
