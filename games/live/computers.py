"""Decisions of computer players at a table: cards are chosen by `games.bots`, points counted here.

A computer gets the same View as a person in its seat. With manual counting it counts correctly, and
calls muggins for points that others miss.
"""

from __future__ import annotations

import logging

from games.bots import Player, UnknownPlayer, get, levels
from games.engine.cards import RANK, Card
from games.engine.events import Counted, Played
from games.engine.moves import Claim, Decision, Discard, Muggins, Pass, Play
from games.engine.pegging import score_play
from games.engine.scoring import score_hand
from games.engine.view import View

logger = logging.getLogger(__name__)

Cards = tuple[Card, ...]


SEARCHING = "ada"
"""The level that searches: the others decide within the time that asking a process takes."""


def decide(level: str, view: View, chosen: Cards = ()) -> Decision | None:
    """Return the decision of the computer ``level``; None if its seat has nothing to decide.

    Args:
        level: the computer's level.
        view: the match as its seat sees it.
        chosen: what `choose` has returned for the view; it is called here if this is empty.
    """
    seat = view.seat
    if seat is None:
        return None
    counted = count_for(view)
    if counted is not None:
        return counted
    match view.legal.action:
        case "discard":
            return Discard(seat, _throw(level, view, chosen))
        case "play":
            return play_of(seat, _card(level, view, chosen), view)
        case _:
            return None


def searches(level: str, view: View) -> bool:
    """Return whether `choose` takes long for a computer and its view: it has to search."""
    if player(level).name != SEARCHING or count_for(view) is not None:
        return False
    return view.legal.action == "discard" or len({RANK[card] for card in view.legal.cards}) > 1


def choose(level: str, view: View) -> Cards:
    """Return the cards that a computer would discard, or the card that it would play.

    It may raise anything, and choose illegal cards: `decide` takes care of both.
    """
    computer = player(level)
    return computer.discard(view) if view.legal.action == "discard" else (computer.play(view),)


def count_for(view: View) -> Decision | None:
    """Return the correct claim for a seat, or its answer to another seat's claim.

    None if the seat has to discard or play, or has nothing to decide.
    """
    seat = view.seat
    if seat is None:
        return None
    missed = _missed(view) if view.legal.muggins else 0
    match view.legal.action:
        case "play" | "answer" if missed:
            return Muggins(seat, missed)
        case "claim":
            return Claim(seat, _worth(view))
        case "answer":
            return Pass(seat)
        case _:
            return None


def play_of(seat: int, card: Card, view: View) -> Play:
    """Return the move that plays ``card``, claiming its points if players have to."""
    if not view.legal.claims:
        return Play(seat, card)
    pile = [*(played for _, played in view.pile), card]
    return Play(seat, card, sum(part.points for part in score_play(pile)))


def player(level: str) -> Player:
    """Return the computer of ``level``; the strongest if the level no longer exists."""
    try:
        return get(level)
    except UnknownPlayer:
        return levels()[-1]


def _throw(level: str, view: View, chosen: Cards) -> Cards:
    cards = chosen or _chosen(level, view)
    legal = set(view.legal.cards)
    if len(set(cards)) == view.legal.number and legal.issuperset(cards):
        return tuple(cards)
    logger.error("%s made an illegal discard at sequence %d", level, view.sequence)
    return view.legal.cards[: view.legal.number]


def _card(level: str, view: View, chosen: Cards) -> Card:
    cards = chosen or _chosen(level, view)
    if len(cards) == 1 and cards[0] in view.legal.cards:
        return cards[0]
    logger.error("%s played an illegal card at sequence %d", level, view.sequence)
    return view.legal.cards[0]


def _chosen(level: str, view: View) -> Cards:
    try:
        return choose(level, view)
    except Exception:  # the game must go on
        logger.exception("%s failed at sequence %d", level, view.sequence)
        return ()


def _worth(view: View) -> int:
    """Return the points of the hand or crib being counted."""
    item = view.counting
    if item is None or view.starter is None:
        return 0
    return score_hand(item.cards, view.starter, item.item == "crib").total


def _missed(view: View) -> int:
    """Return the points that the open claim missed, from public cards only."""
    for event in reversed(view.events):
        match event:
            case Counted(item=item, cards=cards, points=points) if view.starter is not None:
                return score_hand(cards, view.starter, item == "crib").total - points
            case Played():
                return _missed_in_play(view, event)
            case _:
                continue
    return 0


def _missed_in_play(view: View, last: Played) -> int:
    """Return the points that the claim for the last card missed; its count may have ended since."""
    cards: list[Card] = []
    total = 0
    for _, card in reversed(view.plays):
        cards.insert(0, card)
        total += min((card >> 2) + 1, 10)
        if total == last.count:
            break
    return sum(part.points for part in score_play(cards)) - last.points
