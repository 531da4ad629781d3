"""Players of a tournament who sit at other timed tables, and time that goes by meanwhile."""

from datetime import timedelta

from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.models import Match, Player
from ratings.models import Event, EventRound, Play
from ratings.standard import catalogue
from tests.support.standard_tables import people, play_on
from tests.support.tournaments import under_way, work


def ranked_match(player: Player, number: int = 70) -> Match:
    """Seat a player at a ranked table."""
    pair = [player, *people(1, number)]
    game = catalogue.choose_game(players=pair)
    return catalogue.start_match(game=game, players=pair, kind=Play.Kind.RANKED)


def over(match: Match) -> None:
    """Play a match to its end, as a process does that plays it, and let the jobs follow."""
    from ratings.apps import _collect_result

    play_on(match)
    _collect_result(match.pk)
    work()


def seated(event: Event) -> set[Player]:
    """Return who sits at a running table of an event."""
    return {row.player for match in under_way(event) for row in match.seats.all() if row.player}


def pass_time(event: Event, minutes: int) -> None:
    """Let minutes go by since a round began, and run the job that is due then."""
    row = EventRound.objects.get(event=event, ended_at=None)
    row.began_at -= timedelta(minutes=minutes)
    row.save()
    DBTaskResult.objects.filter(status="READY").update(run_after=timezone.now())
    work()
