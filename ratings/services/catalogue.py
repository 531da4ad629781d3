"""Standard games: made, handed out to people who have not met them, closed."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from datetime import date

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from games.api import Decks, Match, Player, begin_ranked, invite_token
from ratings import decks as packing
from ratings.models import Attempt, LinkedAccount, Play, StandardGame
from ratings.services import background, field, locks, pars

logger = logging.getLogger(__name__)

CLOSES_AT = 24
"""Plays with people at which a game closes: its cards may be shown from then on."""

CLOSED_BY_TIME = {StandardGame.Purpose.DAILY, StandardGame.Purpose.CLUB}
"""Games that close when their day or their club night is over, however often they are played."""

LEAGUE = "league"
"""What the bots of computer players begin with that take part like people: each game once."""

CLOCK: int = settings.RANKED_CLOCK
"""Seconds for each decision in a ranked game."""


def make(
    *,
    seats: int,
    purpose: str = StandardGame.Purpose.POOL,
    daily: date | None = None,
    people_sit: int = 0,
    invite: str = "",
    packs: Sequence[str] | None = None,
    aside: bool = True,
) -> StandardGame:
    """Make a standard game on new packs, or on those given.

    Par and field come after the commit, in a thread, unless ``aside`` is false.
    """
    written = list(packs) if packs is not None else packing.new_packs()
    salt = packing.new_salt()
    with transaction.atomic():
        game = StandardGame.objects.create(
            seats=seats,
            decks=Decks.objects.create(packs=written),
            purpose=purpose,
            salt=salt,
            commitment=packing.commitment(salt, written),
            daily=daily,
            daily_seat=people_sit,
            invite=invite,
        )
        if aside:
            transaction.on_commit(lambda: _prepare_aside(game.pk))
    return game


def prepare(*, game: StandardGame) -> None:
    """Work out par and have house computers of several strengths play it; twice is once."""
    pars.par_of(game=game)
    field.play_field(game=game)


def lend(*, players: Sequence[Player], aside: bool = True) -> StandardGame:
    """Return the oldest open game of the pool that nobody of these has met, else a new one.

    To be called with the pool's lock held, in the transaction that reserves it.
    """
    seen = Attempt.objects.filter(
        standard_game=OuterRef("pk"), player_id__in=with_linked(players), computer=False
    )
    game = (
        StandardGame.objects.filter(
            ~Exists(seen),
            state=StandardGame.State.OPEN,
            purpose=StandardGame.Purpose.POOL,
            seats=len(players),
        )
        .order_by("pk")
        .first()
    )
    return game or make(seats=len(players), aside=aside)


def seat_down(
    *,
    game: StandardGame,
    players: Sequence[Player],
    kind: str,
    exclusion: str = "",
    clock: int = CLOCK,
) -> Match:
    """Begin a match on a standard game; its attempts are there before the first card is.

    Raises:
        django.db.IntegrityError: where somebody has been dealt the game before, and it is said
            to count.
    """
    with transaction.atomic():
        match = begin_ranked(players=players, decks=game.decks, clock=clock)
        reserve(game=game, players=players, kind=kind, match=match, exclusion=exclusion)
    return match


def reserve(
    *,
    game: StandardGame,
    players: Sequence[Player],
    kind: str,
    match: Match | None,
    exclusion: str = "",
) -> Play:
    """Store that these are dealt this game; ``players`` from the first dealer on."""
    play = Play.objects.create(standard_game=game, match=match, kind=kind, exclusion=exclusion)
    Attempt.objects.bulk_create(
        Attempt(
            play=play,
            standard_game=game,
            player=player,
            seat=seat,
            computer=is_house(player),
            first=exclusion != Play.Exclusion.PRACTICE,
        )
        for seat, player in enumerate(players)
    )
    return play


def is_house(player: Player) -> bool:
    """Whether a player is one of the site's own computers, who may play a game many times."""
    return player.is_computer and not player.bot.startswith(LEAGUE)


def has_met(*, game: StandardGame, player: Player) -> bool:
    """Whether a person, in whichever account, has been dealt a game."""
    return Attempt.objects.filter(
        standard_game=game, player_id__in=with_linked([player]), computer=False
    ).exists()


def with_linked(players: Iterable[Player]) -> set[int]:
    """Return the keys of these people and of all accounts linked to theirs; no house computers."""
    keys = {player.pk for player in players if not is_house(player)}
    groups = LinkedAccount.objects.filter(player_id__in=keys).values("group")
    linked = LinkedAccount.objects.filter(group__in=groups).values_list("player_id", flat=True)
    return keys | set(linked)


def played_once_more(*, game: StandardGame) -> None:
    """Count a finished play with people at the table, and close the game when it has enough."""
    game.plays += 1
    game.save(update_fields=["plays"])
    if game.plays >= CLOSES_AT and game.purpose not in CLOSED_BY_TIME:
        close(game=game)


def close(*, game: StandardGame) -> bool:
    """Deal a game to nobody any more; decks and salt may be shown from now on.

    Of several that close it at once one does; return whether it was this one.
    """
    state = StandardGame.State
    now = timezone.now()
    still_open = StandardGame.objects.filter(pk=game.pk, state=state.OPEN)
    if not still_open.update(state=state.CLOSED, closed_at=now):
        game.refresh_from_db(fields=["state", "closed_at"])
        return False
    game.state, game.closed_at = state.CLOSED, now
    return True


def new_invite() -> str:
    """Return a token that cannot be guessed."""
    return invite_token()


def lock_pool() -> None:
    """Hold the pool until the transaction ends: nobody else hands out games meanwhile."""
    locks.hold(locks.POOL)


def _prepare_aside(pk: int) -> None:
    """Have a new game prepared by this process's one thread for it: nobody waits for it."""
    background.later(lambda: _prepare(pk))


def _prepare(pk: int) -> None:
    try:
        prepare(game=StandardGame.objects.select_related("decks").get(pk=pk))
    except Exception:  # par is worked out when the first result needs it
        logger.exception("standard game %s could not be prepared", pk)
    finally:
        connection.close()
