"""Open data: a file a month with the matches that became public in it, without names.

A file is one game record (`games.engine.record`) a line, compressed with Zstandard. A match is in
the file of the month in which everyone could see it for the first time, so that it is in one file
alone. Files are written anew when a match in them is no longer public, or a name must go.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from io import BufferedRandom
from typing import Any

import orjson
import zstandard
from django.core.files import File
from django.core.files.storage import Storage, storages
from django.db import transaction
from django.db.models import Prefetch
from django.utils import timezone

from games.archive import sharing
from games.archive.public import public_among
from games.engine.moves import parse_move
from games.engine.record import write_records
from games.engine.state import Ruleset
from games.jobs.backend import BATCH, job
from games.log import store
from games.models import Match, OpenDataFile, Player, PublicMatch, Seat

LICENCE_ADDRESS = "https://creativecommons.org/publicdomain/zero/1.0/"
AT_ONCE = 100
"""Matches read together: what a file needs in memory."""
LEVEL = 10
"""Compression, 1 to 22."""
APART = timedelta(hours=1)
"""Time between two writings of a file for what its players change."""


def storage() -> Storage:
    """Return where the files are."""
    return storages["open_data"]


def number_of(month: date) -> int:
    """Return a month as the number that its job takes."""
    return 12 * month.year + month.month - 1


def month_of(number: int) -> date:
    """Return the first day of a month by its number."""
    return date(number // 12, number % 12 + 1, 1)


def file_name(month: date) -> str:
    """Return the name under which a month's file is downloaded."""
    return f"cribbage-{month:%Y-%m}.jsonl.zst"


@job(queue=BATCH)
def write_due() -> None:
    """Have the files written of all months that are over and have public matches, but no file.

    A file that the storage has lost is written again.
    """
    now = timezone.now().astimezone(UTC)
    this = number_of(now.date())
    oldest = PublicMatch.objects.order_by("since").values_list("since", flat=True).first()
    if oldest is None:
        return
    rows = OpenDataFile.objects.all()
    written = {number_of(row.month) for row in rows if storage().exists(row.stored)}
    for number in range(number_of(oldest.astimezone(UTC).date()), this):
        if number not in written:
            write_month.enqueue(number)


@job(queue=BATCH, limit=timedelta(hours=2))
def write_month(number: int) -> None:
    """Write the file of a month, by its number, in place of the one that there may be."""
    month = month_of(number)
    with tempfile.TemporaryFile() as file:
        games = _write(month, file)
        size = file.tell()
        digest = _sha256(file)
        file.seek(0)
        stored = storage().save(f"{month:%Y-%m}-{digest[:16]}.jsonl.zst", File(file))
    with transaction.atomic():
        old = OpenDataFile.objects.select_for_update().filter(month=month).first()
        values = {"games": games, "size": size, "sha256": digest, "stored": stored}
        OpenDataFile.objects.update_or_create(
            month=month, defaults=values | {"written_at": timezone.now()}
        )
    if old is not None and old.stored != stored:
        storage().delete(old.stored)


def rewrite_after(since: datetime) -> None:
    """Have the file written anew that has the matches which became public at a time, if any.

    Also without a file: it may be being written for the first time, with what has to go. A file
    that was just written waits until it is `APART` old, since settings can be changed in seconds.
    """
    now = timezone.now()
    month = number_of(since.astimezone(UTC).date())
    if month < number_of(now.astimezone(UTC).date()):
        row = OpenDataFile.objects.filter(month=month_of(month)).first()
        due = now if row is None else max(now, row.written_at + APART)
        write_month.using(run_after=due).enqueue(month)


def records(month: date) -> Iterator[dict[str, Any]]:
    """Yield the records of a month's matches in order; the access rules are asked again."""
    begin = datetime(month.year, month.month, 1, tzinfo=UTC)
    after = month_of(number_of(month) + 1)
    rows = PublicMatch.objects.filter(
        since__gte=begin, since__lt=datetime(after.year, after.month, 1, tzinfo=UTC)
    )
    some: list[int] = []
    at = 0
    for key in rows.order_by("pk").values_list("pk", flat=True).iterator():
        some.append(key)
        if len(some) == AT_ONCE:
            yield from _records(some, at)
            at, some = at + len(some), []
    yield from _records(some, at)


def _records(matches: list[int], first: int) -> Iterator[dict[str, Any]]:
    seats = Seat.objects.select_related("player").order_by("seat")
    public = public_among(matches)
    rows = Match.objects.filter(pk__in=public).prefetch_related(Prefetch("seats", seats))
    by_key = {row.pk: row for row in rows}
    for at, key in enumerate(matches, start=first + 1):
        if key in by_key:
            yield from record_of(by_key[key], number=at)


def record_of(match: Match, *, number: int) -> Iterator[dict[str, Any]]:
    """Yield the records of a match's games, without what would tell who played.

    Names appear only where a player chose to be named; there are no ids, and of the time only the
    day. ``number`` is the match's number in its file.
    """
    moves = [parse_move(entry.text) for entry in store.whole(match.pk)]
    about = {
        "match": number,
        "day": match.finished_at.astimezone(UTC).date().isoformat() if match.finished_at else None,
        "ranked": match.ranked,
        "ended_by": match.ended_by,
        "seats": [_seat(match, row) for row in match.seats.all()],
    }
    games = write_records(Ruleset.from_dict(match.ruleset), moves)
    for game, record in enumerate(games, start=1):
        yield about | {"game": game} | record


def _seat(match: Match, row: Seat) -> dict[str, Any]:
    """Return what the file says about a seat."""
    player = row.player
    if player is None:
        return {"kind": "person"}
    found: dict[str, Any] = {"kind": "computer" if player.is_computer else "person"}
    if row.substituted or row.left_at is not None:
        found["left"] = True
    if player.is_computer and player.owner_id is None:
        found |= {"name": player.name, "version": player.bot_version}
    elif _is_named(match, player):
        found["name"] = player.name
    return found


def _is_named(match: Match, player: Player) -> bool:
    """Whether a person chose to be named, at this table and in their settings."""
    chosen = player.sharing == sharing.Sharing.NAMED and not player.private
    return player.is_person and chosen and sharing.shows_name(match, player)


def _write(month: date, file: BufferedRandom) -> int:
    """Write a month's records; return their number."""
    games = 0
    compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
    with compressor.stream_writer(file, closefd=False) as out:
        for record in records(month):
            out.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
            games += 1
    return games


def _sha256(file: BufferedRandom) -> str:
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest()
