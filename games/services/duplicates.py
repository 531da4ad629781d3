"""The same again with the seats swapped: each gets the cards that the other had.

Both know them by then, so that such a match is for its players alone: it is marked, counts for no
rating, and is in nobody's records and averages.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from django.db import transaction

from games import store
from games.engine import rules
from games.engine.cards import NAMES, PACK
from games.engine.moves import parse_move
from games.engine.state import Hand, Ruleset
from games.models import Decks, Match, Seat
from games.refusals import Refused
from games.services.tables import begin_if_full, tell

_random = secrets.SystemRandom()


def make_duplicate(*, match: Match) -> Match:
    """Return the match that follows this one with its deals and the seats swapped.

    Made at the first call; a rematch that is there already is returned as it is. A game that lasts
    longer than the first goes on with cards that chance deals. A computer that stood in at the
    end has the seat for good.

    Raises:
        Refused: ``not_offered`` while the match goes on, and where it is not for swapping.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match.pk)
        if match.rematch is not None:
            return match.rematch
        if match.status != Match.Status.FINISHED or not match.swappable:
            raise Refused("not_offered")
        hands = _hands(match)
        if not hands:
            raise Refused("not_offered")  # given up before the first deal
        first = hands[0].dealer
        following = Match.objects.create(
            ruleset={**match.ruleset, "first_dealer": first},
            created_by=match.created_by,
            watchable=False,
            hints=match.hints,
            stand_in_level=match.stand_in_level,
            days=match.days,
            duplicate_of=match,
            decks=Decks.objects.create(packs=packs_of(hands), first_dealer=first),
        )
        Seat.objects.bulk_create(
            Seat(
                match=following,
                seat=1 - row.seat,
                player_id=row.stand_in_id or row.player_id,
                computer=row.computer or row.stand_in_id is not None,
            )
            for row in match.seats.order_by("seat")
        )
        begin_if_full(following)
        match.rematch = following
        match.save(update_fields=["rematch"])
        tell(match)
    return following


def packs_of(hands: Iterable[Hand]) -> list[str]:
    """Return a pack for each hand of a game for two, in the order in which its cards went out.

    A starter that was not cut before the end lies somewhere in the rest, which is shuffled.
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
