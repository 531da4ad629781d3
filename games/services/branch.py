"""Branches: playing on from a point of a finished match, on the same cards, against computers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from django.db import transaction
from django.utils import timezone

from games import announce, replays, store, summaries
from games.engine import rules
from games.engine.cards import NAMES, PACK
from games.engine.moves import Chance, Deal, Move, Starter, to_text
from games.engine.state import Phase, Ruleset
from games.models import Decks, Match, Player, Seat
from games.refusals import Refused
from games.replays import HandSteps, Replay
from games.services.tables import computer
from games.store import Entry


def branch_match(
    *, match: Match, player: Player, hands: int, step: int, seat: int, level: str
) -> Match:
    """Make a match of one game that goes on from a step of ``match``.

    Its log begins with that game's log up to the step. The hand keeps its cards: those that are
    held, and the starter where it has not been cut yet; later hands are dealt by chance. It counts
    for nobody, and only its player sees it.

    Args:
        match: a finished match.
        player: who plays on.
        hands: how many hands of it he may see (`games.access.hands_shown`).
        step: how many entries of its log come before, within a hand.
        seat: which seat he takes; computers of ``level`` take the others.
        level: what the computer players are called.

    Raises:
        Refused: ``not_offered`` between hands and where there is nothing to see, ``bad_seat``, or
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
    with transaction.atomic():
        made = Match.objects.create(
            ruleset=ruleset.to_dict(),
            status=Match.Status.PLAYING,
            created_by=player,
            started_at=timezone.now(),
            hints=True,
            branch_of=match,
            branch_step=step,
            decks=_decks(replay, hand, step),
        )
        Seat.objects.bulk_create(
            Seat(
                match=made,
                seat=place,
                player=player if place == seat else machine,
                computer=place != seat,
            )
            for place in range(ruleset.players)
        )
        _write(made, ruleset, replay.moves[opening.deal - 1 : step])
        transaction.on_commit(lambda: announce.table(made.pk))
    return made


def _goes_on(replay: Replay, step: int) -> bool:
    """Whether cards lie on the table at a step."""
    state = replay.state(step)
    return state.hand is not None and state.phase is not Phase.OVER


def _decks(replay: Replay, hand: HandSteps, step: int) -> Decks | None:
    """Return the packs that keep the hand's starter; None where it has been cut, or never was.

    The hands before it are in the log already, and an empty pack leaves a hand to chance.
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


def _write(match: Match, ruleset: Ruleset, moves: tuple[Move, ...]) -> None:
    """Write the beginning of the log, and the summaries of the hands that are over."""
    now = timezone.now()
    store.write_all(
        Entry(
            match.pk,
            sequence,
            None if isinstance(move, Chance) else move.seat,
            to_text(move),
            "",
            now,
        )
        for sequence, move in enumerate(moves)
    )
    summaries.write(list(_effects(match.pk, ruleset, moves)))


def _effects(match: int, ruleset: Ruleset, moves: tuple[Move, ...]) -> Iterator[summaries.Effects]:
    state = rules.start(ruleset)
    for step in rules.steps(ruleset, moves):
        change = summaries.effects(match, state, step.state, timezone.now())
        if change is not None:
            yield change
        state = step.state
