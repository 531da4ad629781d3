"""The view of a seat whose player has lost it for good, and what of the events goes with it.

A ranked game goes on with a computer in that seat, and others may be dealt its cards later. So the
player who left sees no more of them than somebody without a seat: what watchers see if anybody may
watch, else no card at all, only how the game stands and how it ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from games.engine.events import Dealt, Event, GameWon, MatchOver, Resigned
from games.engine.state import State
from games.engine.view import Own, View, own_for, view_for

WITHOUT_CARDS = (Dealt, Resigned, GameWon, MatchOver)
"""The events that tell nothing about any card."""


def left_view_for(state: State, seat: int, *, watchable: bool) -> View:
    """Return the view of a lost seat: the watchers' one, without any card unless ``watchable``."""
    view = replace(view_for(state, None), seat=seat)
    if watchable:
        return view
    return replace(
        view,
        cuts=(),
        starter=None,
        pile=(),
        count=0,
        played=((),) * len(view.played),
        plays=(),
        gos=(False,) * len(view.gos),
        counting=None,
        claim=None,
        events=without_cards(view.events),
        history=tuple(map(without_cards, view.history)),
    )


def left_own_for(state: State, seat: int) -> Own:
    """Return the private part of the view of a lost seat: its number only."""
    return replace(own_for(state, None), seat=seat)


def without_cards(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return the events that tell nothing about any card."""
    return tuple(event for event in events if isinstance(event, WITHOUT_CARDS))
