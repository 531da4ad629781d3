"""Snapshots of events: what all readers of an event's page are shown alike, rendered once.

Many readers poll the page of a large event, whose version grows with each finished game. They
share a snapshot for some seconds in each process; what concerns one reader is looked up each time.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from typing import Any
from weakref import WeakValueDictionary

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.api import Player
from ratings.events import arena, event_pages
from ratings.events.event_pages import Line, Sheet
from ratings.models import Event
from ratings.pages import events_pictures
from ratings.pages.events_pictures import Bracket, CrossTable
from ratings.team_leagues import sheets

SHARED_S = 3.0
"""Seconds for which readers of a large event share a snapshot that is no longer the newest."""
KEPT_S = 60.0
"""Seconds for which they share the newest one: names can change without a change of the event."""
SMALL = 24
"""Maximum number of players of an event that is rendered for each reader, so that it is current."""
KEPT = 16
"""Snapshots that a process keeps."""

Key = tuple[str, str | None]
"""An event's public id, and the language."""

_kept: OrderedDict[Key, Snapshot] = OrderedDict()
_making: WeakValueDictionary[Key, threading.Lock] = WeakValueDictionary()
"""The locks of those that are being made."""


class Snapshot:
    """An event as it was when this was made, in one language."""

    def __init__(self, event: Event, clock: Callable[[], float] = time.monotonic) -> None:
        self.event = event
        self.made_at = clock()
        self.sheet: Sheet = event_pages.shared_sheet(event)

    @property
    def version(self) -> int:
        """The version of the event that it shows."""
        return self.event.version

    @property
    def is_large(self) -> bool:
        """Whether it is worth keeping: small events are rendered anew for each reader."""
        return self.sheet.number > SMALL

    def serves(self, event: Event, now: float) -> bool:
        """Whether readers of the event may be shown this."""
        newest = self.version == event.version
        return self.event.state == event.state and now < self.made_at + (
            KEPT_S if newest else SHARED_S
        )

    @cached_property
    def bracket(self) -> Bracket | None:
        """The picture of the bracket."""
        return events_pictures.bracket(self.event, self.sheet.rounds)

    @cached_property
    def cross(self) -> CrossTable | None:
        """The picture of the cross-table."""
        return events_pictures.cross_table(self.event, self.sheet)

    @cached_property
    def top(self) -> SafeString:
        """The part of the page above the standings."""
        return self._render("ratings/events/_event_top.html")

    @cached_property
    def below(self) -> SafeString:
        """The part of the page below the standings."""
        return self._render("ratings/events/_event_below.html")

    @cached_property
    def tables(self) -> SafeString:
        """The tables of the newest round, for the wall screen."""
        return self._render("ratings/events/_wall_tables.html")

    def rows(self, sheet: Sheet, player: Player | None) -> list[SafeString]:
        """Return the rows of the standings, with the reader's own marked."""
        own = sheet.own
        rows = [
            self._row(line, player, own) if line.entrant == own else html
            for line, html in zip(self.sheet.lines, self._rows, strict=True)
        ]
        if sheet.own_line is not None:
            rows.append(self._row(sheet.own_line, player, own))
        return rows

    @cached_property
    def _rows(self) -> list[SafeString]:
        return [self._row(line, None, None) for line in self.sheet.lines]

    def _row(self, line: Line, player: Player | None, own: object) -> SafeString:
        listed = self.event.is_planned or self.event.state == Event.State.OFF
        name = "ratings/events/_name.html" if listed else "ratings/events/_line.html"
        return self._render(name, line=line, player=player, own=own)

    def _render(self, name: str, **values: Any) -> SafeString:
        context = {
            "event": self.event, "sheet": self.sheet, "bracket": self.bracket, "cross": self.cross,
        }  # fmt: skip
        return render_to_string(name, context | values)


def of(event: Event, clock: Callable[[], float] = time.monotonic) -> Snapshot:
    """Return the snapshot of an event that its readers are shown now."""
    key = (event.public_id, get_language())
    known = _kept.get(key)
    if known is not None and known.serves(event, clock()):
        return known
    making = _making.setdefault(key, threading.Lock())
    if known is not None and known.event.state == event.state and making.locked():
        return known  # another thread is making the next one
    with making:
        known = _kept.get(key)
        if known is not None and known.serves(event, clock()):
            return known
        made = Snapshot(event, clock)
        if made.is_large:
            _kept.pop(key, None)
            _kept[key] = made
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
        return made


def version_shown(event: Event, clock: Callable[[], float] = time.monotonic) -> int:
    """Return the version of the event that its readers are shown now, without making a snapshot."""
    known = _kept.get((event.public_id, get_language()))
    return known.version if known is not None and known.serves(event, clock()) else event.version


def live_context(found: Event, player: Player | None) -> dict[str, Any]:
    """Return the context of the parts of an event's page that change."""
    shown = of(found)
    sheet = event_pages.for_reader(shown.sheet, event=found, viewer=player)
    return {
        "event": found,
        "player": player,
        "sheet": sheet,
        "shown": shown,
        "version": shown.version,
        "rows": shown.rows(sheet, player),
        "bracket": shown.bracket,
        "cross": shown.cross,
        "fixture": sheets.fixture_of(found) if found.format == Event.Format.TEAMS else None,
        "minutes_left": arena.minutes_left(found),
    }
