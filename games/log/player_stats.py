"""Statistics of players: totals of deals, best hands and streaks.

A match is added once, after it has been measured. If a seat changes owner, its statistics move with
it. Only people's own play counts: neither a substitute's play nor imported matches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import F, Prefetch, QuerySet

from games.analysis import deal_values
from games.engine.cards import Card, parse_card, parse_cards
from games.engine.scoring import count_hand
from games.log import outcomes
from games.models import Hand, HandSeat, Player, Seat, Streak, Tally

Key = tuple[int, int, bool]
"""A player's primary key, the number of seats, and whether the player dealt."""
Sums = dict[Key, Counter[str]]
"""Key -> field name of `Tally` -> amount to add."""

COUNTED = (Seat.Kind.CASUAL, Seat.Kind.RANKED)
"""The kinds of matches that count for records, streaks and tallies."""


def seats_played_through(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Return the seats that a person played to the end themselves, in matches played here."""
    return seats.filter(
        kind__in=COUNTED,
        computer=False,
        substituted=False,
        left_at__isnull=True,
        player__isnull=False,
    ).exclude(player__kind=Player.Kind.COMPUTER)


def hands_of_seats(seats: QuerySet[Seat]) -> list[HandSeat]:
    """Return all hands of these seats in order, with the other seats' hands prefetched."""
    everybody = Hand.objects.prefetch_related(
        Prefetch("seats", HandSeat.objects.select_related("seat"))
    )
    rows = HandSeat.objects.filter(seat__in=seats).select_related("seat")
    return list(rows.prefetch_related(Prefetch("hand", everybody)).order_by("hand_id"))


def kept_cards(part: HandSeat) -> tuple[Card, ...]:
    """Return the four cards that a seat kept."""
    thrown = set(part.discarded.split())
    return tuple(parse_card(name) for name in part.dealt.split() if name not in thrown)


def hand_points(part: HandSeat) -> int | None:
    """Return the points of a seat's hand, counted or not; None without a starter."""
    if not part.hand.starter:
        return None
    return count_hand(kept_cards(part), parse_card(part.hand.starter))


def sums_of(parts: Iterable[HandSeat]) -> Sums:
    """Return the sums of measured hands."""
    found: Sums = {}
    for part in parts:
        seats = len(part.hand.seats.all())
        player = part.seat.player_id
        if player is not None:
            found.setdefault((player, seats, part.is_dealer), Counter()).update(_sums(part, seats))
    return found


def add(sums: Sums, *, sign: int = 1) -> None:
    """Add sums to the tallies, or subtract them, in the caller's transaction."""
    Tally.objects.bulk_create(
        [Tally(player_id=player, seats=seats, dealer=dealer) for player, seats, dealer in sums],
        ignore_conflicts=True,
    )
    for (player, seats, dealer), counter in sorted(sums.items()):
        changes = {name: F(name) + sign * value for name, value in counter.items()}
        Tally.objects.filter(player=player, seats=seats, dealer=dealer).update(**changes)


def add_result(*, player: int, won: bool | None, at: datetime) -> None:
    """Update a player's streaks with one result, in the caller's transaction."""
    streak, _ = Streak.objects.select_for_update().get_or_create(player_id=player)
    _carry_on(streak, won, at)
    streak.save(update_fields=["current", "longest", "longest_at"])


def move(*, matches: Sequence[int], guest: Player, account: Player) -> None:
    """Move the statistics of seats that were just transferred from a guest to an account.

    Args:
        matches: primary keys of the matches with a transferred seat.
        guest: the previous owner of the seats.
        account: the new owner.
    """
    Seat.objects.filter(match__in=matches, opponent=guest).update(opponent=account)
    Seat.objects.filter(match__in=matches, opponent_2=guest).update(opponent_2=account)
    seats = Seat.objects.filter(match__in=matches, player=account, match__measured=True)
    filed = Seat.objects.filter(match__in=matches, player=account, ended_at__isnull=False)
    over = list(filed.select_related("player", "opponent"))
    outcomes.count(over)
    outcomes.count(over, player=guest.pk, sign=-1)
    sums = sums_of(hands_of_seats(seats_played_through(seats)))
    add(sums)
    add({(guest.pk, at, deals): each for (_, at, deals), each in sums.items()}, sign=-1)
    for player in (guest, account):
        recount_streaks(player=player)


def recount_streaks(*, player: Player) -> None:
    """Recompute a player's streaks from the results of all their measured matches."""
    streak = Streak(player=player)
    results = Seat.objects.filter(
        player=player, ended_at__isnull=False, kind__in=COUNTED, match__measured=True
    )
    for won, at in results.order_by("ended_at", "pk").values_list("won", "ended_at"):
        if at is not None:
            _carry_on(streak, won, at)
    values = {"current": streak.current, "longest": streak.longest, "longest_at": streak.longest_at}
    Streak.objects.update_or_create(player=player, defaults=values)


def _carry_on(streak: Streak, won: bool | None, at: datetime) -> None:
    """Apply one result to the streaks; a draw ends any streak."""
    if won:
        streak.current = max(streak.current, 0) + 1
    else:
        streak.current = 0 if won is None else min(streak.current, 0) - 1
    if streak.current > streak.longest:
        streak.longest, streak.longest_at = streak.current, at


def _sums(part: HandSeat, seats: int) -> dict[str, float]:
    """Return the amounts that one hand adds to the fields of `Tally`."""
    if part.worth is None or part.worth_hand is None or part.worth_pegging is None:
        return {}
    dealer = part.hand.dealer
    role = (part.seat.seat - dealer - 1) % seats
    mean, variance = deal_values.DEALS[seats, role]
    found: dict[str, float] = {
        "deals": 1,
        "deal_luck": part.worth - mean,
        "deal_variance": variance,
    }
    points = hand_points(part)
    if points is None:
        return found
    starter, cards = parse_card(part.hand.starter), parse_cards(part.dealt)
    luck = deal_values.starter_luck(kept_cards(part), cards, starter, dealer=part.is_dealer)
    found |= {"starters": 1, "hands": points, "worth_hands": part.worth_hand}
    found |= {"starter_luck": luck.points, "starter_variance": luck.variance}
    if len(part.hand.plays.split()) == 4 * seats:
        found |= {"plays": 1, "pegging": part.pegging, "worth_pegging": part.worth_pegging}
    return found | _crib(part, starter) if part.is_dealer else found


def _crib(part: HandSeat, starter: Card) -> dict[str, float]:
    crib = parse_cards(part.hand.crib)
    seen = {card for each in part.hand.seats.all() for card in parse_cards(each.dealt)} | set(crib)
    luck = deal_values.crib_luck(crib, seen, starter)
    return {
        "cribs": count_hand(crib, starter, is_crib=True),
        "worth_cribs": part.worth_crib or 0.0,
        "crib_luck": luck.points,
        "crib_variance": luck.variance,
    }
