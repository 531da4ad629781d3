"""Cheat signals for moderators: implausible luck with starters, and with the opponents' cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import F, QuerySet, Window
from django.db.models.functions import RowNumber

from games.api import HandSeat, Player, hidden_fit, parse_cards
from ratings.models import Attempt, Play
from ratings.standard.luck import z_score

MAX_ATTEMPTS = 60
"""Number of a player's newest attempts to examine."""

MAX_THROWN = 40
"""Number of a player's newest games of two whose throws are examined, each in about 3 ms."""

FIELD = 50
"""Number of others' newest attempts to compare with in each game: a daily game has very many."""


def field_hands(
    *, seats: Mapping[int, int], player: Player
) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Yield games (primary keys) with the hands of others in the same seat, at most `FIELD` each.

    Args:
        seats: the seat in each game.
        player: who is compared with them.
    """
    rows = (
        Attempt.objects.filter(standard_game__in=seats, play__finished_at__isnull=False)
        .exclude(player=player)
        .exclude(play__exclusion=Play.Exclusion.PRACTICE)
        .annotate(
            place=Window(
                RowNumber(),
                partition_by=[F("standard_game"), F("seat")],
                order_by=F("pk").desc(),
            )
        )
        .filter(place__lte=FIELD)
        .values_list("standard_game", "seat", "hands")
    )
    for game, seat, hands in rows:
        if seats[game] == seat:
            yield game, hands


def newest_attempts(*, player: Player) -> list[Attempt]:
    """Return a player's newest finished first attempts, at most `MAX_ATTEMPTS`."""
    rows = Attempt.objects.filter(
        player=player, first=True, computer=False, play__finished_at__isnull=False
    )
    return list(rows.order_by("-pk")[:MAX_ATTEMPTS])


def starter_z(*, player: Player) -> float:
    """Return the z-score of a player's starter luck relative to the others in each seat.

    A value above 4 is implausible without cheating; a player who knows the starters reaches it
    within ten games. Takes two queries.
    """
    own = newest_attempts(player=player)
    games = {attempt.standard_game_id: attempt for attempt in own}
    lucks: dict[tuple[int, int], list[float]] = {}
    seats = {key: attempt.seat for key, attempt in games.items()}
    for key, hands in field_hands(seats=seats, player=player):
        for number, hand in enumerate(hands):
            if hand["luck"] is not None:
                lucks.setdefault((key, number), []).append(hand["luck"])
    mine: list[float] = []
    others: list[list[float]] = []
    for attempt in own:
        for number, hand in enumerate(attempt.hands):
            if hand["luck"] is not None:
                mine.append(float(hand["luck"]))
                others.append(lucks.get((attempt.standard_game_id, number), []))
    return z_score(mine, others)


def attempts_of_two(*, player: Player | int) -> QuerySet[Attempt]:
    """Return a player's finished first attempts at games of two, newest first."""
    return Attempt.objects.filter(
        player=player,
        first=True,
        computer=False,
        standard_game__seats=2,
        play__finished_at__isnull=False,
        play__match__isnull=False,
    ).order_by("-pk")


def throw_fits(*, player: Player) -> list[tuple[float, float]]:
    """Return how each of a player's throws fits the opponent's cards, with its variance, in points.

    Only first attempts at games of two count. Takes two queries.
    """
    attempts = attempts_of_two(player=player)
    rows = HandSeat.objects.filter(
        hand__match__in=list(attempts.values_list("play__match", flat=True)[:MAX_THROWN])
    ).exclude(discarded="")
    hands: dict[int, list[tuple[bool, bool, str, str]]] = defaultdict(list)
    for hand, owner, dealer, dealt, thrown in rows.values_list(
        "hand", "seat__player", "is_dealer", "dealt", "discarded"
    ):
        hands[hand].append((owner == player.pk, dealer, dealt, thrown))
    fits = []
    for seats in hands.values():
        own, others = ([row for row in seats if row[0] is mine] for mine in (True, False))
        if len(own) == len(others) == 1:
            (_, dealer, dealt, thrown), (_, _, theirs, _) = own[0], others[0]
            cards = (parse_cards(text) for text in (dealt, thrown, theirs))
            fit = hidden_fit(*cards, dealer=dealer)
            fits.append((fit.points, fit.variance))
    return fits
