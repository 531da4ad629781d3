"""Queue for ranked games: pairs players by rating, with noise, for a game that is new to all.

There is no pairing thread: each poll of a waiting page pairs that player if it can. All state is in
the database under the pool's lock, so any number of processes can poll at once.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Q

from games.api import (
    Match,
    Player,
    Refused,
    blocked_either_way,
    computer_of,
    house,
    locked_player,
    true_now,
)
from ratings.matchmaking import leavers
from ratings.model.constants import CENTRE
from ratings.models import Attempt, Play, Rating, Ticket
from ratings.standard import catalogue, identities, seated

NOISE = 50.0
"""Standard deviation, in Elo, of the noise added to rating differences.

Without it, only near-equals would meet, which says too little about differences in skill.
"""
RANDOM_SHARE = 0.1
"""Share of tables that ignore ratings."""
OFFER_AFTER = timedelta(seconds=15)
"""Waiting time after which the house computer is offered although others are waiting."""
GONE_AFTER = timedelta(seconds=10)
"""Time without a poll after which a page counts as closed."""

_random = secrets.SystemRandom()


@dataclass(frozen=True, slots=True)
class QueueStatus:
    """A player's status in the queue.

    Attributes:
        waiting: whether they are in it.
        match: public id of the match found for them, "" while there is none.
        offer: whether they may play the house computer instead.
        others: number of others waiting for the same number of seats.
    """

    waiting: bool
    match: str = ""
    offer: bool = False
    others: int = 0


def enter(*, player: Player, seats: int) -> QueueStatus:
    """Enter the queue for a number of seats, or return the ranked match still to be finished.

    Raises:
        Refused: ``bad_ruleset`` unless ``seats`` is 2 or 3, ``ranked_seated`` for players who sit
            at a table of a club night or tournament, ``ranked_paused`` for those who have to wait
            because they left games.
    """
    if seats not in {2, 3}:
        raise Refused("bad_ruleset", f"{seats} seats")
    now = true_now()
    with locked_player(player):
        # Otherwise somebody could be seated with this player between the question and the ticket.
        catalogue.lock_pool()
        running = unfinished(player)
        if running is not None:
            return QueueStatus(waiting=False, match=running.public_id)
        if seated.table_of(player) is not None:
            raise Refused("ranked_seated")
        leavers.check(player)
        Ticket.objects.update_or_create(
            player=player,
            defaults={
                "seats": seats,
                "rating": _rating(player, seats),
                "since": now,
                "seen_at": now,
                "match": None,
            },
        )
    return poll(player=player)


def poll(*, player: Player) -> QueueStatus:
    """Return a player's status, after pairing them if possible.

    Players barred while waiting, or seated at a club night or tournament, leave the queue.
    """
    now = true_now()
    with transaction.atomic():
        catalogue.lock_pool()
        _lock_tickets()
        ticket = _ticket(player)
        if ticket is None:
            return QueueStatus(waiting=False)
        if ticket.match is None:
            ticket.seen_at = now
            ticket.save(update_fields=["seen_at"])
            waiting = _active_tickets(ticket.seats)
            table = _match_up(ticket, waiting)
            if table:
                ticket.match = _seat_tickets(table)
        if ticket.match is not None:
            public_id = ticket.match.public_id
            ticket.delete()
            return QueueStatus(waiting=False, match=public_id)
    others = len(waiting) - 1
    return QueueStatus(waiting=True, offer=_is_offered(ticket, now, others), others=others)


def is_offered(ticket: Ticket) -> bool:
    """Return whether this player may play the house computer instead of waiting.

    At once when nobody else waits, since they would wait for nobody.
    """
    others = [each for each in _active_tickets(ticket.seats) if each.pk != ticket.pk]
    return _is_offered(ticket, true_now(), len(others))


def _is_offered(ticket: Ticket, now: datetime, others: int) -> bool:
    return others == 0 or now - ticket.since >= OFFER_AFTER


def leave(*, player: Player) -> None:
    """Leave the queue."""
    Ticket.objects.filter(player=player, match__isnull=True).delete()


def merge(*, guest: int, account: int) -> None:
    """Let the account that a guest logs in to, both by primary key, wait in the guest's place.

    Not if the account waits already, has a ranked match to finish, or may not play for a while. An
    account whose guest has one no longer waits.
    """
    own = Ticket.objects.filter(player_id=guest)
    known = Ticket.objects.filter(player_id=account)
    if not (own.exists() or known.exists()):
        return
    catalogue.lock_pool()
    player = Player.objects.get(pk=account)
    if known.exists() and unfinished(player, guest) is not None:
        known.filter(match__isnull=True).delete()  # a player has one ranked match at a time
    ticket = own.first()
    if ticket is None or known.exists():
        return
    if ticket.match_id is None:
        if unfinished(player, guest) is not None:
            return
        try:
            leavers.check(player)
        except Refused:
            return
    ticket.player, ticket.rating = player, _rating(player, ticket.seats)
    ticket.save(update_fields=["player", "rating"])


def play_computer(*, player: Player) -> Match:
    """Start a ranked match against the house computer instead of waiting.

    Raises:
        Refused: ``not_offered`` before it was offered, or if a moderator barred them since.
    """
    with transaction.atomic():
        catalogue.lock_pool()
        _lock_tickets()
        ticket = _ticket(player)
        if ticket is not None and ticket.match is not None:
            ticket.delete()
            return ticket.match
        if ticket is None or not is_offered(ticket):
            raise Refused("not_offered")
        machine = computer_of(house().name)
        ticket.delete()
        return _start_match(_seat_order([player, *[machine] * (ticket.seats - 1)], ticket.seats))


def _lock_tickets() -> None:
    """Keep everyone in the queue until the end of this transaction, which may seat them."""
    rows = Ticket.objects.select_for_update().filter(match__isnull=True)
    list(rows.order_by("pk").values_list("pk", flat=True))


def _ticket(player: Player) -> Ticket | None:
    """Return a player's ticket, unless they were barred or seated elsewhere since they entered."""
    # Read here: the caller's row may be older than the ban.
    rows = Ticket.objects.select_related("match", "player").filter(player=player)
    ticket = rows.first()
    if ticket is None or ticket.match is not None:
        return ticket
    barred = ticket.player.is_kept_from_ranked or not ticket.player.is_active
    if barred or seated.table_of(player) is not None:
        ticket.delete()
        return None
    return ticket


def unfinished(player: Player, guest: int | None = None) -> Match | None:
    """Return the ranked match that a person still has to finish, perhaps in the seat of a guest.

    The guest is given by primary key, while their seats have not moved to the account yet.
    """
    found = (
        Attempt.objects.filter(
            player=player,
            play__kind=Play.Kind.RANKED,
            play__finished_at__isnull=True,
            play__match__status=Match.Status.PLAYING,
            play__match__seats__player__in=[player.pk, guest or player.pk],
            play__match__seats__left_at__isnull=True,
        )
        .select_related("play__match")
        .order_by("-pk")
        .first()
    )
    return found.play.match if found is not None else None


def _active_tickets(seats: int) -> list[Ticket]:
    """Return the tickets whose page still polls, longest wait first.

    None of players who are barred, or sit at a table of a club night or tournament.
    """
    now = true_now()
    return list(
        Ticket.objects.filter(
            seats=seats, match__isnull=True, seen_at__gte=now - GONE_AFTER, player__is_active=True
        )
        .exclude(player__ranked_ban_until__gt=now)
        .exclude(player__in=seated.taken_seats().values("player"))
        .select_related("player")
        .order_by("since", "pk")
    )


def _match_up(ticket: Ticket, waiting: Sequence[Ticket]) -> list[Ticket]:
    """Return the tickets of one table, the given one first; empty if too few players wait."""
    own = _unpairable([ticket.player])
    others = [other for other in waiting if other.player_id not in own]
    chosen = [ticket]
    ignore_ratings = _random.random() < RANDOM_SHARE
    while len(chosen) < ticket.seats and others:
        best = min(
            others, key=lambda other: _mismatch(ticket, other, ignore_ratings=ignore_ratings)
        )
        chosen.append(best)
        taken = _unpairable([best.player])
        others = [other for other in others if other.player_id not in taken]
    return chosen if len(chosen) == ticket.seats else []


def _unpairable(players: Sequence[Player]) -> set[int]:
    """Return the keys of those who may not sit with these: maybe the same person, or blocked."""
    blocked = {key for player in players for key in blocked_either_way(player=player.pk)}
    return identities.maybe_same(players) | blocked


def _mismatch(one: Ticket, other: Ticket, *, ignore_ratings: bool) -> float:
    """Return how badly two tickets match; random if ratings are ignored."""
    if ignore_ratings:
        return _random.random()
    return abs(one.rating - other.rating + _random.gauss(0.0, NOISE))


def _seat_tickets(table: Sequence[Ticket]) -> Match:
    """Start a match for these tickets, and store it with them."""
    match = _start_match(_seat_order([ticket.player for ticket in table], len(table)))
    Ticket.objects.filter(pk__in=[ticket.pk for ticket in table]).update(match=match)
    return match


def _start_match(players: Sequence[Player]) -> Match:
    game = catalogue.choose_game(players=players)
    return catalogue.start_match(game=game, players=players, kind=Play.Kind.RANKED)


def _seat_order(players: Sequence[Player], seats: int) -> list[Player]:
    """Return players by seat: the one who has dealt first least often, then the others randomly."""
    mixed = list(players)
    _random.shuffle(mixed)
    people = [player.pk for player in mixed if not player.is_computer]
    counts = {
        row["player_id"]: (row["firsts"] + 0.5) / (row["number"] + 1)
        for row in Attempt.objects.filter(
            player_id__in=people, standard_game__seats=seats, play__kind=Play.Kind.RANKED
        )
        .values("player_id")
        .annotate(number=Count("pk"), firsts=Count("pk", filter=Q(seat=0)))
    }
    even = 1.0 / seats
    first = min(mixed, key=lambda player: counts.get(player.pk, even))
    mixed.remove(first)
    return [first, *mixed]


def _rating(player: Player, seats: int) -> float:
    known = Rating.objects.filter(player=player, seats=seats).first()
    return known.rating if known is not None else CENTRE
