"""State machine of team leagues: which step is due. `ratings.stages.state_machine` takes the steps.

A planned league begins at its time or is called off. Then its rounds follow each other: a round
opens a match for each fixture, and is over when all of them are, at the latest some hours after its
deadline. A match that has not begun by then goes to the team that was ready.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Count, F, QuerySet
from django.urls import reverse
from django.utils.text import Truncator

from games.api import Match, job, remind
from ratings.events import team_matches
from ratings.events.progress import reminder_key
from ratings.models import Event, EventEntrant, Fixture, LeagueTeam, TeamLeague, TeamPlayer
from ratings.models.events import LONGEST_TITLE
from ratings.seasons.scoring import medals
from ratings.stages.state_machine import StateMachine, Step
from ratings.team_leagues import schedule, scoring
from ratings.team_leagues.tables import table_of

SHORTEST_ROUND = timedelta(days=1)
"""Time that a round has at least, even if the one before it ended late."""
MIN_TEAMS = 2

State, How = TeamLeague.State, Fixture.How
_random = secrets.SystemRandom()


def advance(*, league: TeamLeague, now: datetime | None = None) -> TeamLeague:
    """Take all steps that are due; return the league in its new state."""
    return MACHINE.advance(league, now)


@job(tries=20)
def advance_later(pk: int) -> None:
    """Take the steps of a league that are due, by primary key."""
    MACHINE.advance_by_key(pk)


def event_over(event: Event) -> None:
    """Have a job look at the league of a match that is over or was corrected."""
    league = Fixture.objects.filter(event=event).values_list("league", flat=True).first()
    if league is not None:
        advance_later.enqueue(league)


def touch(league: TeamLeague) -> None:
    """Note that the league's page shows something new."""
    TeamLeague.objects.filter(pk=league.pk).update(version=F("version") + 1)


def locked(league: TeamLeague) -> TeamLeague:
    """Return a league's row, locked; call it in a transaction."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("lock a league in a transaction")
    return MACHINE.lock(league)


def has_enough_teams(league: TeamLeague) -> bool:
    """Whether enough teams have two players."""
    return _whole_teams(league).count() >= MIN_TEAMS


def _whole_teams(league: TeamLeague) -> QuerySet[LeagueTeam]:
    rows = league.teams.annotate(number_of_players=Count("players"))
    return rows.filter(number_of_players__gte=team_matches.SIDE)


def begin(league: TeamLeague, now: datetime) -> None:
    """Begin a league: incomplete teams are out, and the fixtures are drawn by lot."""
    whole = list(_whole_teams(league).order_by("number"))
    league.teams.exclude(pk__in=[team.pk for team in whole]).delete()
    _random.shuffle(whole)
    drawn = schedule.rounds(number=len(whole), double=league.double)
    league.state, league.rounds, league.starts_at = State.RUNNING, len(drawn), now
    league.save(update_fields=["state", "rounds", "starts_at"])
    Fixture.objects.bulk_create(
        Fixture(
            league=league, round=number, home=whole[home], away=whole[away],
            due_at=now + number * timedelta(days=league.days),
        )
        for number, pairs in enumerate(drawn, start=1)
        for home, away in pairs
    )  # fmt: skip


def call_off(league: TeamLeague, now: datetime) -> None:
    """Call off a league that has not begun."""
    league.state, league.over_at = State.OFF, now
    league.save(update_fields=["state", "over_at"])


def stop(league: TeamLeague, now: datetime) -> None:
    """End a running league early: no match begins any more, and those under way still count."""
    for row in league.fixtures.filter(ended_at__isnull=True).select_related("event"):
        if row.event is None or team_matches.close(row.event, now) is not None:
            _store(row, How.VOID, 0, 0, 0.0, now)
    league.rounds = league.current
    league.save(update_fields=["rounds"])


def _next_step(league: TeamLeague, now: datetime) -> Step | None:
    """Return the step that is due; None if none is."""
    step: Step | None = None
    if league.is_planned and now >= league.starts_at:
        step = partial(begin if has_enough_teams(league) else call_off, league, now)
    elif league.is_running:
        step = _running_step(league, now)
    elif league.state == State.OVER:
        step = _corrected_step(league)
    return None if step is None else partial(_take, league, step)


def _take(league: TeamLeague, step: Step) -> None:
    step()
    touch(league)


def _running_step(league: TeamLeague, now: datetime) -> Step | None:
    corrected = _corrected_step(league)
    if corrected is not None:
        return corrected
    pending = league.fixtures.filter(round__lte=league.current, ended_at__isnull=True)
    rows = list(pending.select_related("event", "home", "away").order_by("pk"))
    due = [row for row in rows if _is_due(row, now)]
    if due:
        return partial(_close, due, now)
    if rows:
        return None
    if league.current >= league.rounds:
        return partial(_finish, league, now)
    return partial(_open_round, league, now)


def _is_due(row: Fixture, now: datetime) -> bool:
    """Whether a fixture's result is due: its match is over, or will not be played."""
    if row.event is not None and row.event.is_running:
        return False
    over = row.event is not None and row.event.is_over
    return over or now >= row.due_at or row.home.withdrawn or row.away.withdrawn


def _close(rows: list[Fixture], now: datetime) -> None:
    """Store the results of fixtures; a match that began meanwhile is left alone."""
    for row in rows:
        margin = ready = None
        if row.event is None:
            ready = (False, False)
        elif not row.event.is_over:
            ready = team_matches.close(row.event, now)
        elif row.event.state == Event.State.OFF and (row.event.over_at or now) < row.due_at:
            ready = (False, False)  # the organiser cancelled it, while it could still be played
        elif (margin := team_matches.margin(row.event)) is None:
            ready = team_matches.ready(row.event)
        if margin is not None:
            _store(row, How.PLAYED, *scoring.points_of(margin), margin, now)
        elif ready is not None:
            _store_walkover(row, ready, now)


def _store_walkover(row: Fixture, ready: tuple[bool, bool], now: datetime) -> None:
    """Store the result of a match that was not played: who was ready wins, alone."""
    home = not row.home.withdrawn and (ready[0] or row.away.withdrawn)
    away = not row.away.withdrawn and (ready[1] or row.home.withdrawn)
    if home == away:
        _store(row, How.VOID, 0, 0, 0.0, now)
    else:
        points = (scoring.WIN, scoring.LOSS) if home else (scoring.LOSS, scoring.WIN)
        _store(row, How.WALKOVER, *points, 0.0, now)


def _store(row: Fixture, how: str, home: int, away: int, margin: float, now: datetime) -> None:
    row.how, row.home_points, row.away_points, row.margin = how, home, away, margin
    row.ended_at = row.ended_at or now
    row.save(update_fields=["how", "home_points", "away_points", "margin", "ended_at"])


def _corrected_step(league: TeamLeague) -> Step | None:
    """Return the step that follows the correction of a game, unless the fixture itself was set."""
    played = league.fixtures.filter(how=How.PLAYED, event__played__tables__games__corrected=True)
    for row in played.select_related("event").distinct():
        margin = team_matches.margin(row.event) if row.event is not None else None
        if margin is not None and margin != row.margin:
            return partial(_correct, league, row, margin)
    return None


def _correct(league: TeamLeague, row: Fixture, margin: float) -> None:
    _store(row, How.PLAYED, *scoring.points_of(margin), margin, row.due_at)
    if league.is_over:
        set_places(league)


def _open_round(league: TeamLeague, now: datetime) -> None:
    """Open the matches of the next round; teams of computers are ready at once."""
    league.current += 1
    league.save(update_fields=["current"])
    rows = league.fixtures.filter(round=league.current)
    for row in rows.select_related("home", "away").order_by("pk"):
        if row.home.withdrawn or row.away.withdrawn:
            continue
        row.due_at = max(row.due_at, now + SHORTEST_ROUND)
        row.event = team_matches.open_match(
            organiser=league.made_by,
            title=_title(row),
            games=league.games,
            now=now,
            until=row.due_at,
        )
        row.save(update_fields=["due_at", "event"])
        for side, team in enumerate((row.home, row.away)):
            if team.computer:
                for member in team.players.select_related("player"):
                    team_matches.enter(
                        event=row.event, player=member.player, team=side, computer=True
                    )


def _title(row: Fixture) -> str:
    """Return the title of a match: its teams, shortened if they would not fit."""
    names = row.home.name, row.away.name
    title = " – ".join(names)
    if len(title) > LONGEST_TITLE:
        each = (LONGEST_TITLE - len(" – ")) // 2
        title = " – ".join(Truncator(name).chars(each) for name in names)
    return title


def tell_ready(row: Fixture, now: datetime) -> None:
    """Tell the players of a match that it begins, now that all of them are ready."""
    if row.event is None:
        raise ValueError(f"fixture {row.pk} has no match")
    players = [
        entrant.player
        for entrant in row.event.entrants.filter(computer=False).select_related("player")
    ]
    remind(
        players=players,
        key=reminder_key(row.event),
        title=row.event.title,
        address=reverse("ratings:event", args=[row.event.public_id]),
        until=now + timedelta(minutes=row.event.no_show),
        begun=True,
    )


def _finish(league: TeamLeague, now: datetime) -> None:
    league.state, league.over_at = State.OVER, now
    league.save(update_fields=["state", "over_at"])
    set_places(league)


def set_places(league: TeamLeague) -> None:
    """Store final places; titles go to those who played for the best teams.

    These are the first team, of four also the second, and of eight the third.
    """
    teams = list(league.teams.all())
    places = {total.team: total.place for total in table_of(league, teams)}
    for team in teams:
        team.place = places[team.pk]
    LeagueTeam.objects.bulk_update(teams, ["place"])
    played = league.fixtures.filter(how__in=[How.PLAYED, How.CORRECTED]).exists()
    titles = medals(len(teams)) if played else 0
    best = [t.pk for t in teams if (t.place or 0) <= titles and not t.withdrawn and not t.computer]
    league.players.update(titled=False)
    seated = EventEntrant.objects.filter(
        event__fixture__league=league, event__state=Event.State.OVER
    )
    TeamPlayer.objects.filter(
        league=league, team__in=best, computer=False, player__is_active=True,
        player__in=seated.values("player"),
    ).update(titled=True)  # fmt: skip


def _dates(league: TeamLeague) -> list[datetime]:
    if league.is_planned:
        return [league.starts_at]
    rows = league.fixtures.filter(round__lte=league.current, ended_at__isnull=True)
    return list(rows.values_list("due_at", flat=True))


def _most_steps(league: TeamLeague) -> int:
    """Return a bound: each round is opened and closed, and any result may be corrected."""
    return 10 + 4 * league.rounds + league.fixtures.count()


def _matches(_league: TeamLeague) -> QuerySet[Match]:
    """Return no matches: those of its team matches are collected with these."""
    return Match.objects.none()


def _wait(pk: int, date: datetime) -> None:
    advance_later.using(run_after=date).enqueue(pk)


MACHINE = StateMachine(
    rows=TeamLeague.objects.all,
    next_step=_next_step,
    dates=_dates,
    most_steps=_most_steps,
    matches=_matches,
    wait=_wait,
)
