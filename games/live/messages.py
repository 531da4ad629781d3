"""The texts of the server's messages at a table.

Texts are cached with the match until it changes, so that several watchers share one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from games.correspondence.turns import Turn
from games.engine import rules
from games.engine.left_view import left_own_for, left_view_for, without_cards
from games.engine.state import Phase, Ruleset
from games.engine.view import Own, View, own_for, view_for
from games.live import jit_warmup
from games.live.hints import Hint
from games.live.match_state import MatchState
from games.log.match_meta import SeatMeta, SourceMatch
from games.models import Match
from games.people.friends import Invitable
from games.wire.refusals import Refused, sentence
from games.wire.serializers import (
    Ready,
    common_json,
    dumps,
    event_json,
    joined,
    names,
    own_json,
    view_json,
)

PONG = dumps({"t": "pong"})


def view(live: MatchState, seat: int | None) -> str:
    """Return the `view` message for ``seat``: the view, the rules and the game's events so far."""
    key = ("view", seat)
    text = live.frames.get(key)
    if text is None:
        data = view_json(_view_of(live, seat), log=True)
        data["ruleset"] = Ready(_rules(live.meta.ruleset))
        text = live.frames[key] = dumps({"t": "view", "d": data})
    return text


@lru_cache(maxsize=256)
def _rules(ruleset: Ruleset) -> str:
    """Return the rules as clients get them; few matches have rules of their own."""
    return dumps(ruleset.public_dict())


def steps(live: MatchState, seat: int | None, since: int) -> str:
    """Return the `steps` message for ``seat``: the events after version ``since``, and the view.

    If ``since`` is too far back, it is a `view` message instead. A seat that was lost for good gets
    what `games.engine.left_view` leaves of it.
    """
    key = ("steps", seat, since)
    text = live.frames.get(key)
    if text is not None:
        return text
    moves = live.events_since(since)
    if moves is None:
        return view(live, seat)
    closed = seat is not None and _is_closed(live, seat)
    events = live.frames.get(("events", since, closed))
    if events is None:
        shown = [without_cards(told) for told in moves] if closed else moves
        events = dumps([[event_json(event) for event in told] for told in shown])
        live.frames["events", since, closed] = events
    common = live.frames.get(("common", closed))
    if common is None:
        # The watchers' view holds nothing private to a seat.
        whole = _view_of(live, seat if closed else None)
        common = live.frames["common", closed] = dumps(common_json(whole))
    data = {
        "from": since,
        "v": live.version,
        "events": Ready(events),
        "view": joined(common, dumps(own_json(_own_of(live, seat)))),
    }
    text = live.frames[key] = dumps({"t": "steps", "d": data})
    return text


def _view_of(live: MatchState, seat: int | None) -> View:
    if seat is None or not live.meta.seats[seat].left:
        return view_for(live.state, seat)
    return left_view_for(live.state, seat, watchable=live.meta.watchable)


def _own_of(live: MatchState, seat: int | None) -> Own:
    if seat is None or not live.meta.seats[seat].left:
        return own_for(live.state, seat)
    return left_own_for(live.state, seat)


def _is_closed(live: MatchState, seat: int) -> bool:
    """Return whether a seat was lost for good at a table that nobody may watch."""
    return bool(live.meta.seats[seat].left) and not live.meta.watchable


def history(live: MatchState, game: int, ident: str) -> str:
    """Return the answer to the request ``ident`` for the events of an earlier game.

    Raises:
        Refused: ``not_offered`` for the current or last game, whose events are in the view.
    """
    if game > len(live.earlier):
        raise Refused("not_offered", f"game {game} is not an earlier one")
    key = ("history", game)
    text = live.frames.get(key)
    if text is None:
        told = [event_json(event) for event in live.earlier[game - 1]]
        text = live.frames[key] = dumps({"game": game, "events": told})
    return dumps({"t": "history", "id": ident, "d": Ready(text)})


def returned(computer: str) -> str:
    """Return the `returned` message: ``computer`` had the player's seat, who has it back."""
    return dumps({"t": "returned", "d": {"computer": computer}})


def clock(
    *, version: int, seats: tuple[int, ...], until: datetime, limit: int, now: datetime
) -> str:
    """Return the `clock` message: the time limit of a decision, and this server's time.

    Args:
        version: version of the match that is waiting for the decision.
        seats: the seats that have to decide.
        until: when their time is up.
        limit: seconds for each decision.
        now: the current time, by the same clock as ``until``.
    """
    data = {
        "v": version,
        "seats": list(seats),
        "limit": limit,
        "until": round(until.timestamp(), 3),
        "now": round(now.timestamp(), 3),
    }
    return dumps({"t": "clock", "d": data})


def due(turn: Turn, *, days: int, now: datetime, to_player: bool) -> str:
    """Return the `due` message: the time limits of a correspondence decision, and who is late.

    Args:
        turn: the seats that have to decide, and their deadlines; the others may then act.
        days: days for each decision.
        now: the current time, by the same clock as the deadlines.
        to_player: whether a player gets it; watchers do not hear who is away.
    """
    seats = [
        {
            "seat": seat,
            "until": round(until.timestamp(), 3),
            "late": now >= until,
            "away": None if away is None or not to_player else round(away.timestamp(), 3),
        }
        for seat, until, away in zip(turn.seats, turn.dues, turn.away, strict=True)
    ]
    return dumps({"t": "due", "d": {"v": turn.version, "days": days, "seats": seats}})


def ok(ident: str, version: int) -> str:
    """Return the acceptance of the request ``ident``, with the version of the match after it."""
    return dumps({"t": "ok", "id": ident, "d": {"v": version}})


def error(code: str, detail: str = "", ident: str = "") -> str:
    """Return a refusal, with the id of the request that it answers, if there was one."""
    message: dict[str, Any] = {"t": "error", "d": {"code": code, "message": sentence(code, detail)}}
    if ident:
        message["id"] = ident
    return dumps(message)


def hint(found: Hint, version: int, ident: str) -> str:
    """Return the answer to the request ``ident`` for a hint at this version."""
    data = {
        "v": version,
        "action": found.action,
        "cards": names(found.cards),
        "advice": found.advice,
        "reasons": list(found.reasons),
    }
    return dumps({"t": "hint", "id": ident, "d": data})


def friends(found: Iterable[Invitable], ident: str) -> str:
    """Return the answer to the request ``ident`` for the friends who can be invited."""
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


def bye(code: str, retry: int | None = None) -> str:
    """Return the last message before the server closes the connection.

    ``retry``: seconds after which the client may try again, if that is not clear from the code.
    """
    data: dict[str, Any] = {"code": code, "message": sentence(code)}
    if retry is not None:
        data["retry"] = retry
    return dumps({"t": "bye", "d": data})


def table_common(
    live: MatchState,
    *,
    seated: bool,
    online: frozenset[int],
    watchers: int,
    wanted: Mapping[int, bool],
    stalled: bool = False,
) -> str:
    """Return what the `table` messages for all players, or for all watchers, have in common.

    Args:
        live: the match.
        seated: whether it is for players.
        online: seats with a socket.
        watchers: number of watchers.
        wanted: seat at the table that wants a rematch -> whether with the seats swapped.
        stalled: whether the last attempt at the rematch that all want has failed.
    """
    meta = live.meta
    over = live.state.phase is Phase.OVER
    data = {
        "match": meta.public_id,
        "status": Match.Status.FINISHED if over else meta.status,
        "seats": [_seat(each, online) for each in meta.seats],
        "watchers": watchers,
        "hints": meta.hints,
        "claimed": live.claimed,
        "rematch": {
            "wanted": sorted(other for other, swap in wanted.items() if not swap),
            "swapped": sorted(other for other, swap in wanted.items() if swap),
            "can_swap": live.swappable,
            "offered": not meta.ranked,
            "possible": not (meta.parted or meta.imported),
            "stalled": stalled,
            "match": (meta.rematch or None) if seated or meta.rematch_watchable else None,
        },
        "duplicate": None if meta.duplicate is None else _earlier(meta.duplicate),
    }
    return dumps(data)


def table(
    live: MatchState,
    common: str,
    *,
    seat: int | None,
    creator: bool,
    away: Mapping[int, float],
    grace: float,
    idle: Mapping[int, float],
    idle_limit: float,
) -> str:
    """Return the `table` message for one seat: the seats, who is connected, and what is offered.

    Args:
        live: the match.
        common: the `table_common` for players, or for watchers.
        seat: the recipient's seat; None for a watcher.
        creator: whether the recipient has created the match.
        away: seat -> seconds for which its player has been absent although they must act.
        grace: seconds of absence after which the others may act.
        idle: seat -> seconds for which its player has been asked to act, if that is long.
        idle_limit: seconds without an action after which the others may act.
    """
    meta = live.meta
    waiting = meta.status == Match.Status.WAITING
    waits = rules.waiting(live.state) if idle else ()
    own = {
        "creator": creator,
        "you": seat,
        "invite": f"/join/{meta.invite}/" if creator and waiting else None,
        "absent": [
            _missed(other, seconds, grace, live)
            for other, seconds in sorted(away.items())
            if seat is not None and other != seat
        ],
        "idle": [
            _missed(other, seconds, idle_limit, live, may_act=seat not in waits)
            for other, seconds in sorted(idle.items())
            if seat is not None
        ],
    }
    return dumps({"t": "table", "d": joined(common, dumps(own))})


def _earlier(match: SourceMatch) -> dict[str, Any]:
    return {"match": match.public_id, "scores": list(match.scores)}


def _seat(seat: SeatMeta, online: frozenset[int]) -> dict[str, Any]:
    if seat.player is None:
        return {"seat": seat.seat, "name": seat.name or None}
    return {
        "seat": seat.seat,
        "name": seat.name,
        "kind": seat.kind,
        "player": seat.public_id,
        "online": seat.computer or seat.seat in online,
        "stand_in": seat.stand_in or None,
        "left": seat.left or None,
        "owner": seat.owner or None,
        "preparing": jit_warmup.is_preparing(seat.level),
    }


def _missed(
    seat: int, seconds: float, limit: float, live: MatchState, *, may_act: bool = True
) -> dict[str, Any]:
    """Return an entry about a player for whom the others may act after ``limit`` seconds."""
    late = seconds >= limit
    offered = late and may_act
    return {
        "seat": seat,
        "v": live.version,
        "since": int(seconds),
        "can_stand_in": offered,
        "can_claim": offered and live.meta.ruleset.players == 2,
        "offer_in": None if late else max(1, round(limit - seconds)),
    }
