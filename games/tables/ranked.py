"""Matches that other apps set up, with given seats, packs and clock."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from games.cluster import announce
from games.engine.moves import Move
from games.engine.state import Ruleset
from games.log import prewritten
from games.models import Decks, Match, Player, Seat
from games.ops import true_time
from games.tables.attended import leave_lobby_for


def begin_ranked(
    *,
    players: Sequence[Player],
    decks: Decks,
    clock: int | None,
    target: int = 121,
    grace: int = 0,
    watchable: bool = False,
) -> Match:
    """Start a ranked match of one game with given packs.

    Args:
        players: players by seat; computers move by themselves.
        decks: the packs and the first dealer.
        clock: seconds for each decision; None without a limit.
        target: points that win the game.
        grace: seconds from the start within which nobody runs out of time.
        watchable: whether anybody may watch; never where others may still be dealt the packs.
    """
    ruleset = Ruleset(players=len(players), target=target, first_dealer=decks.first_dealer)
    with transaction.atomic():
        match = _make(players, ruleset, decks, Match.Status.PLAYING, clock=clock)
        if grace or watchable:
            match.grace, match.watchable = grace, watchable
            match.save(update_fields=["grace", "watchable"])
        transaction.on_commit(lambda: announce.table(match.pk))
        leave_lobby_for(match)
    return match


def record_match(
    *,
    players: Sequence[Player],
    ruleset: Ruleset,
    moves: Sequence[Move],
    decks: Decks | None = None,
    at: datetime | None = None,
) -> Match:
    """Store a match that computers have already played, with its log and summaries.

    Raises:
        IllegalMove: if the rules do not allow a move.
    """
    moment = at or true_time.now()
    with transaction.atomic():
        match = _make(players, ruleset, decks, Match.Status.PLAYING, at=moment)
        prewritten.write(match=match.pk, ruleset=ruleset, moves=moves, at=moment)
    match.refresh_from_db()
    return match


def _make(
    players: Sequence[Player],
    ruleset: Ruleset,
    decks: Decks | None,
    status: Match.Status,
    *,
    clock: int | None = None,
    at: datetime | None = None,
) -> Match:
    match = Match.objects.create(
        ruleset=ruleset.to_dict(),
        status=status,
        started_at=at or true_time.now(),
        decks=decks,
        ranked=True,
        clock=clock,
    )
    Seat.objects.bulk_create(
        Seat(match=match, seat=seat, player=player, computer=player.is_computer)
        for seat, player in enumerate(players)
    )
    return match
