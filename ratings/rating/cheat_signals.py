"""Cheat signals for moderators: implausible luck with starters, and with the opponents' cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import F, Q, QuerySet, Window
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

READ_AT_ONCE = 2000
"""Attempts read from the database at a time: each holds the hands of a whole game."""

Lucks = list[float | None]
"""A player's luck with the starter in each hand of a game; None for hands that were not played."""


def _newest_in_each_seat(
    seats: Collection[tuple[int, int]], number: int, attempts: QuerySet[Attempt] | None = None
) -> Iterator[tuple[int, int, int, list[dict[str, Any]]]]:
    """Yield the newest finished attempts at seats of games, at most so many for each.

    Args:
        seats: the games (primary keys), each with a seat.
        number: attempts at each of them at most.
        attempts: those to choose from, by default all.

    Yields:
        The game, the seat, the player (primary keys) and the hands.
    """
    rows = Attempt.objects.all() if attempts is None else attempts
    newest = Window(
        RowNumber(), partition_by=[F("standard_game"), F("seat")], order_by=F("pk").desc()
    )
    games: dict[int, list[int]] = defaultdict(list)
    for game, seat in seats:
        games[seat].append(game)
    asked = Q(pk__in=[])
    for seat, own in games.items():
        asked |= Q(seat=seat, standard_game__in=own)
    rows = (
        rows.filter(asked, play__finished_at__isnull=False)
        .exclude(play__exclusion=Play.Exclusion.PRACTICE)
        .annotate(place=newest)
        .filter(place__lte=number)
        .order_by("-pk")
    )
    columns = rows.values_list("standard_game", "seat", "player", "hands")
    yield from columns.iterator(READ_AT_ONCE)


def field_hands(
    *, seats: Mapping[int, int], player: Player
) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Yield games (primary keys) with the hands of others in the same seat, at most `FIELD` each.

    Args:
        seats: the seat in each game.
        player: who is compared with them.
    """
    others = Attempt.objects.exclude(player=player)
    for game, _, _, hands in _newest_in_each_seat(seats.items(), FIELD, others):
        yield game, hands


def starter_z(*, player: Player) -> float:
    """Return the z-score of a player's starter luck, as `starter_zs`."""
    return starter_zs([player.pk])[player.pk]


def starter_zs(players: Collection[int]) -> dict[int, float]:
    """Return the z-scores of players' starter luck relative to the others in each seat.

    A value above 4 is implausible without cheating; a player who knows the starters reaches it
    within ten games. Takes two queries, however many players (primary keys) are asked for.
    """
    own = newest_attempts(players)
    seats = {(row.standard_game_id, row.seat) for row in own}
    field = _starter_field(seats)
    mine: dict[int, list[float]] = {player: [] for player in players}
    others: dict[int, list[list[float]]] = {player: [] for player in players}
    for row in own:
        rivals = [lucks for player, lucks in field[row.standard_game_id, row.seat]
                  if player != row.player_id][:FIELD]  # fmt: skip
        for number, luck in enumerate(_lucks(row.hands)):
            if luck is not None:
                found = [lucks[number] for lucks in rivals if number < len(lucks)]
                mine[row.player_id].append(luck)
                others[row.player_id].append([each for each in found if each is not None])
    return {player: z_score(mine[player], others[player]) for player in players}


def newest_attempts(players: Collection[int]) -> list[Attempt]:
    """Return the newest finished first attempts of each player (primary key), newest first."""
    rows = Attempt.objects.filter(
        player__in=players, first=True, computer=False, play__finished_at__isnull=False
    )
    newest = Window(RowNumber(), partition_by=F("player"), order_by=F("pk").desc())
    return list(rows.annotate(age=newest).filter(age__lte=MAX_ATTEMPTS).order_by("-pk"))


def _starter_field(
    seats: Collection[tuple[int, int]],
) -> Mapping[tuple[int, int], Sequence[tuple[int, Lucks]]]:
    """Return who has held each seat of a game, newest first, with their luck in each hand."""
    found: dict[tuple[int, int], list[tuple[int, Lucks]]] = {seat: [] for seat in seats}
    rows = _newest_in_each_seat(seats, FIELD + 1)  # one may be the player
    for game, seat, player, hands in rows:
        found[game, seat].append((player, _lucks(hands)))
    return found


def _lucks(hands: Sequence[Mapping[str, Any]]) -> Lucks:
    return [None if hand["luck"] is None else float(hand["luck"]) for hand in hands]


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
