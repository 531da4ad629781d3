"""The read side of the chat at a table: what may be said, what was said, and who reads what.

Between people at an unranked table anything may be written, in a ranked match phrases of a list
alone. A line is plain text, and is never taken for anything else. Whoever watches reads nothing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Q, Value
from django.utils import timezone

from games.models import Block, ChatLine, Match, ModerationEntry, Mute, Player, Seat

SHOWN = 60
"""Lines of a match that somebody who comes is sent, the newest."""

MOST_MARKS = 4
"""Combining marks in a row; more pile up over the lines above and below."""

PHRASES = (
    "hello", "good_luck", "your_turn", "well_played", "nice_hand", "nice_cut", "lucky", "oops",
    "thank_you", "you_too", "one_moment", "back", "good_game", "again", "sorry_go", "bye",
)  # fmt: skip
"""What may be said in a ranked match too; each client shows it in its own language."""

JOINERS = "\u200c\u200d"
"""What joins letters of some scripts, and emoji; of all that is invisible only these stay."""

BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that look like nothing."""


class Mode(StrEnum):
    """What may be written at a match."""

    NONE = "none"
    PHRASES = "phrases"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the chat: its number, who wrote it and what, either a phrase or a text."""

    number: int
    author: int
    name: str
    phrase: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Barred:
    """A moderator's mute: until when, and why."""

    until: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Room:
    """The chat of one match, for all who sit there; players by primary key.

    Attributes:
        mode: what may be written.
        lines: the last lines, oldest first.
        reads: for each person at the table whether his chat is on.
        mutes, blocks: pairs (who does not want to read, whom).
        barred: who may not write by a moderator's word.
    """

    mode: Mode
    lines: tuple[Line, ...]
    reads: Mapping[int, bool]
    mutes: frozenset[tuple[int, int]]
    blocks: frozenset[tuple[int, int]]
    barred: Mapping[int, Barred]

    def shown_to(self, reader: int) -> list[Line]:
        """Return the lines that ``reader`` gets: none where his chat is off."""
        if not self.reads.get(reader):
            return []
        hidden = self.mutes | self.blocks
        return [line for line in self.lines if (reader, line.author) not in hidden]


EMPTY = Room(Mode.NONE, (), {}, frozenset(), frozenset(), {})
"""Where nobody else sits."""


def mode_of(*, ranked: bool, people: int) -> Mode:
    """Return what may be written at a table with so many people."""
    if people < 2:
        return Mode.NONE
    return Mode.PHRASES if ranked else Mode.FREE


def clean(text: str) -> str:
    """Return ``text`` as it is kept: NFC, on one line, without what is not to be seen.

    Control characters, the overrides that turn the order of letters round, invisible ones, and
    marks that pile up are left out.
    """
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        if character.isspace() or character in BLANKS:
            kept.append(" ")
        elif marks <= MOST_MARKS and (category[0] != "C" or character in JOINERS):
            kept.append(character)
    shown = " ".join("".join(kept).split())
    return shown if shown.strip(JOINERS + " ") else ""


def look(*, match: int) -> Room:
    """Return the chat of a match, by primary key, with that of the match it is a rematch of."""
    seats = Seat.objects.filter(match=match, computer=False, player__isnull=False)
    people = list(
        seats.values_list("player", "player__chat", "player__muted_until", "match__ranked")
    )
    mode = mode_of(ranked=any(ranked for *_, ranked in people), people=len(people))
    if mode is Mode.NONE:
        return EMPTY
    keys = [key for key, *_ in people]
    hidden, now = _hidden(keys), timezone.now()
    return Room(
        mode=mode,
        lines=_lines(match, keys),
        reads={key: reads for key, reads, *_ in people},
        mutes=frozenset(pair for pair, blocked in hidden if not blocked),
        blocks=frozenset(pair for pair, blocked in hidden if blocked),
        barred={
            key: Barred(until, _reason(key))
            for key, _, until, _ in people
            if until is not None and until > now
        },
    )


def _lines(match: int, authors: list[int]) -> tuple[Line, ...]:
    rows = ChatLine.objects.filter(Q(match=match) | Q(match__rematch=match), author__in=authors)
    fields = ("pk", "author_id", "author__name", "phrase", "text", "at")
    found = rows.order_by("-pk").values_list(*fields)[:SHOWN]
    return tuple(Line(*row) for row in reversed(found))


def _hidden(keys: list[int]) -> list[tuple[tuple[int, int], bool]]:
    """Return the pairs of (who does not read, whom), each with whether he blocked him."""
    mutes = Mute.objects.filter(muter__in=keys, muted__in=keys)
    blocks = Block.objects.filter(blocker__in=keys, blocked__in=keys)
    rows = mutes.values_list("muter", "muted", Value(0)).union(
        blocks.values_list("blocker", "blocked", Value(1))
    )
    return [((one, other), bool(blocked)) for one, other, blocked in rows]


def _reason(player: int) -> str:
    """Return why a moderator muted ``player``, by primary key, the last time."""
    mute = ModerationEntry.objects.filter(player=player, action=ModerationEntry.Action.MUTE)
    reasons = mute.order_by("-pk").values_list("reason", flat=True)
    return reasons.first() or ""


def read_by(*, match: Match, reader: Player) -> list[ChatLine]:
    """Return the lines at ``match`` that ``reader``, who sits there, can have read, oldest first.

    Also those of somebody whom he has muted since, which is when one reports.
    """
    if not match.seats.filter(player=reader, computer=False).exists():
        return []
    rows = ChatLine.objects.filter(match=match).select_related("author")
    return list(reversed(rows.order_by("-pk")[:SHOWN]))


def muted_by(*, player: Player) -> list[Player]:
    """Return whom the player has muted, by name."""
    rows = Mute.objects.filter(muter=player).select_related("muted")
    return [row.muted for row in rows.order_by("muted__name")]


def others_on(*, match: Match, player: Player) -> list[Player]:
    """Return the other people at a match."""
    seats = match.seats.filter(computer=False).exclude(Q(player=None) | Q(player=player))
    return [row.player for row in seats.select_related("player") if row.player is not None]
