"""Rematches: the next match between the same seats, stored with as few statements as possible."""

from __future__ import annotations

from typing import Protocol

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from games.models import Block, Match, Seat, statements
from games.models.prepared import Prepared
from games.ops import true_time
from games.people.player_lock import lock_seated
from games.tables.attended import are_hosting, leave_lobby_for
from games.wire.refusals import Refused


class Keyed(Protocol):
    """A match, of which the primary key is enough."""

    @property
    def pk(self) -> int:
        """The primary key."""


def make_rematch(*, match: Keyed) -> Match:
    """Return the rematch with the same rules and seats; the first call creates it.

    A substitute at the end of the match keeps the seat. The caller tells everyone at the table, and
    the other processes.

    Raises:
        Refused: ``not_offered`` while the match is in progress, or if a player has blocked another
            or is banned or deleted.
    """
    with transaction.atomic(), statements.together():
        lock_seated(match.pk)
        (row,) = _LOCKED.rows([match.pk])
        old = dict(zip(_REPEATED, row, strict=True))
        if old["rematch_id"] is not None:
            return Match.objects.get(pk=old["rematch_id"])
        finished = old["status"] == Match.Status.FINISHED
        if not finished or old["imported"] or old["ranked"] or old["parted"]:
            raise Refused("not_offered")
        # The scores of a match from the analysis board belong to its position, not to its rules.
        ruleset = {name: rule for name, rule in old["ruleset"].items() if name != "scores"}
        if old["duplicate_of_id"] is not None:
            # Its first dealer is decided by a cut, as in a new match.
            ruleset["first_dealer"] = None
        following = Match(
            ruleset=ruleset,
            created_by_id=old["created_by_id"],
            watchable=old["watchable"],
            hints=old["hints"],
            stand_in_level=old["stand_in_level"],
            days=old["days"],
            sharing=old["sharing"],
            status=Match.Status.PLAYING,
            started_at=true_time.now(),
        )
        statements.insert(following, also=[(_COPY, [match.pk]), (_LINK, [match.pk])])
        if old["hosting"]:
            leave_lobby_for(following)
    return following


def store_wish(*, match: int, seat: int, swap: bool) -> None:
    """Store that a seat of a correspondence match wants a rematch, perhaps with seats swapped."""
    Seat.objects.filter(match=match, seat=seat).update(rematch_wish=swap)


def are_parted() -> Q:
    """Return whether the players of a match cannot play on, as an expression on matches.

    One has blocked another, or is banned or deleted. They may have wished for a rematch before.
    """
    pair = {"blocker__seats__match": OuterRef("pk"), "blocked__seats__match": OuterRef("pk")}
    gone = Seat.objects.filter(
        match=OuterRef("pk"), computer=False, stand_in__isnull=True, player__is_active=False
    )
    return Q(Exists(Block.objects.filter(**pair))) | Q(Exists(gone))


_REPEATED = (
    *("ruleset", "created_by_id", "watchable", "hints", "stand_in_level", "days", "sharing"),
    *("rematch_id", "status", "imported", "ranked", "duplicate_of_id", "parted"),
    "hosting",
)
_LOCKED = Prepared(
    # Without a join: PostgreSQL cannot lock the side of one that may be missing.
    lambda keys: (
        Match.objects.select_for_update()
        .filter(pk__in=keys)
        .annotate(parted=are_parted(), hosting=are_hosting())
        .values_list(*_REPEATED)
    )
)


def link_rematch(match: int, following: int) -> None:
    """Make a match the rematch of another."""
    statements.tell((_LINK, [following, match]))


_LINK = f"UPDATE {Match._meta.db_table} SET rematch_id = %s WHERE id = %s"  # noqa: S608, SLF001


def copy_seats_swapped(match: int, following: int) -> None:
    """Seat the two players of a match at its rematch, each in the other's seat.

    A substitute at the end of the match keeps the seat.
    """
    statements.tell((_COPY_SWAPPED, [following, match]))


_SEATS = Seat._meta.db_table  # noqa: SLF001 - Django's documented interface to a model
_COPY = (
    f"INSERT INTO {_SEATS} (match_id, seat, player_id, name, computer, substituted, "  # noqa: S608
    "timed_out, end_seen, games_won, match_points, skunks, skunked, watchable) SELECT %s, seat, "
    "COALESCE(stand_in_id, player_id), '', computer OR stand_in_id IS NOT NULL, "
    f"FALSE, FALSE, FALSE, 0, 0, 0, 0, FALSE FROM {_SEATS} WHERE match_id = %s"
)
_COPY_SWAPPED = _COPY.replace("SELECT %s, seat,", "SELECT %s, 1 - seat,")
