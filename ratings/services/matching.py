"""The queue for ranked games: who waits is paired by rating, with noise, on a game new to all.

There is no thread that pairs: whoever's page asks how things stand pairs whom he can. Everything
is in the database, under the pool's lock, so that any number of processes may do it at once.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from games.api import Match, Player, Refused, computer_of, house, kept_apart
from ratings.model.constants import CENTRE
from ratings.models import Attempt, Play, Rating, Ticket
from ratings.services import catalogue, penalties, rating

NOISE = 50.0
"""Elo, one standard deviation, added to each difference: near-equals alone tell too little."""
AT_RANDOM = 0.1
"""Share of tables that are made up without a look at ratings."""
OFFER_AFTER = timedelta(seconds=15)
"""Waiting time after which the house computer is offered."""
GONE_AFTER = timedelta(seconds=10)
"""A page that has not asked for so long is closed."""

_random = secrets.SystemRandom()


@dataclass(frozen=True, slots=True)
class Standing:
    """How it stands with somebody in the queue.

    Attributes:
        waiting: whether he is in it.
        match: public id of the match that was found for him, "" while there is none.
        offer: whether he may play the house computer instead.
        others: how many others wait for the same.
    """

    waiting: bool
    match: str = ""
    offer: bool = False
    others: int = 0


def enter(*, player: Player, seats: int) -> Standing:
    """Wait for a ranked game with so many seats; a match found before, and not over, is given.

    Raises:
        Refused: ``bad_ruleset`` for any other number of seats, ``ranked_paused`` for who has to
            wait since he left games.
    """
    if seats not in {2, 3}:
        raise Refused("bad_ruleset", f"{seats} seats")
    running = unfinished(player)
    if running is not None:
        return Standing(waiting=False, match=running.public_id)
    penalties.check(player)
    now = timezone.now()
    with transaction.atomic():
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
    return ask(player=player)


def ask(*, player: Player) -> Standing:
    """Say how it stands, and pair whoever can be paired."""
    now = timezone.now()
    with transaction.atomic():
        catalogue.lock_pool()
        ticket = Ticket.objects.select_related("match").filter(player=player).first()
        if ticket is None:
            return Standing(waiting=False)
        if ticket.match is None:
            ticket.seen_at = now
            ticket.save(update_fields=["seen_at"])
            waiting = _alive(ticket.seats)
            table = _table(ticket, waiting)
            if table:
                ticket.match = _begin(table)
        if ticket.match is not None:
            public_id = ticket.match.public_id
            ticket.delete()
            return Standing(waiting=False, match=public_id)
    return Standing(waiting=True, offer=now - ticket.since >= OFFER_AFTER, others=len(waiting) - 1)


def leave(*, player: Player) -> None:
    """Wait no longer."""
    Ticket.objects.filter(player=player, match__isnull=True).delete()


def take_computer(*, player: Player) -> Match:
    """Play the house computer instead of waiting; it counts as a ranked game.

    Raises:
        Refused: ``not_offered`` before it was offered.
    """
    with transaction.atomic():
        catalogue.lock_pool()
        ticket = Ticket.objects.select_related("match").filter(player=player).first()
        if ticket is not None and ticket.match is not None:
            ticket.delete()
            return ticket.match
        if ticket is None or timezone.now() - ticket.since < OFFER_AFTER:
            raise Refused("not_offered")
        machine = computer_of(house().name)
        ticket.delete()
        return _seat(_balanced([player, *[machine] * (ticket.seats - 1)], ticket.seats))


def unfinished(player: Player) -> Match | None:
    """Return the ranked match that a person still has to play."""
    found = (
        Attempt.objects.filter(
            player=player,
            play__kind=Play.Kind.RANKED,
            play__finished_at__isnull=True,
            play__match__status=Match.Status.PLAYING,
            play__match__seats__player=player,
            play__match__seats__left_at__isnull=True,
        )
        .select_related("play__match")
        .order_by("-pk")
        .first()
    )
    return found.play.match if found is not None else None


def _alive(seats: int) -> list[Ticket]:
    """Return who waits and still looks, longest first."""
    return list(
        Ticket.objects.filter(
            seats=seats, match__isnull=True, seen_at__gte=timezone.now() - GONE_AFTER
        )
        .select_related("player")
        .order_by("since", "pk")
    )


def _table(ticket: Ticket, waiting: Sequence[Ticket]) -> list[Ticket]:
    """Return who sits down with the owner of ``ticket``, he first; nobody where too few wait."""
    own = _apart([ticket.player])
    others = [other for other in waiting if other.player_id not in own]
    chosen = [ticket]
    blind = _random.random() < AT_RANDOM
    while len(chosen) < ticket.seats and others:
        best = min(others, key=lambda other: _distance(ticket, other, blind=blind))
        chosen.append(best)
        taken = _apart([best.player])
        others = [other for other in others if other.player_id not in taken]
    return chosen if len(chosen) == ticket.seats else []


def _apart(players: Sequence[Player]) -> set[int]:
    """Return who may not sit down with these: themselves, their other accounts, blocked people."""
    blocked = {key for player in players for key in kept_apart(player=player.pk)}
    return set(catalogue.with_linked(players)) | blocked


def _distance(one: Ticket, other: Ticket, *, blind: bool) -> float:
    """Return how ill two go together; ``blind``: whatever their ratings are."""
    if blind:
        return _random.random()
    return abs(one.rating - other.rating + _random.gauss(0.0, NOISE))


def _begin(table: Sequence[Ticket]) -> Match:
    """Sit the owners of these tickets down, and leave word for the others."""
    match = _seat(_balanced([ticket.player for ticket in table], len(table)))
    Ticket.objects.filter(pk__in=[ticket.pk for ticket in table]).update(match=match)
    return match


def _seat(players: Sequence[Player]) -> Match:
    game = catalogue.lend(players=players)
    transaction.on_commit(lambda: rating.load_aside(seats=len(players)))
    return catalogue.seat_down(game=game, players=players, kind=Play.Kind.RANKED)


def _balanced(players: Sequence[Player], seats: int) -> list[Player]:
    """Return players by seat: who has dealt first least often does, the others at random."""
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
