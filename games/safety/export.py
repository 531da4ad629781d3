"""Export of personal data: hands as CSV, and everything as a ZIP of JSON files.

Both are streamed, so that fifty thousand matches need no more memory than one. Cards are included
only for matches that the player may replay, and never for matches in progress.
"""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from itertools import islice
from typing import Any

from allauth.account.models import EmailAddress
from django.db import models
from django.db.models import Max, QuerySet

from games import hooks
from games.archive.record_files import export_match
from games.log.substitutes import decisions_shown
from games.models import (
    Appeal,
    Hand,
    HandSeat,
    Match,
    Mistake,
    ModerationEntry,
    Player,
    Review,
    Seat,
)

CHUNK = 500
"""Rows read at once."""

PART = 16 * 1024
"""Size in bytes at which a part of the ZIP file is sent."""

HAND_COLUMNS = (
    "finished_at", "match", "game", "hand", "seat", "seats", "opponents", "dealer", "dealt",
    "thrown", "starter", "crib", "pegging", "hand_points", "crib_points", "muggins",
    "score_before", "score_after", "won",
)  # fmt: skip
"""The columns of the CSV file, which has a row for each of the player's hands."""

SECRET_FIELDS = frozenset({
    "password", "digest", "token", "name_skeleton", "key", "secret", "declined_at", "withdrawn",
    "closed_by",
})  # fmt: skip
"""Fields that are never exported: credentials, derived values, undisclosed refusals, moderators."""

LEFT_OUT = frozenset({"seats", "programs", "created_matches", "emailaddress", "attempts"})
"""Relations exported in another form in a separate file, some of them by hooks of other apps."""

FOR_MODERATORS = frozenset({"moderator_notes", "ban_proposals"})
"""Relations with what only moderators read."""

OWN_SIDES = frozenset({
    "reports_made", "friendships_asked", "friendships_received", "blocks_made",
    "mutes_made",
    "invitations_sent", "invitations_received",
})  # fmt: skip
"""The relations that make a row the player's own, in tables that refer to two players.

The rows of the other relation were made by others about the player, and belong to them.
"""


def replayable(player: Player) -> QuerySet[Seat]:
    """Return the seats of finished matches that ``player`` played to the end, oldest first.

    They may see all cards, except of matches that are held back (`games.hooks.held_back`).
    """
    return Seat.objects.filter(
        player=player,
        computer=False,
        left_at__isnull=True,
        match__status=Match.Status.FINISHED,
    ).order_by("match_id")


def own_hands(player: Player) -> Iterator[dict[str, Any]]:
    """Return each hand of ``player`` in finished matches, oldest first."""
    seats = replayable(player).values_list("match_id", "seat")
    rows = seats.iterator(CHUNK)
    while chunk := dict(islice(rows, CHUNK // 10)):
        yield from _hands_of(chunk)


def _hands_of(own: Mapping[int, int]) -> Iterator[dict[str, Any]]:
    opponents = _opponents(own)
    hidden = Hand.objects.filter(match__in=hooks.held_back(own))
    last = dict(hidden.values_list("match").annotate(Max("number")))
    rows = HandSeat.objects.filter(hand__match__in=own.keys()).select_related("hand__match", "seat")
    for row in rows.order_by("hand__match_id", "hand__game", "hand__number"):
        match = row.hand.match
        if row.seat.seat == own[match.pk]:
            hand = _hand(row, row.hand, match, opponents[match.pk])
            if row.hand.number == last.get(match.pk):
                hand["crib"] = ""  # it was not turned up, and others may still be dealt it
            yield hand


def _opponents(own: Mapping[int, int]) -> dict[int, list[str]]:
    names: dict[int, list[str]] = {match: [] for match in own}
    rows = Seat.objects.filter(match__in=own.keys()).order_by("match_id", "seat")
    for match, seat, name, entered in rows.values_list("match_id", "seat", "player__name", "name"):
        if seat != own[match]:
            names[match].append(name or entered)
    return names


def _hand(row: HandSeat, hand: Hand, match: Match, opponents: list[str]) -> dict[str, Any]:
    return {
        "finished_at": match.finished_at,
        "match": match.public_id,
        "game": hand.game + 1,
        "hand": hand.number + 1,
        "seat": row.seat.seat,
        "seats": len(opponents) + 1,
        "opponents": opponents,
        "dealer": row.is_dealer,
        "dealt": row.dealt,
        "thrown": row.discarded,
        "starter": hand.starter,
        "crib": hand.crib,
        "pegging": row.pegging,
        "hand_points": row.hand_points,
        "crib_points": row.crib_points,
        "muggins": row.muggins,
        "score_before": row.score_before,
        "score_after": row.score_after,
        "won": row.seat.won,
    }


def hands_csv(player: Player) -> Iterator[str]:
    """Return the lines of the CSV file of ``player``'s hands, starting with the column names."""
    writer = csv.writer(_Echo())
    yield writer.writerow(HAND_COLUMNS)
    for hand in own_hands(player):
        yield writer.writerow([_cell(hand[column]) for column in HAND_COLUMNS])


def _cell(value: Any) -> Any:
    """Return a value for a spreadsheet: booleans as 1 or 0, unknown values as empty cells."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    return "; ".join(value) if isinstance(value, list) else value


class _Echo:
    """A pseudo-file that returns what is written to it, for `csv.writer`."""

    def write(self, text: str) -> str:
        return text


def everything(player: Player) -> Iterator[bytes]:
    """Yield the ZIP file with all data stored about ``player``."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _files(player).items():
            with archive.open(f"{name}.json", "w") as file:
                for text in _json(content):
                    file.write(text.encode())
                    if sink.waiting >= PART:
                        yield sink.taken()
    yield sink.taken()


class _Sink:
    """A write-only buffer for a ZIP file, emptied in parts."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.waiting = 0

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        self.waiting += len(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: writes are not buffered elsewhere."""

    def close(self) -> None:
        """Do nothing: there is no file to close."""

    def taken(self) -> bytes:
        data, self._parts, self.waiting = b"".join(self._parts), [], 0
        return data


def _files(player: Player) -> dict[str, Mapping[str, Any] | Iterable[Mapping[str, Any]]]:
    """Return the content of each file: one object, or an iterable of objects."""
    files: dict[str, Mapping[str, Any] | Iterable[Mapping[str, Any]]] = {
        "account": _account(player),
        "matches": _matches(player),
        "hands": own_hands(player),
        "reviews": _reviews(player),
        "mistakes": map(_fields, Mistake.objects.filter(seat__player=player).iterator(CHUNK)),
        "decisions": _decisions(player),
        "programs": (_program(program) for program in player.programs.select_related("token")),
    }
    for relation in _own_relations():
        rows = relation.related_model.objects.filter(**{relation.field.name: player})
        about = relation.related_model._meta  # noqa: SLF001 - Django's documented interface
        name = f"{about.app_label}_{about.model_name}_{relation.field.name}"
        files[name] = map(_fields, rows.order_by("pk").iterator(CHUNK))
    return files | hooks.exporting(player.pk)


def _own_relations() -> list[Any]:
    """Return the relations of other tables to a player with rows that belong to the player.

    New tables are included automatically unless they refer to two players.
    """
    relations = Player._meta.related_objects  # noqa: SLF001 - the same
    tables = [relation.related_model for relation in relations]
    return [
        relation
        for relation in relations
        if not relation.many_to_many
        and (name := relation.get_accessor_name()) not in LEFT_OUT | FOR_MODERATORS
        and (name in OWN_SIDES or tables.count(relation.related_model) == 1)
    ]


def _account(player: Player) -> dict[str, Any]:
    addresses = EmailAddress.objects.filter(user=player).order_by("pk")
    about = _fields(player) | {"kind": player.kind}
    about["addresses"] = [{"email": row.email, "verified": row.verified} for row in addresses]
    return about


def _program(program: Player) -> dict[str, Any]:
    token = getattr(program, "token", None)
    return {
        "id": program.public_id,
        "name": program.name,
        "token_made": token.created_at if token else None,
        "token_used": token.used_at if token else None,
    }


def _decisions(player: Player) -> Iterator[dict[str, Any]]:
    """Return the moderators' decisions about a player as they read them, with their appeals."""
    rows = ModerationEntry.objects.filter(player=player).select_related("appeal")
    for row in rows.exclude(action=ModerationEntry.Action.UNLINK).order_by("pk"):
        appeal: Appeal | None = getattr(row, "appeal", None)
        yield {
            "at": row.at,
            "action": row.action,
            "days": row.days,
            "reason": row.reason,
            "appeal": appeal and _fields(appeal, "at", "text", "reply", "replied_at", "granted"),
        }


def _matches(player: Player) -> Iterator[dict[str, Any]]:
    """Return each match of a player, with its record if the player may see it.

    The games that they imported without a seat of their own follow.
    """
    rows = Seat.objects.filter(player=player, computer=False).select_related("match")
    whole = list(replayable(player).values_list("match_id", flat=True))
    shown = set(whole) - hooks.held_back(whole)
    for seat in rows.order_by("match_id").iterator(CHUNK):
        yield _match(seat.match, seat, cards=seat.match_id in shown)
    imported = Match.objects.filter(created_by=player, imported=True)
    others = imported.exclude(pk__in=rows.values("match_id"))
    for match in others.order_by("pk").iterator(CHUNK):
        yield _match(match, None, cards=True)


def _match(match: Match, seat: Seat | None, *, cards: bool) -> dict[str, Any]:
    """Return a match with the result of the player's seat; without one these are None."""
    own = {
        name: None if seat is None else getattr(seat, name)
        for name in ("seat", "score", "games_won", "match_points", "won")
    }
    return {
        "match": match.public_id,
        "status": match.status,
        "ended_by": match.ended_by,
        "ranked": match.ranked,
        "imported": match.imported,
        "made_at": match.created_at,
        "started_at": match.started_at,
        "finished_at": match.finished_at,
        "rules": match.ruleset,
        **own,
        "records": export_match(match=match) if cards else None,
    }


def _reviews(player: Player) -> Iterator[dict[str, Any]]:
    """Return the reviews of the matches that a player may replay."""
    matches = list(replayable(player).values_list("match_id", flat=True))
    held_back = hooks.held_back(matches)
    rows = Review.objects.filter(
        match__in=replayable(player).values("match_id"), status=Review.Status.DONE
    ).exclude(match__in=held_back)
    for review in rows.select_related("match").order_by("pk").iterator(CHUNK // 10):
        yield {
            "match": review.match.public_id,
            "version": review.version,
            "decisions": decisions_shown(review),
            "accounts": review.accounts,
        }


def _fields(row: models.Model, *names: str) -> dict[str, Any]:
    """Return a row's columns without `SECRET_FIELDS`, or only those of these names."""
    return {
        field.name: _value(row, field)
        for field in row._meta.concrete_fields  # noqa: SLF001 - the same
        if field.name not in SECRET_FIELDS and (not names or field.name in names)
    }


def _value(row: models.Model, field: Any) -> Any:
    """Return the value of a column; for players and matches their public id."""
    if field.related_model in {Player, Match}:
        other = getattr(row, field.name)
        return None if other is None else other.public_id
    return field.value_from_object(row)


def _json(content: Mapping[str, Any] | Iterable[Mapping[str, Any]]) -> Iterator[str]:
    if isinstance(content, Mapping):
        yield json.dumps(content, default=_plain, indent=1) + "\n"
        return
    lead = "[\n"
    for item in content:
        yield lead + json.dumps(item, default=_plain)
        lead = ",\n"
    yield "[]\n" if lead == "[\n" else "\n]\n"


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)
