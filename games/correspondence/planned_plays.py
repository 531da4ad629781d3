"""Planned plays: a player's answers to the opponent's next card, and forced plays.

Both exist only in correspondence matches of two where the table counts. A plan is made for one
version of a match and holds for the next: it is dropped if anything but one card of the opponent
follows. Nobody but its player is told of it; `games.live.planned_moves` carries it out.

A discard needs no plan: both players may discard in any order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from games.engine import rules
from games.engine.cards import NAMES, RANKS, Card, parse_card, pips, rank
from games.engine.moves import Play, parse_move
from games.engine.state import Phase, Ruleset, State
from games.engine.view import view_for
from games.log import store
from games.models import Match, PlannedPlay, Player, Seat
from games.wire.refusals import Refused

LIMIT = 31
OTHERS = ""
"""The key of the answer to all ranks without their own."""


@dataclass(frozen=True, slots=True)
class Option:
    """A rank that the opponent may play next, and the own cards that may follow it, by name."""

    rank: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Planning:
    """The plays that a player may plan now.

    Attributes:
        version: the version of the match for which the plan is made.
        count: the count before the opponent's card.
        cards: the player's own cards, by name.
        options: the ranks that fit under 31.
        answers: the present plan: rank -> card; `OTHERS` for the other ranks.
    """

    version: int
    count: int
    cards: tuple[str, ...]
    options: tuple[Option, ...]
    answers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NextPlay:
    """A play that is due: planned, or the only one; ``version`` is the only one it is for."""

    move: Play
    version: int


def planning(*, match: Match, player: Player) -> Planning | None:
    """Return what a player may plan in a match; None if they have no seat or nothing to plan."""
    seat = _seat(match, player)
    if seat is None or not is_plannable(match):
        return None
    state = _state(match)
    if state.phase is not Phase.PLAY or rules.waiting(state) != (1 - seat.seat,):
        return None
    view = view_for(state, seat.seat)
    if not view.cards:
        return None
    plan = PlannedPlay.objects.filter(seat=seat, version=state.sequence).first()
    return Planning(
        version=state.sequence,
        count=view.count,
        cards=tuple(NAMES[card] for card in view.cards),
        options=_options(view.count, view.cards),
        answers=plan.answers if plan is not None else {},
    )


def plan(*, match: Match, player: Player, version: int, answers: Mapping[str, str]) -> None:
    """Store a player's plan for a version of a match; an empty one withdraws it.

    Raises:
        Refused: ``not_offered`` if there is nothing to plan at this version, ``bad_plan`` for a
            rank that cannot follow, or a card that may not follow it.
    """
    with transaction.atomic():
        known = planning(match=match, player=player)
        if known is None or known.version != version:
            raise Refused("not_offered")
        allowed = {option.rank: option.cards for option in known.options}
        for key, card in answers.items():
            if card not in (known.cards if key == OTHERS else allowed.get(key, ())):
                raise Refused("bad_plan")
        seat = _seat(match, player)
        if not answers:
            PlannedPlay.objects.filter(seat=seat).delete()
            return
        PlannedPlay.objects.update_or_create(
            seat=seat, defaults={"version": version, "answers": dict(answers)}
        )


def next_play(match: Match) -> NextPlay | None:
    """Return the planned or forced play that a match is waiting for; None without one.

    Plans that no longer fit are deleted. A plan that was carried out no longer fits either, so it
    needs no mark, and a repeated call plays nothing twice.
    """
    if match.status != Match.Status.PLAYING:
        PlannedPlay.objects.filter(seat__match=match).delete()
        return None
    if not match.days or not _is_automatic(match):
        return None
    state = _state(match)
    waiting = rules.waiting(state)
    seat = _person(match, waiting[0]) if state.phase is Phase.PLAY and len(waiting) == 1 else None
    planned = _answer(match, state, seat) if is_plannable(match) else None
    stale = PlannedPlay.objects.filter(seat__match=match, version__lt=state.sequence)
    if seat is None or seat.player is None:
        stale.delete()
        return None
    legal = view_for(state, seat.seat).legal.cards
    if planned in legal and planned is not None:
        return NextPlay(Play(seat.seat, planned), state.sequence)
    stale.delete()
    if len(legal) == 1 and seat.player.plays_forced:
        return NextPlay(Play(seat.seat, legal[0]), state.sequence)
    return None


def awaits_deal(match: Match) -> bool:
    """Return whether a correspondence match goes on only when cards are dealt."""
    playing = match.status == Match.Status.PLAYING and match.days is not None
    return playing and rules.chance(_state(match)) is not None


def _answer(match: Match, state: State, seat: Seat | None) -> Card | None:
    """Return the planned answer of a seat to the card that was just played, if it has one."""
    made_for = PlannedPlay.objects.filter(seat=seat, version=state.sequence - 1).first()
    if seat is None or made_for is None:
        return None
    last = parse_move(store.load([(match.pk, state.sequence - 1)])[match.pk][0].text)
    if not isinstance(last, Play) or last.seat == seat.seat:
        return None
    answers = made_for.answers
    name = answers.get(RANKS[rank(last.card)]) or answers.get(OTHERS)
    return parse_card(name) if name else None


def _options(count: int, cards: tuple[Card, ...]) -> tuple[Option, ...]:
    found = []
    for each in range(len(RANKS)):
        then = count + pips(4 * each)
        if then > LIMIT:
            continue
        room = LIMIT - (0 if then == LIMIT else then)
        found.append(Option(RANKS[each], tuple(NAMES[c] for c in cards if pips(c) <= room)))
    return tuple(found)


def _is_automatic(match: Match) -> bool:
    """Return whether cards can be played for a player: they then claim no points."""
    return bool(match.ruleset["counting"] == "auto")


def is_plannable(match: Match) -> bool:
    """Return whether plays may be planned in a match."""
    return (
        match.status == Match.Status.PLAYING
        and match.days is not None
        and match.ruleset["players"] == 2
        and _is_automatic(match)
    )


def _seat(match: Match, player: Player) -> Seat | None:
    return match.seats.filter(player=player, computer=False, stand_in__isnull=True).first()


def _person(match: Match, seat: int) -> Seat | None:
    rows = match.seats.filter(seat=seat, computer=False, stand_in__isnull=True)
    return rows.select_related("player").filter(player__is_active=True).first()


def _state(match: Match) -> State:
    entries = store.load([(match.pk, 0)])[match.pk]
    return rules.fold(Ruleset.from_dict(match.ruleset), (parse_move(each.text) for each in entries))
