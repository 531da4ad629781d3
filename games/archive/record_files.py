"""Export and import of matches as game records, with players and times."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from games.archive.notations.halscrib import can_be_written, write_halscrib
from games.engine.faults import quoted
from games.engine.moves import parse_move
from games.engine.record import RecordError, read_record, write_records
from games.engine.state import Ruleset
from games.log import prewritten, results, store
from games.models import Match, Player, Seat
from games.people.accounts import checked_name

_EARLIEST = datetime(1600, 1, 1, tzinfo=UTC)
"""Cribbage did not exist before."""
_SLACK = timedelta(days=1)
"""Tolerance for clocks that are ahead."""


def export_match(*, match: Match) -> list[dict[str, Any]]:
    """Return a record of each game of ``match`` in which a hand was dealt.

    The additional fields are ``match`` and ``game`` (from 1), ``seats`` with the ``name``, ``kind``
    and ``id`` of each player, ``started_at`` and ``finished_at``. People in imported games who have
    no account here have a name only. The caller must check that the reader may see all cards.
    """
    log = store.whole(match.pk)
    moves = [parse_move(entry.text) for entry in log]
    seats = match.seats.select_related("player").order_by("seat")
    about = {
        "seats": [_who(seat) for seat in seats],
        "started_at": _text(match.started_at),
        "finished_at": _text(match.finished_at),
    }
    records = write_records(Ruleset.from_dict(match.ruleset), moves)
    return [
        {"match": match.public_id, "game": number, **about, **record}
        for number, record in enumerate(records, start=1)
    ]


def export_halscrib(*, match: Match) -> str | None:
    """Return the games of ``match`` in HALSCRIB's notation; None if it cannot hold them.

    The caller must check that the reader may see all cards.
    """
    if not can_be_written(Ruleset.from_dict(match.ruleset)):
        return None
    return "\n".join(write_halscrib(record) for record in export_match(match=match))


def import_record(
    *,
    data: object,
    players: Mapping[int, Player | str] | None = None,
    creator: Player | None = None,
) -> Match:
    """Store a game record as a match of one game, flagged as imported.

    Args:
        data: the record; ``seats``, ``started_at`` and ``finished_at`` are optional, in the format
            of `export_match`.
        players: by seat, each a player, or the name of someone who has no account here. Others are
            looked up by their ids; seats of unknown ids get the name in the record.
        creator: the importer, if known.

    Raises:
        RecordError: if the record is malformed, or its game illegal or inconsistent.
    """
    record = read_record(data)
    if record.difference is not None:
        found = record.difference
        raise RecordError.at(found.error(), found.hand, found.event, record)
    about = data if isinstance(data, dict) else {}
    started = _time(about.get("started_at"), "started_at") or timezone.now()
    finished = _time(about.get("finished_at"), "finished_at") or started
    with transaction.atomic():
        match = Match.objects.create(
            ruleset=record.ruleset.to_dict(),
            status=Match.Status.FINISHED,
            created_by=creator,
            started_at=started,
            finished_at=finished,
            ended_by=Match.EndedBy.ABANDONED,
            imported=True,
        )
        seated = _players(about.get("seats"), dict(players or {}), record.ruleset.players)
        Seat.objects.bulk_create(
            Seat(match=match, seat=seat, name=who)
            if isinstance(who, str)
            else Seat(match=match, seat=seat, player=who, computer=who.is_computer)
            for seat, who in enumerate(seated)
        )
        ended = prewritten.write(
            match=match.pk,
            ruleset=record.ruleset,
            moves=record.moves,
            at=started,
            ended_at=finished,
        )
        if not any(each.match for each in ended):
            results.file_seats(match=match.pk, at=finished)
    match.refresh_from_db()
    return match


def _who(seat: Seat) -> dict[str, str | None] | None:
    """Return who played at a seat; None if it is empty."""
    if seat.player is None:
        return {"name": seat.name, "kind": None, "id": None} if seat.name else None
    return {"name": seat.player.name, "kind": seat.player.kind, "id": seat.player.public_id}


def _players(
    in_record: object, given: Mapping[int, Player | str], number: int
) -> list[Player | str]:
    """Return the players, or their names, by seat."""
    seats = in_record if isinstance(in_record, list) else []
    found: list[Player | str] = []
    for seat in range(number):
        about = seats[seat] if seat < len(seats) and isinstance(seats[seat], dict) else {}
        ident = str(about.get("id"))
        listed = Player.objects.filter(public_id=ident).first() if ident.isalnum() else None
        known = given.get(seat) or listed
        found.append(known or _name(about.get("name"), seat))
    people = [who.pk for who in found if isinstance(who, Player) and not who.is_computer]
    if len(set(people)) < len(people):
        raise RecordError("two_seats")
    return found


def seat_name(seat: int) -> str:
    """Return the name of a player of whom only the seat is known, by its number from 0."""
    return _("Seat %(n)d") % {"n": seat + 1}


def _name(name: object, seat: int) -> str:
    try:
        return checked_name(name) if isinstance(name, str) and name else seat_name(seat)
    except ValidationError as cause:
        why = " ".join(cause.messages)
        raise RecordError("bad_name", seat=seat, found=quoted(str(name)), why=why) from cause


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat()


def _time(text: object, field: str) -> datetime | None:
    if text is None:
        return None
    try:
        moment = parse_datetime(text) if isinstance(text, str) else None
    except ValueError:
        moment = None
    if moment is not None and not timezone.is_aware(moment):
        moment = moment.replace(tzinfo=UTC)
    if moment is None or not _EARLIEST <= moment <= timezone.now() + _SLACK:
        raise RecordError("bad_time", place=field, found=quoted(text))
    return moment
