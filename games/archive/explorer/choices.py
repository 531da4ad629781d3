"""The choices of a match for the explorer, read from the summaries of its hands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Prefetch

from games import hooks
from games.archive.explorer import spots
from games.engine.cards import JACK, RANK, Card, parse_card, parse_cards
from games.engine.scoring import count_hand
from games.models import Choice, Hand, HandSeat, Match, Player, Seat

SEATS = 2
BELOW, ABOVE = 1475.0, 1525.0
"""Ratings that separate the groups: half a standard deviation from the middle."""
NEAR, FAR = 30, 60
"""Points to go that separate the stages."""
HEELS = 2

_LEFT_OUT = -1
"""The group of a seat whose choices are not its player's own."""


@dataclass(frozen=True, slots=True)
class _Side:
    """One seat in one hand: its row, and its cards."""

    row: HandSeat
    dealt: tuple[Card, ...]
    thrown: tuple[Card, ...]
    kept: tuple[Card, ...]


def choices_of(match: Match) -> list[Choice]:
    """Return the unsaved choices of a match for two.

    People's choices are left out where they could ask for hints.
    """
    if match.ruleset.get("players") != SEATS:
        return []
    seats = match.seats.select_related("player")
    groups = {row.pk: _group(row, hints=match.hints) for row in seats}
    hands = Hand.objects.filter(match=match).order_by("game", "number")
    rows = HandSeat.objects.select_related("seat").order_by("seat__seat")
    target = int(match.ruleset["target"])
    found = []
    for hand in hands.prefetch_related(Prefetch("seats", rows)):
        for choice, seat in _choices(hand, target):
            choice.match_id, choice.group = match.pk, groups[seat]
            if choice.group != _LEFT_OUT:
                found.append(choice)
    return found


def _choices(hand: Hand, target: int) -> Iterator[tuple[Choice, int]]:
    """Yield the choices of a hand, each with the primary key of its seat."""
    sides = [_side(row) for row in hand.seats.all()]
    if len(sides) != SEATS or not all(len(side.thrown) == 2 for side in sides):
        return
    stage = _stage(target - max(side.row.score_before for side in sides))
    pegged = _pegged(hand, sides)
    for at, side in enumerate(sides):
        other = sides[1 - at]
        net = None if pegged is None else pegged[at] - pegged[1 - at]
        dealer = side.row.is_dealer

        def row(spot: int, choice: int, points: int | None, side: _Side = side) -> Choice:
            return Choice(
                game=hand.game + 1,
                hand=hand.number + 1,
                seat=side.row.seat.seat,
                spot=spot,
                choice=choice,
                stage=stage,
                points=points,
            )

        yield (
            row(
                spots.throw_spot(side.dealt, dealer=dealer),
                spots.throw_choice(side.dealt, side.thrown),
                _scored(hand, side, other, net),
            ),
            side.row.seat_id,
        )
        answer = _play(hand, side, dealer=dealer)
        if answer is not None:
            yield row(*answer, net), side.row.seat_id


def _side(row: HandSeat) -> _Side:
    dealt, thrown = parse_cards(row.dealt), parse_cards(row.discarded)
    return _Side(row, dealt, thrown, tuple(card for card in dealt if card not in thrown))


def _play(hand: Hand, side: _Side, *, dealer: bool) -> tuple[int, int] | None:
    """Return the spot and the choice of pone's lead, or of the dealer's answer to it."""
    plays = [parse_card(text.partition(":")[2]) for text in hand.plays.split()[:2]]
    if not dealer:
        return (spots.lead_spot(side.kept), RANK[plays[0]]) if plays else None
    if len(plays) < 2:
        return None
    return spots.answer_spot(side.kept, RANK[plays[0]]), RANK[plays[1]]


def _pegged(hand: Hand, sides: list[_Side]) -> list[int] | None:
    """Return each side's points in the play without heels; None if it was not played to the end."""
    if len(hand.plays.split()) < 4 * SEATS or not hand.starter:
        return None
    jack = RANK[parse_card(hand.starter)] == JACK
    return [side.row.pegging - HEELS * (jack and side.row.is_dealer) for side in sides]


def _scored(hand: Hand, side: _Side, other: _Side, net: int | None) -> int | None:
    """Return the points that a throw made, as `DiscardValue.total` counts them: hand, crib, play.

    Hands count whether or not the game ended before they were shown; otherwise the best hands,
    with which games are won, would be missing.
    """
    if net is None:
        return None
    starter = parse_card(hand.starter)
    crib = count_hand((*side.thrown, *other.thrown), starter, is_crib=True)
    own = count_hand(side.kept, starter)
    return own + net + (crib if side.row.is_dealer else -crib)


def _stage(to_go: int) -> Choice.Stage:
    if to_go > FAR:
        return Choice.Stage.EARLY
    return Choice.Stage.MIDDLE if to_go > NEAR else Choice.Stage.LATE


def _group(row: Seat, *, hints: bool) -> int:
    """Return who chose at a seat; `_LEFT_OUT` if a computer did for a person, or could help."""
    player = row.player
    if player is None or row.substituted or row.left_at is not None:
        return _LEFT_OUT
    if row.computer or player.is_computer:
        return Choice.Group.COMPUTER
    return _LEFT_OUT if hints else _strength(player)


def _strength(player: Player) -> Choice.Group:
    """Return a person's group by their present rating for two seats."""
    ratings = hooks.ratings(player.pk)
    rating = next((each for each in ratings if each["seats"] == SEATS), None)
    if rating is None or rating["provisional"]:
        return Choice.Group.UNRATED
    if rating["rating"] < BELOW:
        return Choice.Group.BELOW
    return Choice.Group.MIDDLE if rating["rating"] < ABOVE else Choice.Group.ABOVE
