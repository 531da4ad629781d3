"""Catalogue of standard games: creates, assigns and closes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from games.api import Decks, Match, Player, begin_ranked, invite_token
from ratings.models import Attempt, LinkedAccount, Play, StandardGame
from ratings.standard import background, house_field, pars, row_lock
from ratings.standard import decks as packing

CLOSES_AT = 24
"""Plays with people after which a game closes and its cards may be shown."""

CLOSED_BY_TIME = {StandardGame.Purpose.DAILY, StandardGame.Purpose.CLUB}
"""Purposes whose games close at the end of the day or club night, however often they are played."""

LEAGUE = "league"
"""Prefix of the bot names of computer players that, like people, play each game once."""

CLOCK: int = settings.RANKED_CLOCK
"""Seconds for each decision in a ranked game."""


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

    Par and field are computed after the commit by a background thread, unless ``in_background`` is
    false.
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
            transaction.on_commit(lambda: _prepare_in_background(game.pk))
    return game


def prepare(*, game: StandardGame) -> None:
    """Compute par, and have house computers of several strengths play the game; idempotent."""
    pars.par_of(game=game)
    house_field.play_field(game=game)


def choose_game(*, players: Sequence[Player], in_background: bool = True) -> StandardGame:
    """Return the oldest open game of the pool that is new to all these players, or a new game.

    Call it with the pool's lock held, in the transaction that reserves the game.
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
    return game or make(seats=len(players), in_background=in_background)


def start_match(
    *,
    game: StandardGame,
    players: Sequence[Player],
    kind: str,
    exclusion: str = "",
    clock: int = CLOCK,
) -> Match:
    """Start a match on a standard game; its attempts are stored before the first card is dealt.

    Raises:
        django.db.IntegrityError: if the play would count and a player has been dealt the game.
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
    """Store a play of this game and its attempts; ``players`` are in dealing order."""
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
    """Whether a player is one of the site's own computers, which may play a game many times."""
    return player.is_computer and not player.bot.startswith(LEAGUE)


def has_been_dealt(*, game: StandardGame, player: Player) -> bool:
    """Whether a person has been dealt a game, on any of their linked accounts."""
    return Attempt.objects.filter(
        standard_game=game, player_id__in=with_linked([player]), computer=False
    ).exists()


def with_linked(players: Iterable[Player]) -> set[int]:
    """Return the keys of these players and their linked accounts, without house computers."""
    keys = {player.pk for player in players if not is_house(player)}
    groups = LinkedAccount.objects.filter(player_id__in=keys).values("group")
    linked = LinkedAccount.objects.filter(group__in=groups).values_list("player_id", flat=True)
    return keys | set(linked)


def count_play(*, game: StandardGame) -> None:
    """Count a finished play with people, and close the game after enough of them."""
    game.plays += 1
    game.save(update_fields=["plays"])
    if game.plays >= CLOSES_AT and game.purpose not in CLOSED_BY_TIME:
        close(game=game)


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


def _prepare_in_background(pk: int) -> None:
    """Queue the preparation of a new game."""
    background.run_later(lambda: _prepare(pk))


def _prepare(pk: int) -> None:
    prepare(game=StandardGame.objects.select_related("decks").get(pk=pk))
