"""Duplicates: a match repeated with the same deals and the seats swapped.

Both players already know the cards, so a duplicate is marked as such, is visible only to its
players, and counts for no ratings, records or averages.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from django.db import transaction

from games.engine import rules
from games.engine.cards import NAMES, PACK
from games.engine.moves import parse_move
from games.engine.state import Hand, Ruleset
from games.log import store
from games.models import Decks, Match
from games.ops import true_time
from games.people.player_lock import lock_seated
from games.tables.attended import leave_lobby_for
from games.tables.rematches import Keyed, are_parted, copy_seats_swapped, link_rematch
from games.wire.refusals import Refused

_random = secrets.SystemRandom()


def make_duplicate(*, match: Keyed) -> Match:
    """Return the rematch of a match with the same deals and the seats swapped.

    The first call creates it; an existing rematch is returned unchanged. If the game lasts longer
    than the original, later deals are random. A substitute at the end of the match keeps the seat.
    The caller tells of a new rematch, as with `games.tables.rematches.make_rematch`.

    Raises:
        Refused: ``not_offered`` as for `make_rematch`, or if the match is not swappable.
    """
    with transaction.atomic():
        lock_seated(match.pk)
        old = Match.objects.select_for_update().get(pk=match.pk)
        if old.rematch is not None:
            return old.rematch
        parted = Match.objects.filter(are_parted(), pk=old.pk).exists()
        if old.status != Match.Status.FINISHED or not old.swappable or parted:
            raise Refused("not_offered")
        hands = _hands(old)
        if not hands:
            raise Refused("not_offered")  # resigned before the first deal
        first = hands[0].dealer
        following = Match.objects.create(
            ruleset={**old.ruleset, "first_dealer": first},
            created_by_id=old.created_by_id,
            watchable=False,
            hints=old.hints,
            stand_in_level=old.stand_in_level,
            days=old.days,
            sharing=old.sharing,
            status=Match.Status.PLAYING,
            started_at=true_time.now(),
            duplicate_of=old,
            decks=Decks.objects.create(packs=packs_of(hands), first_dealer=first),
        )
        copy_seats_swapped(old.pk, following.pk)
        link_rematch(old.pk, following.pk)
        leave_lobby_for(following)
    return following


def packs_of(hands: Iterable[Hand]) -> list[str]:
    """Return a pack for each hand of a game of two players, in dealing order.

    A starter that was never cut is among the remaining cards, which are shuffled.
    """
    return [_pack(hand) for hand in hands]


def _pack(hand: Hand) -> str:
    both = zip(hand.dealt[hand.pone], hand.dealt[hand.dealer], strict=True)
    top = [card for pair in both for card in pair]
    if hand.starter is not None:
        top.append(hand.starter)
    rest = [card for card in PACK if card not in top]
    _random.shuffle(rest)
    return " ".join(NAMES[card] for card in (*top, *rest))


def _hands(match: Match) -> list[Hand]:
    """Return the hands that were dealt in a match of one game."""
    moves = (parse_move(entry.text) for entry in store.load([(match.pk, 0)])[match.pk])
    state = rules.fold(Ruleset.from_dict(match.ruleset), moves)
    return [*state.hands, *([state.hand] if state.hand is not None else [])]
