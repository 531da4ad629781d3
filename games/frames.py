"""The server's messages at a table, as text: views and steps for one seat, and the table.

Frames are kept with the match until it changes, so that ten watchers cost one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from games.engine.state import Phase
from games.engine.view import own_for, view_for
from games.friends import Invitable
from games.headers import Earlier, SeatHeader
from games.hints import Hint
from games.live import Live
from games.models import Match
from games.refusals import sentence
from games.wire import Ready, common_json, dumps, event_json, joined, names, own_json, view_json

PONG = dumps({"t": "pong"})


def view(live: Live, seat: int | None) -> str:
    """Return the whole view of ``seat`` with the log of the game and the rules."""
    key = ("view", seat)
    text = live.frames.get(key)
    if text is None:
        data = view_json(view_for(live.state, seat), log=True)
        data["ruleset"] = live.header.ruleset.to_dict()
        data["earlier"] = [[event_json(event) for event in game] for game in live.earlier]
        text = live.frames[key] = dumps({"t": "view", "d": data})
    return text


def steps(live: Live, seat: int | None, since: int) -> str:
    """Return what happened after version ``since``, and the view of ``seat`` after it.

    Where that is too far back it is the whole view.
    """
    key = ("steps", seat, since)
    text = live.frames.get(key)
    if text is not None:
        return text
    moves = live.since(since)
    if moves is None:
        return view(live, seat)
    events = live.frames.get(("events", since))
    if events is None:
        told = [[event_json(event) for event in events] for events in moves]
        events = live.frames["events", since] = dumps(told)
    common = live.frames.get("common")
    if common is None:
        # The watchers' view holds nothing that a seat alone may see.
        common = live.frames["common"] = dumps(common_json(view_for(live.state, None)))
    data = {
        "from": since,
        "v": live.version,
        "events": Ready(events),
        "view": joined(common, dumps(own_json(own_for(live.state, seat)))),
    }
    text = live.frames[key] = dumps({"t": "steps", "d": data})
    return text


def clock(
    *, version: int, seats: tuple[int, ...], until: datetime, limit: int, now: datetime
) -> str:
    """Return until when a decision has to be made, and what this server's clock shows now.

    Args:
        version: of the match that waits for the decision.
        seats: whose decision it is.
        until: when their time is up.
        limit: seconds that each decision has.
        now: the present moment, by the clock that ``until`` is told by.
    """
    data = {
        "v": version,
        "seats": list(seats),
        "limit": limit,
        "until": round(until.timestamp(), 3),
        "now": round(now.timestamp(), 3),
    }
    return dumps({"t": "clock", "d": data})


def due(*, version: int, seats: tuple[int, ...], until: datetime, days: int, now: datetime) -> str:
    """Return until when a decision by correspondence has to be made, and whether that is past.

    Args:
        version: of the match that waits for the decision.
        seats: whose decision it is.
        until: when their time is up; the others are then offered something.
        days: that each decision has.
        now: the present moment, by the clock that ``until`` is told by.
    """
    data = {
        "v": version,
        "seats": list(seats),
        "days": days,
        "until": round(until.timestamp(), 3),
        "late": now >= until,
    }
    return dumps({"t": "due", "d": data})


def ok(ident: str, version: int) -> str:
    """Return that the message ``ident`` was taken; the match had this version after it."""
    return dumps({"t": "ok", "id": ident, "d": {"v": version}})


def error(code: str, detail: str = "", ident: str = "") -> str:
    """Return a refusal, with the id of the message that it answers, if it had one."""
    message: dict[str, Any] = {"t": "error", "d": {"code": code, "message": sentence(code, detail)}}
    if ident:
        message["id"] = ident
    return dumps(message)


def hint(found: Hint, version: int, ident: str) -> str:
    """Return the answer to the message ``ident``, which asked for a hint at this version."""
    data = {
        "v": version,
        "action": found.action,
        "cards": names(found.cards),
        "advice": found.advice,
        "reasons": list(found.reasons),
    }
    return dumps({"t": "hint", "id": ident, "d": data})


def friends(found: Iterable[Invitable], ident: str) -> str:
    """Return the answer to the message ``ident``, which asked who could be asked to the table."""
    told = [
        {
            "player": each.player,
            "name": each.name,
            "asked": each.asked,
            "declined": each.declined,
        }
        for each in found
    ]
    return dumps({"t": "friends", "id": ident, "d": {"friends": told}})


def bye(code: str) -> str:
    """Return the last message before the server closes."""
    return dumps({"t": "bye", "d": {"code": code, "message": sentence(code)}})


def table(
    live: Live,
    *,
    seat: int | None,
    player: int | None,
    online: frozenset[int],
    watchers: int,
    away: Mapping[int, float],
    grace: float,
    wanted: Mapping[int, bool],
) -> str:
    """Return who sits where, who is there, and what is offered, for one seat.

    Args:
        live: the match.
        seat: whose message this is; None for a watcher.
        player: primary key of the person who reads it.
        online: seats with a socket.
        watchers: how many watch.
        away: seat -> seconds for which its person has been absent though he must act.
        grace: seconds after which something is offered to those who wait.
        wanted: seats that want a rematch, each with whether with the seats swapped.
    """
    header = live.header
    creator = player is not None and player == header.creator
    waiting = header.status == Match.Status.WAITING
    over = live.state.phase is Phase.OVER
    data = {
        "match": header.public_id,
        "status": Match.Status.FINISHED if over else header.status,
        "seats": [_seat(each, online) for each in header.seats],
        "creator": creator,
        "you": seat,
        "watchers": watchers,
        "hints": header.hints,
        "invite": f"/join/{header.invite}/" if creator and waiting else None,
        "rematch": {
            "wanted": sorted(other for other, swap in wanted.items() if not swap),
            "swapped": sorted(other for other, swap in wanted.items() if swap),
            "can_swap": header.swappable,
            "match": header.rematch or None,
        },
        "duplicate": None if header.duplicate is None else _earlier(header.duplicate),
        "absent": [
            _absent(other, seconds, grace, live)
            for other, seconds in sorted(away.items())
            if seat is not None and other != seat
        ],
    }
    return dumps({"t": "table", "d": data})


def _earlier(match: Earlier) -> dict[str, Any]:
    return {"match": match.public_id, "scores": list(match.scores)}


def _seat(seat: SeatHeader, online: frozenset[int]) -> dict[str, Any]:
    if seat.player is None:
        return {"seat": seat.seat, "name": None}
    return {
        "seat": seat.seat,
        "name": seat.name,
        "kind": seat.kind,
        "player": seat.public_id,
        "online": seat.computer or seat.seat in online,
        "stand_in": seat.stand_in or None,
        "owner": seat.owner or None,
    }


def _absent(seat: int, seconds: float, grace: float, live: Live) -> dict[str, Any]:
    offered = seconds >= grace
    return {
        "seat": seat,
        "since": int(seconds),
        "can_stand_in": offered,
        "can_claim": offered and live.header.ruleset.players == 2,
        "offer_in": None if offered else max(1, round(grace - seconds)),
    }
