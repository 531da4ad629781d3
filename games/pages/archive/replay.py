"""Pages of a replay: the replay, its steps as JSON, and the print version."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.archive import replays, selectors
from games.archive.access import hands_shown, seat_of
from games.archive.replays import HandSteps, Replay
from games.log.claims import Claim, claims
from games.models import Match
from games.pages.site.visitor import player_of
from games.pages.tables.forms import level_lines, usual_level
from games.text.log_sentences import LogLine
from games.text.log_sentences import lines as lines_of
from games.wire.serializers import dumps


@dataclass(frozen=True, slots=True)
class ReplayLogLine:
    """A line of the log as shown.

    Attributes:
        step: the step that it describes.
        seat, name: the seat that acted and its name; None and "" if the line concerns all.
        text: what happened.
        points, scores: points scored and scores afterwards, as "12 : 9"; 0 and "" for none.
    """

    step: int
    seat: int | None
    name: str
    text: str
    points: int
    scores: str


@require_safe
def replay(
    request: HttpRequest,
    public_id: str,
    game: int,
    hand: int,
    step: int | None = None,
    part: int = 0,
) -> HttpResponse:
    """Show a step of a hand, by default its deal.

    If the step belongs to another hand, redirect to that hand.
    """
    match, found = _visible_replay(request, public_id)
    place = found.hand(game, hand)
    if place is None:
        raise Http404
    at = place.deal if step is None else step
    actual = found.hand_at(at)
    if actual is None:
        raise Http404
    if actual != place:
        return redirect("games:replay_step", public_id, actual.game, actual.number, at)
    number = found.hands.index(place)
    names = _names(match)
    context: dict[str, Any] = {
        "match": match,
        "hand": place,
        "step": at,
        "part": part,
        "side": seat_of(match, player_of(request)) or 0,
        "levels": _levels(len(names)),
        "lines": list(hand_lines(found, place, names, _left(match), claimed=_claimed(match))),
        "before": found.hands[number - 1] if number else None,
        "after": found.hands[number + 1] if number + 1 < len(found.hands) else None,
    }
    return render(request, "games/archive/replay.html", context)


@require_safe
@gzip_page
@cache_control(private=True, no_cache=True)
def frames(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return all steps that the reader may see, as JSON."""
    match, found = _visible_replay(request, public_id)
    data = {
        "match": match.public_id,
        "own": seat_of(match, player_of(request)),
        "seats": [
            {"seat": seat, "name": name, "left": _left(match).get(seat)}
            for seat, name in enumerate(_names(match))
        ],
        "claimed": _claimed(match),
        **replays.frames(found),
    }
    return HttpResponse(dumps(data), content_type="application/json")


@require_safe
def printed(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the whole match on a page for printing."""
    match, found = _visible_replay(request, public_id)
    names, claimed = _names(match), _claimed(match)
    games: dict[int, list[dict[str, Any]]] = {}
    for hand in found.hands:
        lines = list(hand_lines(found, hand, names, _left(match), claimed=claimed))
        row = {"hand": hand, "dealer": names[hand.dealer], "lines": lines}
        games.setdefault(hand.game, []).append(row)
    context = {
        "match": match,
        "names": names,
        "ruleset": found.ruleset,
        "games": [_game(found, number, hands) for number, hands in sorted(games.items())],
        "whole": found.whole,
    }
    return render(request, "games/archive/print.html", context)


def hand_lines(
    found: Replay,
    hand: HandSteps,
    names: tuple[str, ...],
    left: Collection[int] = (),
    *,
    claimed: str | None = None,
) -> Iterator[ReplayLogLine]:
    """Yield the log of one hand with the cut for its deal; `left`, `claimed`: see `lines_of`."""
    for step in range(hand.first, hand.last + 1):
        move, events = found.moves[step - 1], found.steps[step - 1].events
        for line in lines_of(move, events, names, left, claimed=claimed):
            yield _shown_line(step, line, names)


def _shown_line(step: int, line: LogLine, names: tuple[str, ...]) -> ReplayLogLine:
    return ReplayLogLine(
        step=step,
        seat=line.seat,
        name="" if line.seat is None else names[line.seat],
        text=line.text,
        points=line.points,
        scores="" if line.scores is None else " : ".join(map(str, line.scores)),
    )


def _visible_replay(request: HttpRequest, public_id: str) -> tuple[Match, Replay]:
    """Return a match and the part of its replay that the reader may see.

    Raises:
        Http404: if it does not exist, or the reader may see none of it.
    """
    match = selectors.match_by_id(public_id=public_id)
    hands = 0 if match is None else hands_shown(match, player_of(request))
    if match is None or not hands:
        raise Http404
    found = replays.load(match, hands=hands)
    if not found.hands:
        raise Http404
    return match, found


def _game(found: Replay, number: int, hands: list[dict[str, Any]]) -> dict[str, Any]:
    """Return one game for the print version: its hands, and the winner once it is over."""
    last = hands[-1]["hand"]
    state = found.state(last.last)
    over = len(state.results) >= number
    return {
        "number": number,
        "hands": hands,
        "scores": state.scores,
        "winner": state.results[number - 1].winner if over else None,
    }


def _names(match: Match) -> tuple[str, ...]:
    """Return the name of each seat; a second computer of the same name gets a number."""
    names: list[str] = []
    for row in match.seats.all():
        name = row.shown_name or _("no one")
        twins = names.count(name) if row.computer else 0
        names.append(f"{name} {twins + 1}" if twins else name)
    return tuple(names)


def _left(match: Match) -> dict[int, str]:
    """Return the seats whose players left for good, and how, as the table's messages have it."""
    return {
        row.seat: "timed_out" if row.timed_out else "left"
        for row in match.seats.all()
        if row.left_at is not None
    }


def _claimed(match: Match) -> Claim | None:
    """Return why the win was claimed from a player; None if it was not."""
    return claims([match]).get(match.pk)


def _levels(players: int) -> list[tuple[str, str, str, bool]]:
    """Return name, label and description of each level, and whether it is the default."""
    first = usual_level()
    return [
        (one.name, one.choice(players), one.description, one.name == first) for one in level_lines()
    ]
