"""Positions of the analysis board from matches: what a seat knew, and own running hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from games.archive.replays import Replay
from games.engine import rules
from games.engine.cards import RANK, Card
from games.engine.moves import Deal, Starter, parse_move
from games.engine.state import Phase, State
from games.engine.view import View, view_for
from games.learn.analysis_board import Position
from games.learn.analysis_play import tokens_of
from games.log import store
from games.models import Match, Player, Seat


def position_at(replay: Replay, *, step: int, side: int | None) -> Position | None:
    """Return the decision at a step of a replay, or the last one before it in the same hand.

    A step before the deal leads to the throw. While several seats have to throw, it is ``side``'s
    decision if that seat is one of them. None if the step belongs to no hand.
    """
    hand = replay.hand_at(step)
    if hand is None:
        return None
    for at in range(max(step, hand.deal), hand.deal - 1, -1):
        state = replay.state(at)
        seats = _deciding(state)
        if seats:
            seat = side if side in seats else seats[0]
            return position_of(view_for(state, seat))
    return None


def _deciding(state: State) -> tuple[int, ...]:
    if state.hand is None or state.phase not in {Phase.DISCARD, Phase.PLAY}:
        return ()
    return rules.waiting(state)


def position_of(view: View) -> Position:
    """Return the position of a seat that has to throw or play: what is in its view, and no more.

    Raises:
        ValueError: if the seat has to do neither.
    """
    seat, dealer = view.seat, view.dealer
    if seat is None or dealer is None or view.legal.action not in {"discard", "play"}:
        raise ValueError("only a seat that must throw or play has a position")
    players = view.ruleset.players
    plays = [((who - seat) % players, card) for who, card in view.plays]
    own = tuple(sorted((*view.cards, *view.played[seat])))
    turned = (dealer - seat) % players
    return Position(
        players=players,
        target=view.ruleset.target,
        dealer=turned,
        scores=tuple(view.scores[(seat + step) % players] for step in range(players)),
        cards=own,
        starter=view.starter,
        plays=()
        if view.starter is None
        else tokens_of(players=players, dealer=turned, own=own, plays=plays),
        thrown=tuple(sorted(view.thrown)),
    )


def is_running(position: Position, player: Player | None) -> bool:
    """Return whether a position is the player's own hand in a match that still runs.

    Suits hardly matter to a choice, so cards are compared by rank: six (or five) cards with those
    dealt; four kept ones if the starter's rank is the same too. Matches with hints are left out,
    since they give this help themselves.
    """
    if player is None or player.pk is None:
        return False
    own = Counter(RANK[card] for card in (*position.cards, *position.thrown))
    return any(
        own <= Counter(RANK[card] for card in dealt) and _same_starter(position, starter)
        for dealt, starter in _running_hands(player)
    )


def _same_starter(position: Position, starter: Card | None) -> bool:
    if position.starter is None:
        return True
    return starter is not None and RANK[starter] == RANK[position.starter]


def _running_hands(player: Player) -> Iterator[tuple[tuple[Card, ...], Card | None]]:
    """Yield a player's cards and the starter, in the newest hand of each running match."""
    seats = dict(
        Seat.objects.filter(
            player=player,
            computer=False,
            match__status=Match.Status.PLAYING,
            match__hints=False,
        ).values_list("match", "seat")
    )
    for match, texts in store.newest_hands(list(seats)).items():
        dealt: tuple[Card, ...] = ()
        starter = None
        for move in map(parse_move, texts):
            if isinstance(move, Deal):
                dealt, starter = move.hands[seats[match]], None
            elif isinstance(move, Starter):
                starter = move.card
        if dealt:
            yield dealt, starter
