"""Positions of the analysis board from matches: what a seat knew, and own running hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from django.db.models import Q
from django.utils.translation import gettext as _

from games import hooks
from games.archive.replays import Replay
from games.engine import rules
from games.engine.cards import RANK, Card
from games.engine.moves import Deal, parse_move
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


def is_running(
    cards: Collection[Card], player: Player | None, cookies: Mapping[str, str] | None = None
) -> bool:
    """Return whether cards are nearly the reader's own hand in a match that still runs.

    Suits and the starter hardly matter to a choice, so ranks alone are compared, and one card may
    differ, except of four kept ones. Matches with hints are left out, since they give this help
    themselves. Of other accounts that are the reader's (`games.hooks.same_reader`) only ranked
    matches are compared.
    """
    own = Counter(RANK[card] for card in cards)
    return any(
        (own & Counter(RANK[card] for card in dealt)).total()
        >= max(4, min(len(cards), len(dealt)) - 1)
        for dealt in _running_hands(player, cookies or {})
    )


def refusal(
    cards: Collection[Card], player: Player | None, cookies: Mapping[str, str] | None = None
) -> str:
    """Return why cards may not be analysed now, or "" if they may."""
    if not is_running(cards, player, cookies):
        return ""
    # It does not say that they are that hand: about 1 in 90 unrelated hands is as close.
    return _("These cards are too close to a hand you're playing now. Analyse them after the game.")


def _running_hands(player: Player | None, cookies: Mapping[str, str]) -> Iterator[tuple[Card, ...]]:
    """Yield the reader's cards in the newest hand of each running match."""
    seats = _running_seats(player, cookies)
    for match, texts in store.newest_hands(list(seats)).items():
        for move in map(parse_move, texts):
            if isinstance(move, Deal):
                yield move.hands[seats[match]]


def _running_seats(player: Player | None, cookies: Mapping[str, str]) -> dict[int, int]:
    """Return match -> seat of the reader, or of another of their accounts.

    Ranked matches with two of these accounts are left out for others than the player: the answer
    would tell one of the two what the other holds.
    """
    key = None if player is None else player.pk
    others = hooks.same_reader(key, cookies) - {key}
    if key is None and not others:
        return {}
    whose = Q(player_id=key) if key is not None else Q(pk__in=[])
    rows = Seat.objects.filter(
        whose | Q(player_id__in=others, match__ranked=True),
        computer=False,
        left_at__isnull=True,  # else a refusal would tell what the computer now holds there
        match__status=Match.Status.PLAYING,
        match__hints=False,
    ).values_list("match", "seat", "player")
    among = Counter(match for match, _seat, _player in rows)
    return {match: seat for match, seat, who in rows if who == key or among[match] == 1}
