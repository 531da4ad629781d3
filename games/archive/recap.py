"""The recap of a match's last game for one of its players, from the rows of its hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from games.analysis import deal_values, winning
from games.archive.selectors import HandLine, MatchDetail
from games.engine.cards import parse_card
from games.models import HandSeat, Match

Item = Literal["pegging", "hand", "crib"]
ITEMS: tuple[Item, ...] = ("pegging", "hand", "crib")
TELLING = 8
"""Points from which an item of a hand is worth telling."""


@dataclass(frozen=True, slots=True)
class ItemSum:
    """The player's points from one kind of item, and what their cards were worth.

    ``worth`` is None until the match is measured, and for matches that never are.
    """

    item: Item
    made: int
    worth: float | None


@dataclass(frozen=True, slots=True)
class Swing:
    """The hand that changed the player's chance to win the most; chances from 0 to 1.

    ``shown`` is whether the player may replay it.
    """

    hand: int
    before: float
    after: float
    shown: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """The hand in which the winner took the lead for good, and their best item in it.

    Attributes:
        hand: its number, from 1.
        item, points: the item and its points; "" and 0 if none is worth telling.
        lead: the reader's lead before it, points: 0 if they shared it, below 0 if others led.
    """

    hand: int
    item: Item | Literal[""]
    points: int
    lead: int


@dataclass(frozen=True, slots=True)
class BestHand:
    """The player's best counted hand: four cards and the starter by name."""

    points: int
    cards: str
    starter: str


@dataclass(frozen=True, slots=True)
class GameRecap:
    """The last game of a match as one of its players may see it.

    Attributes:
        game: its number, from 1.
        won: whether the player won it.
        played_out: whether it ended at the target score, with nobody resigning or leaving.
        chances: the player's chance to win (0..1) before each hand, and at the end.
        turn: None if the winner led after every hand, and was not behind at the start.
        deficit: the most points by which the winner was behind, at the start or after a hand.
        swing: None without hands.
        sums: points by kind of item.
        muggins: points taken by muggins; None if it isn't played with.
        luck: what the deals were worth above the average, points; None if not measured.
        best: None if none was counted.
    """

    game: int
    won: bool
    played_out: bool
    chances: tuple[float, ...]
    turn: Turn | None
    deficit: int
    swing: Swing | None
    sums: tuple[ItemSum, ...]
    muggins: int | None
    luck: float | None
    best: BestHand | None

    @property
    def made(self) -> int | None:
        """The points made above what the cards were worth; None if not measured.

        Each worth is rounded as it is shown, so that the sum is that of the numbers beside it.
        """
        worth = [each.worth for each in self.sums]
        known = [round(each) for each in worth if each is not None]
        if len(known) < len(worth):
            return None
        return sum(each.made for each in self.sums) - sum(known)


def recap_of(detail: MatchDetail) -> GameRecap | None:
    """Return the recap for the reader's seat.

    None for readers without a seat, without hands, and for those who left the match: they have not
    seen all of their cards.
    """
    seat = detail.own_seat
    if seat is None or not detail.games or detail.match.status != Match.Status.FINISHED:
        return None
    if detail.seats[seat].left_at is not None:
        return None
    lines = detail.games[-1]
    first = sum(len(game) for game in detail.games[:-1])
    last = [part.score_after for part in lines[-1].seats]
    left = any(each.left_at is not None for each in detail.seats)
    played_out = max(last) >= detail.ruleset.target and not left
    won = last[seat] >= detail.ruleset.target if played_out else detail.seats[seat].won is True
    chances = (*_chances(detail, lines, seat), 1.0 if won else 0.0)
    own = [line.seats[seat] for line in lines]
    winner = max(range(len(last)), key=lambda each: last[each])
    return GameRecap(
        game=len(detail.games),
        won=won,
        played_out=played_out,
        chances=chances,
        turn=_turn(lines, winner, seat) if played_out else None,
        deficit=max(0, *(-lead for lead in _leads(lines, winner))),
        swing=_swing(chances, detail.hands_shown - first),
        sums=tuple(_sum(item, own) for item in ITEMS),
        muggins=sum(part.muggins for part in own) if detail.ruleset.muggins else None,
        luck=_luck(own, len(last)),
        best=_best(own, lines),
    )


def _chances(detail: MatchDetail, lines: Sequence[HandLine], seat: int) -> list[float]:
    target = detail.ruleset.target
    return [
        winning.win_probability(
            tuple(part.score_before for part in line.seats), line.hand.dealer, target=target
        )[seat]
        for line in lines
    ]


def _leads(lines: Sequence[HandLine], seat: int) -> list[int]:
    """Return a seat's lead at the start and after each hand, points; below 0 if it was behind.

    A game that was played on from a position starts with points.
    """
    start = [part.score_before for part in lines[0].seats]
    scores = [start, *([part.score_after for part in line.seats] for line in lines)]
    return [own[seat] - max(own[:seat] + own[seat + 1 :]) for own in scores]


def _turn(lines: Sequence[HandLine], winner: int, reader: int) -> Turn | None:
    leads = _leads(lines, winner)
    behind = [at for at, lead in enumerate(leads) if lead < 0 or (at > 0 and lead == 0)]
    if not behind:
        return None
    at = behind[-1]
    part = lines[at].seats[winner]
    item = max(ITEMS, key=lambda each: _points(part, each))
    points = _points(part, item)
    telling = points >= TELLING
    lead = _leads(lines, reader)[at]
    return Turn(at + 1, item if telling else "", points if telling else 0, lead)


def _swing(chances: Sequence[float], shown: int) -> Swing | None:
    changes = [after - before for before, after in pairwise(chances)]
    if not changes:
        return None
    at = max(range(len(changes)), key=lambda each: abs(changes[each]))
    return Swing(at + 1, chances[at], chances[at + 1], at < shown)


def _points(part: HandSeat, item: Item) -> int:
    found = {"pegging": part.pegging, "hand": part.hand_points, "crib": part.crib_points}[item]
    return found or 0


def _sum(item: Item, own: Sequence[HandSeat]) -> ItemSum:
    """Return the points of an item; what it was worth only in hands in which it was counted."""
    worths: list[float | None] = []
    for part in own:
        if item == "pegging":
            worths.append(part.worth_pegging)
        elif item == "hand" and part.hand_points is not None:
            worths.append(part.worth_hand)
        elif item == "crib" and part.crib_points is not None:
            worths.append(part.worth_crib)
    known = [worth for worth in worths if worth is not None]
    whole = len(known) == len(worths) and any(part.worth is not None for part in own)
    return ItemSum(item, sum(_points(part, item) for part in own), sum(known) if whole else None)


def _luck(own: Sequence[HandSeat], seats: int) -> float | None:
    found = 0.0
    for part in own:
        if part.worth is None:
            return None
        role = (part.seat.seat - part.hand.dealer - 1) % seats
        found += part.worth - deal_values.DEALS[seats, role][0]
    return found


def _best(own: Sequence[HandSeat], lines: Sequence[HandLine]) -> BestHand | None:
    """Return the hand that counted most, the first of several; None if none counted anything."""
    at = max(range(len(own)), key=lambda each: own[each].hand_points or 0)
    part, points = own[at], own[at].hand_points
    if not points:
        return None
    thrown = set(part.discarded.split())
    kept = sorted((name for name in part.dealt.split() if name not in thrown), key=parse_card)
    return BestHand(points, " ".join(kept), lines[at].hand.starter)
