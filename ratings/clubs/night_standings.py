"""Standings of a club night as one reader may see them.

The results of a game reveal something about its cards. They are shown, like the cards, to players
who have finished the game, and to everyone else once no table plays it any more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Max, Q, Sum

from games.api import Match, Player
from ratings.clubs import acc_scoring
from ratings.clubs.absences import absent_entrants, forfeited_seats, table_elsewhere
from ratings.clubs.acc_scoring import Score, Total
from ratings.models import Attempt, ClubNight, Entrant, NightGame, NightTable, Play
from ratings.standard.exclusions import NOT_COMPARED
from ratings.standard.field import margin_of

Seat = tuple[int, int]
"""A standard game and a seat."""


@dataclass(frozen=True, slots=True)
class Result:
    """A player's result in one game.

    Attributes:
        number: the number of the game.
        opponents: the other players by seat; computers where there was none.
        own: the player's final score.
        others: the opponents' final scores.
        score: ACC score.
        above: margin minus the mean of all others with the same cards, points; None without others.
        left: whether the player left the game or ran out of time, so that a computer finished it.
    """

    number: int
    opponents: tuple[Player, ...]
    own: int
    others: tuple[int, ...]
    score: Score
    above: float | None
    left: bool = False

    @property
    def names(self) -> str:
        """The opponents' names."""
        return ", ".join(player.name for player in self.opponents)

    @property
    def theirs(self) -> str:
        """The opponents' final scores."""
        return ", ".join(map(str, self.others))


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line in the standings.

    Attributes:
        place: the place, from 1; equal totals share one.
        entrant: the row, with its player fetched.
        total: the sum of all scores.
        above: points above the field, summed; None without a comparison.
        results: result of each game; None if there is none to show.
        away: whether the player is no longer seated in new games.
    """

    place: int
    entrant: Entrant
    total: Total
    above: float | None
    results: tuple[Result | None, ...]
    away: bool


@dataclass(frozen=True, slots=True)
class TableLine:
    """One table: players, status, scores and leavers if they may be shown, whether it has begun."""

    players: tuple[Player | None, ...]
    over: bool
    idle: bool
    scores: tuple[int, ...] | None
    begun: bool = True
    gone: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game that has begun.

    Attributes:
        game: the row.
        tables: its tables in order.
        playing: number of tables still playing.
        shown: whether the reader may see results.
        played: whether the reader has finished it and may see its cards.
    """

    game: NightGame
    tables: tuple[TableLine, ...]
    playing: int
    shown: bool
    played: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """A night as its reader may see it.

    Attributes:
        lines: the standings.
        games: games that have begun, newest first.
        own: the reader's line, if they take part.
        table: public id of the reader's running match, or "".
        waits: whether the reader's table in a game that has begun is waiting for its players.
        elsewhere: public id of the match for which it waits: one that the reader plays elsewhere.
    """

    lines: tuple[Line, ...]
    games: tuple[GameLine, ...]
    own: Line | None
    table: str
    waits: bool
    elsewhere: str

    @property
    def there(self) -> int:
        """Number of entrants who are not away."""
        return sum(not line.away for line in self.lines)


def night_of(*, token: str) -> ClubNight | None:
    """Return the night of a link, with its club."""
    return (
        ClubNight.objects.select_related("club", "league").filter(token=token).first()
        if token
        else None
    )


def sheet(*, night: ClubNight, viewer: Player | None) -> Sheet:
    """Return a night for one reader, in a constant number of queries."""
    entrants = list(night.entrants.select_related("player").order_by("joined_at", "pk"))
    tables = _tables(night)
    attempts = _attempts(night)
    games = _games(tables, attempts, viewer)
    shown = {game.game.pk for game in games if game.shown}
    above = _above(night, attempts)
    results = {
        entrant.pk: _results(entrant, [each for each in tables if each.game_id in shown], attempts,
                             above)
        for entrant in entrants
    }  # fmt: skip
    totals = [
        acc_scoring.total([result.score for result in results[entrant.pk].values()])
        for entrant in entrants
    ]
    away = {row.pk for row in entrants if row.absent} if night.is_over else absent_entrants(night)
    lines = sorted(
        (
            _line(place, entrant, total, results[entrant.pk], night.games, entrant.pk in away)
            for place, entrant, total in zip(
                acc_scoring.places(totals), entrants, totals, strict=True
            )
        ),
        key=lambda line: line.place,
    )
    own = next((line for line in lines if viewer and line.entrant.player_id == viewer.pk), None)
    waits = own is not None and not own.away and _waits(own.entrant, tables)
    return Sheet(
        lines=tuple(lines),
        games=tuple(reversed(games)),
        own=own,
        table=_own_table(tables, attempts, viewer),
        waits=waits,
        elsewhere=table_elsewhere(night=night, player=viewer) if waits else "",
    )


def seconds_left(*, night: ClubNight, now: datetime) -> int:
    """Return the seconds until the clock begins the night, or its next game; 0 if it won't."""
    if night.is_planned and night.by_hand:
        return 0
    if night.is_planned:
        at = night.starts_at
    elif night.is_running and night.takes_entrants:
        began = night.night_games.filter(number=night.current).values_list("began_at", flat=True)
        at = (began.first() or now) + timedelta(minutes=night.minutes)
    else:
        return 0
    return max(0, int((at - now).total_seconds()))


def version_tag(*, night: ClubNight, viewer: Player | None) -> str:
    """Return text that changes whenever this reader's sheet would.

    It takes a tenth of the time that the sheet takes; pages poll it every few seconds.
    """
    plays = Play.objects.filter(standard_game__night_game__night=night)
    entrants = night.entrants.aggregate(
        number=Count("pk"), last=Max("pk"),
        absent=Count("pk", filter=Q(absent=True) | Q(player__is_active=False)),
        back=Sum("from_game"),
    )  # fmt: skip
    values = [
        night.state,
        night.current,
        night.takes_entrants,
        viewer.pk if viewer else 0,
        table_elsewhere(night=night, player=viewer) if viewer and night.is_running else "",
        *plays.aggregate(number=Count("pk"), over=Count("finished_at")).values(),
        *entrants.values(),
        NightTable.objects.filter(game__night=night, idle=True).count(),
        forfeited_seats(night).count(),
    ]
    return "-".join(map(str, values))


def _tables(night: ClubNight) -> list[NightTable]:
    rows = NightTable.objects.filter(game__night=night, game__number__lte=night.current)
    rows = rows.select_related(
        "game__night",
        "game__standard_game",
        "first__player",
        "second__player",
        "third__player",
        "play__match",
    )
    return list(rows.order_by("game__number", "pk"))


def _attempts(night: ClubNight) -> dict[int, list[Attempt]]:
    """Return the attempts at a night's tables by play, seat 0 first, without their hands."""
    rows = Attempt.objects.filter(play__night_table__game__night=night)
    found: dict[int, list[Attempt]] = {}
    for row in rows.select_related("player", "play").defer("hands").order_by("play", "seat"):
        found.setdefault(row.play_id, []).append(row)
    return found


def _games(
    tables: Sequence[NightTable], attempts: Mapping[int, list[Attempt]], viewer: Player | None
) -> list[GameLine]:
    by_game: dict[int, list[NightTable]] = {}
    for table in tables:
        by_game.setdefault(table.game_id, []).append(table)
    lines = []
    for of_game in by_game.values():
        playing = sum(not _over(table) for table in of_game)
        played = viewer is not None and any(
            _has_played(attempts.get(table.play_id or 0, ()), viewer) for table in of_game
        )
        shown = played or not playing
        lines.append(
            GameLine(
                game=of_game[0].game,
                tables=tuple(_table_line(table, attempts, shown=shown) for table in of_game),
                playing=playing,
                shown=shown,
                played=played,
            )
        )
    return lines


def _over(table: NightTable) -> bool:
    return table.idle or (table.play is not None and table.play.finished_at is not None)


def _has_played(attempts: Sequence[Attempt], viewer: Player) -> bool:
    """Whether a player has finished a game; players who left see no more than outsiders."""
    return any(
        row.player_id == viewer.pk
        and not row.computer
        and row.play.finished_at is not None
        and row.ended == Attempt.Ended.PLAYED
        for row in attempts
    )


def _table_line(
    table: NightTable, attempts: Mapping[int, list[Attempt]], *, shown: bool
) -> TableLine:
    sitting = attempts.get(table.play_id or 0)
    if sitting is None:
        rows = (table.first, table.second, table.third)[: table.game.night.seats]
        players = tuple(row.player if row else None for row in rows)
        return TableLine(players, _over(table), table.idle, None, begun=table.play_id is not None)
    over = _over(table)
    scores = tuple(row.score or 0 for row in sitting) if over and shown else None
    gone = tuple(row.player for row in sitting if scores and row.ended != Attempt.Ended.PLAYED)
    return TableLine(tuple(row.player for row in sitting), over, table.idle, scores, gone=gone)


def _results(
    entrant: Entrant,
    tables: Sequence[NightTable],
    attempts: Mapping[int, list[Attempt]],
    above: Mapping[int, float],
) -> dict[int, Result]:
    """Return an entrant's results by game number."""
    found = {}
    for table in tables:
        sitting = attempts.get(table.play_id or 0, ())
        own = [row for row in sitting if row.player_id == entrant.player_id and not row.computer]
        if own and own[0].play.finished_at is not None:
            others = [row for row in sitting if row.seat != own[0].seat]
            found[table.game.number] = Result(
                number=table.game.number,
                opponents=tuple(row.player for row in others),
                own=own[0].score or 0,
                others=tuple(row.score or 0 for row in others),
                score=_score(own[0], sitting),
                above=above.get(own[0].pk),
                left=own[0].ended != Attempt.Ended.PLAYED,
            )
    return found


def _score(own: Attempt, sitting: Sequence[Attempt]) -> Score:
    scores = [row.score or 0 for row in sitting]
    gone = [row.seat for row in sitting if row.ended != Attempt.Ended.PLAYED]
    if len(sitting) == 3:
        return acc_scoring.score_of_three(scores=scores, gone=gone, seat=own.seat)
    margin = scores[own.seat] - scores[1 - own.seat]
    return acc_scoring.score(won=own.won is True, margin=margin, left=bool(gone))


def _above(night: ClubNight, attempts: Mapping[int, list[Attempt]]) -> dict[int, float]:
    """Return the margin of each attempt minus the mean of all others in its seat, points.

    The others include the house computers that play each new game.
    """
    field: dict[Seat, dict[int, float]] = {}
    rows = Attempt.objects.filter(
        standard_game__night_game__night=night, play__finished_at__isnull=False
    ).exclude(play__exclusion__in=NOT_COMPARED)
    for game, seat, pk, counted in rows.values_list("standard_game", "seat", "pk", "counted"):
        field.setdefault((game, seat), {})[pk] = counted or 0.0
    found = {}
    for sitting in attempts.values():
        for row in sitting:
            held = field.get((row.standard_game_id, row.seat), {})
            others = [margin for pk, margin in held.items() if pk != row.pk]
            if others and row.play.finished_at is not None:
                found[row.pk] = margin_of(row) - sum(others) / len(others)
    return found


def _line(
    place: int,
    entrant: Entrant,
    total: Total,
    results: Mapping[int, Result],
    games: int,
    away: bool,
) -> Line:
    compared = [result.above for result in results.values() if result.above is not None]
    return Line(
        place=place,
        entrant=entrant,
        total=total,
        above=sum(compared) if compared else None,
        results=tuple(results.get(number) for number in range(1, games + 1)),
        away=away,
    )


def _own_table(
    tables: Sequence[NightTable], attempts: Mapping[int, list[Attempt]], viewer: Player | None
) -> str:
    for table in tables:
        if viewer is None or table.play is None or table.play.match is None:
            continue
        rows = attempts.get(table.play.pk, ())
        sits = any(row.player_id == viewer.pk and not row.computer for row in rows)
        if sits and table.play.match.status == Match.Status.PLAYING and not _left(table, viewer):
            return table.play.match.public_id
    return ""


def _left(table: NightTable, viewer: Player) -> bool:
    """Whether the reader has left their table for good; needed for one table at most."""
    match = table.play.match if table.play else None
    return match is not None and match.seats.filter(player=viewer, left_at__isnull=False).exists()


def _waits(entrant: Entrant, tables: Sequence[NightTable]) -> bool:
    return any(
        table.play_id is None
        and not table.idle
        and entrant.pk in {table.first_id, table.second_id, table.third_id}
        for table in tables
    )
