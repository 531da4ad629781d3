"""Branches: matches against computers that continue a finished match from one of its steps."""

from __future__ import annotations

from dataclasses import replace

from games.archive import replays
from games.archive.replays import HandSteps, Replay
from games.engine.cards import NAMES, PACK
from games.engine.moves import Deal, Starter
from games.engine.state import Phase
from games.models import Decks, Match, Player
from games.people.player_lock import locked_player
from games.people.resent import CLICKED_WITHIN, made_already
from games.tables import against_computers
from games.tables.tables import computer
from games.wire.refusals import Refused


def branch_match(
    *, match: Match, player: Player, hands: int, step: int, seat: int, level: str
) -> Match:
    """Create a match of one game that continues from a step of ``match``.

    Its log starts with a copy of that game's log up to the step. The hand keeps its cards,
    including a starter that has not been cut yet; later hands are random. It counts for no
    statistics, and only its player can see it. The second of two clicks returns the first one's.

    Args:
        match: a finished match.
        player: the player of the branch.
        hands: how many hands of the match they may see (`games.archive.access.hands_shown`).
        step: number of log entries to copy; it must be within a hand.
        seat: the player's seat; computers of ``level`` take the others.
        level: name of the computer player.

    Raises:
        Refused: ``not_offered`` between hands and for hidden steps, ``bad_seat``, or
            ``no_such_level``.
    """
    replay = replays.load(match, hands=hands)
    hand = replay.hand_at(step)
    if hand is None or not _goes_on(replay, step):
        raise Refused("not_offered")
    if not 0 <= seat < replay.ruleset.players:
        raise Refused("bad_seat", f"seat {seat} of {replay.ruleset.players}")
    machine = computer(level)
    opening = replay.hand(hand.game, 1) or hand
    ruleset = replace(replay.ruleset, games=1, first_dealer=opening.dealer)
    with locked_player(player):
        known = _just_begun(player, seat, machine, match, step)
        if known is not None:
            return known
        return against_computers.begin(
            player=player,
            seat=seat,
            machine=machine,
            ruleset=ruleset,
            moves=replay.moves[opening.deal - 1 : step],
            branch_of=match,
            branch_step=step,
            decks=_decks(replay, hand, step),
        )


def _just_begun(
    player: Player, seat: int, machine: Player, match: Match, step: int
) -> Match | None:
    """Return the branch that the first of two clicks began, unless its player has moved."""
    known = made_already(
        Match.objects.filter(created_by=player, branch_of__isnull=False),
        at="created_at",
        within=CLICKED_WITHIN,
        branch_of=match,
        branch_step=step,
    )
    if known is None or known.moves.filter(seat=seat, sequence__gte=step).exists():
        return None
    seats = known.seats.values_list("seat", "player")
    expected = player.pk, machine.pk
    return known if all(own == expected[at != seat] for at, own in seats) else None


def _goes_on(replay: Replay, step: int) -> bool:
    """Return whether a hand is in progress at a step."""
    state = replay.state(step)
    return state.hand is not None and state.phase is not Phase.OVER


def _decks(replay: Replay, hand: HandSteps, step: int) -> Decks | None:
    """Return packs with the hand's starter; None if it has been cut, or never was.

    Earlier hands are in the log already; an empty pack means a random deal.
    """
    rest = replay.moves[step : hand.last]
    starter = next((move.card for move in rest if isinstance(move, Starter)), None)
    deal = replay.moves[hand.deal - 1]
    if starter is None or not isinstance(deal, Deal):
        return None
    dealt = [card for cards in deal.hands for card in cards]
    if deal.crib_card is not None:
        dealt.append(deal.crib_card)
    others = [card for card in PACK if card not in dealt and card != starter]
    pack = " ".join(NAMES[card] for card in (*dealt, starter, *others))
    return Decks.objects.create(packs=[""] * (hand.number - 1) + [pack])
