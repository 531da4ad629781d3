"""Field comparison for the review of a match: what others discarded and led with the same cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.urls import reverse

from games.api import Field, FieldHand, FieldThrow, Hand
from ratings.models import Attempt
from ratings.standard import access
from ratings.standard.field import HandComparison, compare_hands, field_of

Leads = dict[tuple[int, int], str]
"""The first card played, by match key and hand number from 0."""


def field_of_match(*, match: int, player: int) -> Field | None:
    """Return the field's discards and leads for each hand that the player reached.

    None if the match is not on a standard game, or the player did not finish it in a seat of their
    own. The access rules are those of the traveller.
    """
    attempt = (
        Attempt.objects.filter(
            play__match_id=match,
            player_id=player,
            computer=False,
            play__finished_at__isnull=False,
        )
        .select_related("standard_game__decks", "play__match", "player")
        .first()
    )
    if attempt is None:
        return None
    number = attempt.standard_game_id
    if access.reader_of(number=number, player=attempt.player) is None:
        return None
    others = [
        other
        for other in field_of(game=attempt.standard_game, seat=attempt.seat)
        if other.pk != attempt.pk
    ]
    attempts = [attempt, *others]
    leads = _leads(attempts)
    hands = tuple(
        FieldHand(
            number=hand.number,
            dealt=hand.dealt,
            others=hand.others,
            own=float(hand.own["net"]),
            mean=hand.mean,
            throws=_throws(hand, attempt, attempts, leads),
        )
        for hand in compare_hands(attempt, others)
    )
    return Field(hands, reverse("ratings:traveller", args=[number]))


def _throws(
    hand: HandComparison, attempt: Attempt, attempts: Sequence[Attempt], leads: Leads
) -> tuple[FieldThrow, ...]:
    at, seats = hand.number - 1, attempt.standard_game.seats
    is_pone = (at + 1) % seats == attempt.seat
    led: dict[str, Counter[str]] = {}
    for other in attempts if is_pone else ():
        card = leads.get((other.play.match_id or 0, at))
        if at < len(other.hands) and card:
            led.setdefault(other.hands[at]["thrown"], Counter())[card] += 1
    return tuple(
        FieldThrow(
            cards=throw.cards,
            number=throw.number,
            net=throw.net,
            own=throw.own,
            led=tuple(led.get(throw.cards, Counter()).most_common()),
        )
        for throw in hand.throws
    )


def _leads(attempts: Sequence[Attempt]) -> Leads:
    """Return the card that pone led in each hand of these attempts' matches."""
    matches = {attempt.play.match_id for attempt in attempts if attempt.play.match_id}
    rows = Hand.objects.filter(match__in=matches, game=0).exclude(plays="")
    return {
        (match, number): plays.split()[0].partition(":")[2]
        for match, number, plays in rows.values_list("match_id", "number", "plays")
    }
