"""Life of a season: it opens with its first day, is counted every hour, and becomes final.

Games that ended in a season go on to move its standings, since others play the same cards
afterwards. `GRACE` after its last day the standings are computed once more and kept. They are
stored in one transaction that locks the season's row and looks at its state again, so a second
process or a repeated job changes nothing, and a killed one leaves the season as it was. The
counting comes before the transaction, which on SQLite would block every other write.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from django.db import transaction
from django.utils import timezone

from games.api import BATCH, job
from ratings.models import Season, SeasonEntry
from ratings.seasons.counting import entries_of, midnight, number_of_plays

GRACE = timedelta(days=3)
"""Time from the end of a season until its standings are final."""
YEARS_EVERY = timedelta(hours=20)
"""Minimum time between two counts of a year, which reads more results than a month's."""

Kind, State = Season.Kind, Season.State
_COUNTED = ("games", "average", "score", "place", "titled")


@job(queue=BATCH, tries=20)
def count_seasons() -> None:
    """Count the open seasons again, and make those final that are due; every hour."""
    advance_all(now=timezone.now())


def advance_all(*, now: datetime) -> None:
    """Open the month and the year of a moment, and count or close all open seasons."""
    open_seasons(on=now.astimezone(UTC).date())
    for pk in Season.objects.filter(state=State.OPEN).order_by("starts_on").values_list("pk"):
        advance(season=pk[0], now=now)


def open_seasons(*, on: date) -> None:
    """Create the month and the year of a day, unless they exist."""
    Season.objects.get_or_create(kind=Kind.MONTH, starts_on=on.replace(day=1))
    Season.objects.get_or_create(kind=Kind.YEAR, starts_on=on.replace(month=1, day=1))


def advance(*, season: int, now: datetime) -> None:
    """Count a season (primary key) that is open, and make it final if that is due."""
    row = Season.objects.get(pk=season)
    final = now >= final_at(row)
    if row.is_final or (not final and not _is_due(row, now)):
        return
    plays = number_of_plays(season=row)
    entries = entries_of(season=row, final=final)
    with transaction.atomic():
        row = Season.objects.select_for_update().get(pk=season)
        if row.is_final or (final and number_of_plays(season=row) != plays):
            return  # in the second case results have just been removed or restored
        _store(row, entries)
        row.state, row.counted_at = (State.FINAL if final else State.OPEN), now
        row.save(update_fields=["state", "counted_at"])


def final_at(season: Season) -> datetime:
    """Return when the standings of a season become final."""
    return midnight(season.ends_before) + GRACE


def withdraw(*, player: int, withdrawn: bool) -> None:
    """Hide a player's entries in final seasons, or show them again; by primary key.

    Moderators remove all results of a player at once. Open seasons follow when they are counted;
    places in final ones stay as they are, with a gap. A season that is being closed is waited for.
    """
    with transaction.atomic():
        list(Season.objects.select_for_update().filter(state=State.OPEN).order_by("pk"))
        rows = SeasonEntry.objects.filter(player_id=player, season__state=State.FINAL)
        rows.update(withdrawn=withdrawn)


def forget(*, player: int) -> None:
    """Delete a player's entries before their account is deleted, by primary key."""
    SeasonEntry.objects.filter(player_id=player).delete()


def _is_due(season: Season, now: datetime) -> bool:
    return season.is_month or not season.counted_at or season.counted_at <= now - YEARS_EVERY


def _store(season: Season, entries: list[SeasonEntry]) -> None:
    """Replace the entries of a season; rows that stay keep their key."""
    kept = {(row.player_id, row.seats): row.pk for row in season.entries.all()}
    for entry in entries:
        entry.pk = kept.pop((entry.player_id, entry.seats), None)
    season.entries.filter(pk__in=kept.values()).delete()
    SeasonEntry.objects.bulk_update(
        [entry for entry in entries if entry.pk], _COUNTED, batch_size=500
    )
    SeasonEntry.objects.bulk_create([entry for entry in entries if not entry.pk], batch_size=500)
