"""Serializers of events and views to JSON: the only place where a game leaves the server.

They take a `View` or events, which hold nothing that their recipient may not see, and never a
`State`. Cards become names (``"5H"``), dataclasses become objects, and the kind of an event is
under ``"e"``. ``docs/protocol.md`` shows an example of each.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson

from games.engine.cards import NAMES, Card
from games.engine.events import (
    Counted,
    CountEnded,
    CutForDeal,
    Dealt,
    Discarded,
    Event,
    GameWon,
    Go,
    Heels,
    MatchOver,
    Missed,
    Mugged,
    Played,
    Resigned,
    StarterCut,
)
from games.engine.rules import Legal
from games.engine.scoring import Part
from games.engine.view import Own, View

Json = dict[str, Any]


Ready = orjson.Fragment
"""JSON text that is inserted into a message unchanged."""


def dumps(message: Json | list[Any]) -> str:
    """Return ``message`` as JSON text."""
    return orjson.dumps(message).decode()


def names(cards: Iterable[Card]) -> list[str]:
    """Return the cards' names."""
    return [NAMES[card] for card in cards]


def view_json(view: View, *, log: bool = False) -> Json:
    """Return ``view`` as JSON values; ``log`` adds the events of the game so far."""
    data = {**common_json(view), **own_json(view)}
    if log:
        data["events"] = [event_json(event) for event in view.events]
        data["history"] = [[event_json(event) for event in hand] for hand in view.history]
    return data


def common_json(view: View) -> Json:
    """Return the part of a view that is the same for every seat, and for watchers."""
    data: Json = {
        "v": view.sequence,
        "phase": view.phase.value,
        "game": view.game,
        "hand": view.hand,
        "dealer": view.dealer,
        "pone": view.pone,
        "scores": view.scores,
        "trailing": view.trailing,
        "match_points": view.match_points,
        "results": [
            {"winner": r.winner, "scores": r.scores, "skunks": r.skunks, "points": r.points}
            for r in view.results
        ],
        "winner": view.winner,
        "resigned": view.resigned,
        "cuts": [[None if card is None else NAMES[card] for card in cut] for cut in view.cuts],
        "hand_sizes": view.hand_sizes,
        "discarded": view.discarded,
        "crib_size": view.crib_size,
        "starter": None if view.starter is None else NAMES[view.starter],
        "pile": [[seat, NAMES[card]] for seat, card in view.pile],
        "count": view.count,
        "played": [names(cards) for cards in view.played],
        "gos": view.gos,
        "waiting": view.waiting,
        "counting": None,
        "claim": None,
    }
    if view.counting is not None:
        item = view.counting
        data["counting"] = {"seat": item.seat, "item": item.item, "cards": names(item.cards)}
    if view.claim is not None:
        claim = view.claim
        data["claim"] = {"seat": claim.seat, "item": claim.item, "asked": claim.asked}
    return data


def own_json(own: Own | View) -> Json:
    """Return the rest of a view: what only one seat may see."""
    return {
        "seat": own.seat,
        "cards": names(own.cards),
        "dealt": names(own.dealt),
        "thrown": names(own.thrown),
        "legal": _legal(own.legal),
    }


def joined(first: str, second: str) -> Ready:
    """Merge two non-empty JSON objects, given as text, into one."""
    return Ready(f"{first[:-1]},{second[1:]}")


def event_json(event: Event) -> Json:
    """Return ``event`` as JSON values."""
    match event:
        case Played() as e:
            return {
                "e": "played",
                "seat": e.seat,
                "card": NAMES[e.card],
                "count": e.count,
                "points": e.points,
                "parts": [_part(part) for part in e.parts],
                "claimed": e.claimed,
                "scores": e.scores,
            }
        case Counted() as e:
            return {
                "e": "counted",
                "seat": e.seat,
                "item": e.item,
                "cards": names(e.cards),
                "points": e.points,
                "total": e.total,
                "parts": [_part(part) for part in e.parts],
                "claimed": e.claimed,
                "scores": e.scores,
            }
        case CountEnded() as e:
            return {
                "e": "count_ended",
                "seat": e.seat,
                "reason": e.reason,
                "points": e.points,
                "scores": e.scores,
            }
        case _:
            return _rare_event(event)


def _rare_event(
    event: CutForDeal
    | Dealt
    | Discarded
    | StarterCut
    | Heels
    | Go
    | Mugged
    | Missed
    | Resigned
    | GameWon
    | MatchOver,
) -> Json:
    match event:
        case Discarded(seat, number):
            return {"e": "discarded", "seat": seat, "number": number}
        case Go(seat, count):
            return {"e": "go", "seat": seat, "count": count}
        case StarterCut(card):
            return {"e": "starter", "card": NAMES[card]}
        case Heels(seat, points, scores):
            return {"e": "heels", "seat": seat, "points": points, "scores": scores}
        case CutForDeal(cards, dealer):
            cut = [None if card is None else NAMES[card] for card in cards]
            return {"e": "cut", "cards": cut, "dealer": dealer}
        case Dealt(game, hand, dealer):
            return {"e": "dealt", "game": game, "hand": hand, "dealer": dealer}
        case Missed(seat, item, points):
            return {"e": "missed", "seat": seat, "item": item, "points": points}
        case _:
            return _last_event(event)


def _last_event(event: Mugged | Resigned | GameWon | MatchOver) -> Json:
    match event:
        case Mugged() as e:
            return {
                "e": "mugged",
                "seat": e.seat,
                "victim": e.victim,
                "item": e.item,
                "points": e.points,
                "scores": e.scores,
            }
        case Resigned(seat):
            return {"e": "resigned", "seat": seat}
        case GameWon() as e:
            return {
                "e": "game_won",
                "game": e.game,
                "winner": e.winner,
                "scores": e.scores,
                "skunks": e.skunks,
                "points": e.points,
            }
        case MatchOver(winner, match_points):
            return {"e": "match_over", "winner": winner, "match_points": match_points}


def _part(part: Part) -> Json:
    return {"kind": part.kind, "cards": names(part.cards), "points": part.points}


def _legal(options: Legal) -> Json:
    return {
        "action": options.action,
        "cards": names(options.cards),
        "number": options.number,
        "claims": options.claims,
        "muggins": options.muggins,
    }
