"""Leavers: players who left ranked games, and how long they wait before the next.

Players leave a game by resigning, or by running out of time so that the computer plays on. It does
not count if the service was down while their decision was due, or once a moderator has forgiven
it. Linked accounts share their penalties.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from games.api import Player, Refused, true_now
from ratings.matchmaking import leaver_penalties
from ratings.matchmaking.leaver_penalties import Grade
from ratings.models import Attempt, Leaving, Play
from ratings.standard import identities
from ratings.standard.exclusions import MAY_COUNT


@dataclass(frozen=True, slots=True)
class LeaverStatus:
    """A player's penalty and the games it comes from.

    Attributes:
        left: the games that count, newest first.
        grade: the resulting grade.
    """

    left: tuple[Leaving, ...]
    grade: Grade

    @property
    def until(self) -> datetime | None:
        """The time from which they may play ranked again; None if they may now."""
        until = self.grade.until
        return until if until is not None and until > true_now() else None


def record_leaving(*, match: int, player: int, timed_out: bool, excused: bool) -> None:
    """Record that a player left a match, if it came from the queue; idempotent."""
    if Play.objects.filter(match_id=match, kind=Play.Kind.RANKED).exists():
        with transaction.atomic():
            Leaving.objects.get_or_create(
                match_id=match,
                player_id=player,
                defaults={"at": true_now(), "timed_out": timed_out, "excused": excused},
            )


def status_of(player: Player) -> LeaverStatus:
    """Return the current penalty of ``player``."""
    people = identities.with_linked([player])
    since = true_now() - leaver_penalties.WINDOW
    rows = Leaving.objects.filter(
        player_id__in=people, at__gt=since, excused=False, forgiven_at__isnull=True
    )
    left = tuple(rows.select_related("match").order_by("-at"))
    if not left:
        return LeaverStatus((), Grade(0, None, 0))
    finished = (
        Attempt.objects.filter(
            player_id__in=people,
            ended=Attempt.Ended.PLAYED,
            play__kind=Play.Kind.RANKED,
            play__finished_at__gt=left[-1].at,
        )
        .exclude(play__exclusion=Play.Exclusion.WAITING)
        .values_list("play__finished_at", flat=True)
    )
    known = [at for at in finished if at is not None]
    return LeaverStatus(
        left, leaver_penalties.penalty_grade(left=[row.at for row in left], finished=known)
    )


def check(player: Player) -> None:
    """Check that ``player`` may enter the queue.

    Raises:
        Refused: ``ranked_banned`` while a moderator keeps them out, ``ranked_paused`` while they
            have to wait.
    """
    if player.is_kept_from_ranked:
        raise Refused("ranked_banned")
    if status_of(player).until is not None:
        raise Refused("ranked_paused")


def exclude_games(*, guest: int, account: Player) -> None:
    """Exclude ranked games that a guest (a primary key) began while the account had to wait.

    Before the guest's attempts move to the account, so that they do not lower its grade either.
    """
    found = status_of(account)
    if found.grade.until is not None:
        since = found.left[0].at
        games = Play.objects.filter(attempts__player=guest, kind=Play.Kind.RANKED)
        begun = games.filter(match__created_at__range=(since, found.grade.until))
        begun.filter(exclusion__in=MAY_COUNT).update(exclusion=Play.Exclusion.WAITING)


def forgive(*, player: int) -> int:
    """Forgive a player all games they left; return how many."""
    rows = Leaving.objects.filter(player_id=player, forgiven_at__isnull=True)
    return rows.update(forgiven_at=true_now())
