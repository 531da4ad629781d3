"""Catalogue of standard games: creates, assigns and closes them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import date, timedelta
from math import ceil
from random import Random

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.api import (
    BATCH,
    Decks,
    Match,
    Player,
    begin_ranked,
    invite_token,
    is_job_open,
    job,
)
from ratings.models import Attempt, Play, StandardGame
from ratings.standard import consent, house_field, pars, row_lock, trust
from ratings.standard import decks as packing
from ratings.standard.identities import is_house, maybe_same, with_linked
from ratings.standard.seen import seen_plays
from ratings.standard.trust import TableTrust

CLOSES_AT = 24
"""Plays with people after which a game's field is full."""

HANDED_DOWN_FOR = timedelta(days=2)
"""Time for which a pool game with a full field stays open for less trusted players.

A game that a guest was dealt closes with its first result, or after this time without one.
"""

MAX_DEPTH = 400
DEPTH_PER_PLAY = 0.25
"""Games in the pool for each play in the last 24 hours."""

CLOSED_BY_TIME = {
    StandardGame.Purpose.DAILY, StandardGame.Purpose.CLUB, StandardGame.Purpose.EVENT,
}  # fmt: skip
"""Purposes whose games close with the day, the club night or the round of a tournament, however
often they are played."""

_random = secrets.SystemRandom()


def ranked_clock() -> int:
    """Return the seconds for each decision in a ranked game."""
    return int(settings.RANKED_CLOCK)


def arranged_clock() -> int:
    """Return those of club nights and tournaments, where people must first find their table."""
    return 2 * ranked_clock()


def make(
    *,
    seats: int,
    purpose: str = StandardGame.Purpose.POOL,
    daily: date | None = None,
    human_seat: int = 0,
    invite: str = "",
    packs: Sequence[str] | None = None,
    in_background: bool = True,
) -> StandardGame:
    """Create a standard game with random packs, or with those given.

    Par and field are computed by a job, unless ``in_background`` is false.
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
            daily_seat=human_seat,
            invite=invite,
        )
        if in_background:
            prepare_new.enqueue(game.pk)
    return game


def prepare(*, game: StandardGame) -> None:
    """Compute par, and have house computers of several strengths play the game; idempotent."""
    pars.par_of(game=game)
    house_field.play_field(game=game)


@job(queue=BATCH)
def prepare_new(pk: int) -> None:
    """Prepare a new game, by primary key. Without par, the first result computes it."""
    game = StandardGame.objects.select_related("decks").filter(pk=pk).first()
    if game is not None:
        prepare(game=game)


def is_being_prepared(game: StandardGame) -> bool:
    """Return whether `prepare_new` still waits or runs: house computers will join the field."""
    return is_job_open(prepare_new, game.pk, failed_within=timedelta())


def choose_game(*, players: Sequence[Player], in_background: bool = True) -> StandardGame:
    """Return an open game of the pool that these players may be dealt, or a new game.

    They have not been dealt it before, and neither has any identity that may be one of theirs, nor
    anyone less trusted than the most trusted of them; nor have they read about a match on it as
    moderators. A game that a guest was dealt is not dealt
    again. Among the games that are left, the choice is random.

    A table that would lower a game's trust gets a game whose field is full, or a new one, so other
    games stay open to more trusted players. Call it with the pool's lock held, in the transaction
    that reserves the game.
    """
    table = trust.table_trust(players)
    people = maybe_same(players)
    known = Attempt.objects.filter(
        standard_game=OuterRef("pk"), player_id__in=people, computer=False
    )
    seen = seen_plays(people).filter(standard_game=OuterRef("pk"))
    unknown = _pool(len(players)).filter(~Exists(known), ~Exists(seen))
    pk = _draw_full(unknown, table) or _draw_shared(unknown, table, len(players))
    if pk is None:
        return make(seats=len(players), in_background=in_background)
    return StandardGame.objects.select_related("decks").get(pk=pk)


def _pool(seats: int) -> QuerySet[StandardGame]:
    return StandardGame.objects.filter(
        state=StandardGame.State.OPEN, purpose=StandardGame.Purpose.POOL, seats=seats
    ).exclude(Exists(consent.withheld_plays().filter(standard_game=OuterRef("pk"))))


def _draw_full(unknown: QuerySet[StandardGame], table: TableTrust) -> int | None:
    """Return a random game with a full field that is handed down to a table, or None."""
    if table.lowest_full > trust.ESTABLISHED:
        return None
    full = unknown.filter(plays__gte=CLOSES_AT, trust__gte=table.lowest_full)
    pks = list(full.values_list("pk", flat=True))
    return _random.choice(pks) if pks else None


def _draw_shared(unknown: QuerySet[StandardGame], table: TableTrust, seats: int) -> int | None:
    """Return a random game whose field a table joins, or None for a new one.

    The draw is among the fullest games only, as many as the pool is deep. Otherwise fields would
    not fill, since the games made for frequent players would take part too.
    """
    if not table.shares:
        return None
    shared = unknown.filter(plays__lt=CLOSES_AT, trust=table.least).order_by("-plays", "pk")
    depth = pool_depth(_plays_today(table.least, seats))
    return draw(list(shared.values_list("pk", flat=True)[: max(depth, 1)]), depth, _random)


def draw(pks: Sequence[int], depth: int, rng: Random) -> int | None:
    """Return one of these games, or None for a new one.

    The draw is from as many places as the pool should have games, ``depth``. An empty place stands
    for a new game, so the pool fills by itself.
    """
    place = rng.randrange(max(len(pks), depth, 1))
    return pks[place] if place < len(pks) else None


def pool_depth(plays: int) -> int:
    """Return how many games equally trusted players are dealt from, for their plays in a day."""
    return min(MAX_DEPTH, max(settings.RANKED_POOL_DEPTH, ceil(DEPTH_PER_PLAY * plays)))


def _plays_today(level: int, seats: int) -> int:
    """Return the number of plays in the last day of games of a level, as far as it matters."""
    rows = Play.objects.filter(
        kind=Play.Kind.RANKED,
        finished_at__gt=timezone.now() - timedelta(days=1),
        standard_game__seats=seats,
        standard_game__trust=level,
    )
    return rows[: ceil(MAX_DEPTH / DEPTH_PER_PLAY)].count()


def start_match(
    *,
    game: StandardGame,
    players: Sequence[Player],
    kind: str,
    exclusion: str = "",
    clock: int | None = None,
    target: int = 121,
    grace: int = 0,
    watchable: bool = False,
) -> Match:
    """Start a match on a standard game; its attempts are stored before the first card is dealt.

    The last four arguments are those of `begin_ranked`; the clock is usually a ranked game's.

    Raises:
        django.db.IntegrityError: if the play would count and a player has been dealt the game.
    """
    with transaction.atomic():
        match = begin_ranked(
            players=players,
            decks=game.decks,
            clock=clock or ranked_clock(),
            target=target,
            grace=grace,
            watchable=watchable,
        )
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
    """Store a play of this game and its attempts; ``players`` are in dealing order.

    From then on the game's trust is at most that of the least trusted player. An ordinary game
    counts as a guest's unless all are established: nothing shows from which networks newcomers
    played it. A play is practice if a player has read about a match on the game as a moderator.
    """
    if not exclusion and seen_plays(with_linked(players)).filter(standard_game=game).exists():
        exclusion = Play.Exclusion.PRACTICE
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
    if game.purpose == StandardGame.Purpose.POOL:
        level = trust.table_trust(players).least
        if kind == Play.Kind.LIVE and level < trust.ESTABLISHED:
            level = trust.GUEST
        StandardGame.objects.filter(pk=game.pk, trust__gt=level).update(trust=level)
    return play


def has_been_dealt(*, game: StandardGame, player: Player) -> bool:
    """Whether a person has been dealt a game, on any of their linked accounts."""
    return Attempt.objects.filter(
        standard_game=game, player_id__in=with_linked([player]), computer=False
    ).exists()


def count_play(*, game: StandardGame) -> None:
    """Count a finished play with people, and close the game if it cannot be dealt again.

    Call it with the game locked.
    """
    game.plays += 1
    full = game.plays >= CLOSES_AT
    if full and game.filled_at is None:
        game.filled_at = timezone.now()
    game.save(update_fields=["plays", "filled_at"])
    over = full and game.purpose not in CLOSED_BY_TIME
    if game.purpose == StandardGame.Purpose.POOL:
        over = game.trust == trust.GUEST
        close_finished()
    if over:
        close(game=game)


def close_finished() -> int:
    """Close pool games that have stayed open for `HANDED_DOWN_FOR`; return how many.

    They are games with a full field, and games that were dealt to a guest, so to nobody else.
    """
    before = timezone.now() - HANDED_DOWN_FOR
    waited = Q(filled_at__lt=before) | Q(trust=trust.GUEST, made_at__lt=before)
    rows = StandardGame.objects.filter(
        waited, state=StandardGame.State.OPEN, purpose=StandardGame.Purpose.POOL
    )
    return rows.update(state=StandardGame.State.CLOSED, closed_at=timezone.now())


def close(*, game: StandardGame) -> bool:
    """Close a game: it is not dealt any more, and its packs and salt may be shown.

    Return whether this call closed it; of several concurrent calls, only one does.
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
    """Return an invitation token that cannot be guessed."""
    return invite_token()


def lock_pool() -> None:
    """Lock the pool until the transaction ends, so that only this process assigns games."""
    row_lock.lock_row(row_lock.POOL)
