"""The read side of the chat at a table: modes, lines, and who may read what.

Players may write free text at an unranked table, but only phrases from a list in a ranked match. A
line is plain text, never markup. Watchers cannot read the chat.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Value,
    Window,
)
from django.db.models.functions import RowNumber

from games.models import Block, ChatLine, Match, ModerationEntry, Mute, Player, Seat
from games.models.prepared import Prepared
from games.ops import true_time

SHOWN = 60
"""Number of lines, the newest, that are sent to a new connection."""

MOST_MARKS = 4
"""Highest number of combining marks in a row; more would overlap adjacent lines."""

PHRASES = (
    "hello", "good_luck", "your_turn", "well_played", "nice_hand", "nice_cut", "lucky", "oops",
    "thank_you", "you_too", "one_moment", "back", "good_game", "again", "sorry_go", "bye",
)  # fmt: skip
"""The phrases, also allowed in ranked matches; each client shows them in its own language."""

JOINERS = "\u200c\u200d"
"""Zero-width joiners of some scripts and emoji: the only invisible characters that are kept."""

BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that render as blanks."""


class Mode(StrEnum):
    """The kind of lines allowed at a match."""

    NONE = "none"
    PHRASES = "phrases"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the chat: its number, its author, and either a phrase or a text."""

    number: int
    author: int
    name: str
    phrase: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Barred:
    """A mute by a moderator, with its end and reason."""

    until: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Room:
    """The chat of one match, with players by primary key.

    Attributes:
        mode: the kind of lines allowed.
        lines: the last lines, oldest first.
        reads: whether each person at the table has their chat on.
        mutes, blocks: pairs (reader, author whose lines are hidden).
        barred: players muted by a moderator.
    """

    mode: Mode
    lines: tuple[Line, ...]
    reads: Mapping[int, bool]
    mutes: frozenset[tuple[int, int]]
    blocks: frozenset[tuple[int, int]]
    barred: Mapping[int, Barred]

    def shown_to(self, reader: int) -> list[Line]:
        """Return the lines visible to ``reader``; none if their chat is off."""
        if not self.reads.get(reader):
            return []
        hidden = self.mutes | self.blocks
        return [line for line in self.lines if (reader, line.author) not in hidden]


EMPTY = Room(Mode.NONE, (), {}, frozenset(), frozenset(), {})
"""The chat of a table with fewer than two people."""


def mode_of(*, ranked: bool, people: int) -> Mode:
    """Return the mode of the chat at a table with this number of people."""
    if people < 2:
        return Mode.NONE
    return Mode.PHRASES if ranked else Mode.FREE


def clean(text: str) -> str:
    """Return ``text`` in its stored form: NFC, on one line, without invisible characters.

    Control characters, bidirectional overrides, invisible characters and excess combining marks
    are removed.
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


def load_rooms(matches: Sequence[int]) -> dict[int, Room]:
    """Return the chats of matches by primary key, each with that of the match it is a rematch of.

    At most three queries. For most tables one is enough: no one has written, and no one has hidden
    anybody.
    """
    people: dict[int, list[_Person]] = {match: [] for match in matches}
    for match, *row in _PEOPLE.rows(matches):
        people[match].append(_Person(*row))
    shared = {match: seated for match, seated in people.items() if len(seated) > 1}
    hiding = [seated for seated in shared.values() if any(person.hides for person in seated)]
    hidden = _hidden({person.key for seated in hiding for person in seated})
    lines = _lines(
        {
            match: {person.key for person in seated}
            for match, seated in shared.items()
            if seated[0].written
        }
    )
    return dict.fromkeys(matches, EMPTY) | {
        match: _room(seated, hidden, lines.get(match, ())) for match, seated in shared.items()
    }


def _seated(matches: list[int]) -> QuerySet[Any, Any]:
    match, player = OuterRef("match"), OuterRef("player")
    mutes, blocks = Mute.objects.filter(muter=player), Block.objects.filter(blocker=player)
    own = ChatLine.objects.filter(match=match)
    earlier = ChatLine.objects.filter(match__rematch=match)
    return (
        Seat.objects.filter(match__in=matches, computer=False, player__isnull=False)
        .order_by("match_id", "seat")
        .values_list(
            *("match_id", "player", "player__chat", "player__muted_until", "match__ranked"),
            ExpressionWrapper(Exists(mutes) | Exists(blocks), BooleanField()),
            ExpressionWrapper(Exists(own) | Exists(earlier), BooleanField()),
        )
    )


_PEOPLE = Prepared(_seated)


class _Person(NamedTuple):
    """A person at a table, as far as the chat is concerned.

    Attributes:
        key: their primary key.
        reads: whether their chat is on.
        muted_until: when a moderator's mute ends, if there was one.
        ranked: whether the match is ranked.
        hides: whether they have muted or blocked anybody.
        written: whether the chat has lines, those of the match before included.
    """

    key: int
    reads: bool
    muted_until: datetime | None
    ranked: bool
    hides: bool
    written: bool


def _room(people: list[_Person], hidden: _Hidden, lines: tuple[Line, ...]) -> Room:
    keys = [person.key for person in people]
    pairs = [
        ((reader, author), blocked)
        for reader in keys
        for author, blocked in hidden.get(reader, ())
        if author in keys
    ]
    now = true_time.now()
    return Room(
        mode=mode_of(ranked=any(person.ranked for person in people), people=len(people)),
        lines=lines,
        reads={person.key: person.reads for person in people},
        mutes=frozenset(pair for pair, blocked in pairs if not blocked),
        blocks=frozenset(pair for pair, blocked in pairs if blocked),
        barred={
            person.key: Barred(person.muted_until, _reason(person.key))
            for person in people
            if person.muted_until is not None and person.muted_until > now
        },
    )


def _lines(people: Mapping[int, set[int]]) -> dict[int, tuple[Line, ...]]:
    """Return the newest lines of matches, oldest first; only those of the given ``people``.

    A rematch has the lines of the match before it too.
    """
    lines: dict[int, list[Line]] = {}
    for match, following, *row in _LINES.rows(people):
        line = Line(*row)
        for shown_at in (match, following):
            if line.author in people.get(shown_at, ()):
                lines.setdefault(shown_at, []).append(line)
    return {match: tuple(newest[-SHOWN:]) for match, newest in lines.items()}


def _newest(matches: list[int]) -> QuerySet[Any, Any]:
    seen_at = Q(match__in=matches) | Q(match__rematch__in=matches)
    place = Window(RowNumber(), partition_by=[F("match"), F("author")], order_by=F("pk").desc())
    rows = ChatLine.objects.filter(seen_at).annotate(place=place).filter(place__lte=SHOWN)
    return rows.order_by("pk").values_list(
        "match_id",
        "match__rematch",
        "pk",
        "author_id",
        "author__name",
        "phrase",
        "text",
        "at",
    )


_LINES = Prepared(_newest)

_Hidden = dict[int, list[tuple[int, bool]]]
"""Reader -> the authors whose lines are hidden from them, each with whether it is a block."""


def _hidden(keys: set[int]) -> _Hidden:
    """Return who hides whose lines, for all pairs among ``keys``."""
    hidden: _Hidden = {}
    for one, other, blocked in _PAIRS.rows(keys):
        hidden.setdefault(one, []).append((other, bool(blocked)))
    return hidden


def _pairs(keys: list[int]) -> QuerySet[Any, Any]:
    mutes = Mute.objects.filter(muter__in=keys, muted__in=keys)
    blocks = Block.objects.filter(blocker__in=keys, blocked__in=keys)
    return mutes.values_list("muter", "muted", Value(0)).union(
        blocks.values_list("blocker", "blocked", Value(1))
    )


_PAIRS = Prepared(_pairs)


def _reason(player: int) -> str:
    """Return the reason of a moderator's last mute of ``player`` (a primary key)."""
    mute = ModerationEntry.objects.filter(player=player, action=ModerationEntry.Action.MUTE)
    reasons = mute.order_by("-pk").values_list("reason", flat=True)
    return reasons.first() or ""


def read_by(*, match: Match, reader: Player) -> list[ChatLine]:
    """Return the lines at ``match`` that a player there may have read, oldest first.

    Lines of players whom the reader has since muted are included, because reports often follow a
    mute. At a rematch, so are lines of the match before it by players who still sit there.
    """
    people = match.seats.filter(computer=False, player__isnull=False).values_list("player")
    if not people.filter(player=reader).exists():
        return []
    seen = Q(match=match) | Q(match__rematch=match, author__in=people)
    rows = ChatLine.objects.filter(seen).select_related("author")
    return list(reversed(rows.order_by("-pk")[:SHOWN]))


def muted_by(*, player: Player) -> list[Player]:
    """Return the players muted by ``player``, sorted by name."""
    rows = Mute.objects.filter(muter=player).select_related("muted")
    return [row.muted for row in rows.order_by("muted__name")]


def others_on(*, match: Match, player: Player) -> list[Player]:
    """Return the other people at a match."""
    seats = match.seats.filter(computer=False).exclude(Q(player=None) | Q(player=player))
    return [row.player for row in seats.select_related("player") if row.player is not None]
