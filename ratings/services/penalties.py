"""Who left ranked games, and how long he waits before the next; he is told which and why.

A game counts as left if its player gave it up, or let the time of a decision run out so that the
computer played on. It does not count if the service itself was out while the decision was awaited,
nor once a moderator has forgiven it. Accounts that are taken for one person's wait together.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from games.api import Player, Refused
from ratings import grades
from ratings.grades import Grade
from ratings.models import Attempt, Leaving, Play
from ratings.services import catalogue


@dataclass(frozen=True, slots=True)
class Standing:
    """What is held against somebody who wants to play ranked.

    Attributes:
        left: the games that count, the last one first.
        grade: what comes of them and of the games finished since.
    """

    left: tuple[Leaving, ...]
    grade: Grade

    @property
    def until(self) -> datetime | None:
        """When he may play ranked again; None where he may now."""
        until = self.grade.until
        return until if until is not None and until > timezone.now() else None


def note_left(*, match: int, player: int, timed_out: bool, excused: bool) -> None:
    """Write down that a player left a match, if it came from the queue; twice is once."""
    if Play.objects.filter(match_id=match, kind=Play.Kind.RANKED).exists():
        with transaction.atomic():
            Leaving.objects.get_or_create(
                match_id=match,
                player_id=player,
                defaults={"timed_out": timed_out, "excused": excused},
            )


def standing(player: Player) -> Standing:
    """Return what is held against ``player`` now."""
    people = catalogue.with_linked([player])
    since = timezone.now() - grades.WINDOW
    rows = Leaving.objects.filter(
        player_id__in=people, at__gt=since, excused=False, forgiven_at__isnull=True
    )
    left = tuple(rows.select_related("match").order_by("-at"))
    if not left:
        return Standing((), Grade(0, None, 0))
    finished = Attempt.objects.filter(
        player_id__in=people,
        ended=Attempt.Ended.PLAYED,
        play__kind=Play.Kind.RANKED,
        play__finished_at__gt=left[-1].at,
    ).values_list("play__finished_at", flat=True)
    known = [at for at in finished if at is not None]
    return Standing(left, grades.graded(left=[row.at for row in left], finished=known))


def check(player: Player) -> None:
    """Let ``player`` into the queue.

    Raises:
        Refused: ``ranked_paused`` while he has to wait.
    """
    if standing(player).until is not None:
        raise Refused("ranked_paused")


def forgive(*, player: int) -> int:
    """Hold nothing against a player any more; return how many games were forgiven."""
    rows = Leaving.objects.filter(player_id=player, forgiven_at__isnull=True)
    return rows.update(forgiven_at=timezone.now())
