"""Access rules of standard games, for all code that shows cards."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.api import Match, Player
from ratings.models import Attempt, Play, StandardGame
from ratings.standard.consent import withheld_plays

SHOWN_AT_ONCE = {Play.Kind.LIVE}
"""Kinds of plays whose players see all cards as soon as their match is over: the cards were random
when they were played. Those of a challenge may still be played by others."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A player who has finished a standard game, and how much of it they may see.

    Attributes:
        game: the game, with its packs fetched.
        attempt: their attempt that counts, else the first one.
        hands: number of hands, from the first on, that they may see.
    """

    game: StandardGame
    attempt: Attempt
    hands: int


def reader_of(*, number: int, player: Player | None) -> Reader | None:
    """Return a player's access to a game; None if they have not finished it or it does not exist.

    While the game is open, they may see only the hands that they reached themselves.
    """
    attempts = _finished_attempts(player).filter(standard_game_id=number)
    own = list(attempts.order_by("-first", "pk"))
    if not own:
        return None
    game = own[0].standard_game
    hands = max(map(hands_reached, own))
    if cards_are_public(game):
        hands = len(game.decks.packs)
    return Reader(game, own[0], hands)


def hands_reached(attempt: Attempt) -> int:
    """Return the number of hands of an attempt that its player has seen to the end."""
    return max(0, attempt.hands_seen - 1) if attempt.is_left else attempt.hands_seen


def hands_turned_up(attempt: Attempt) -> int:
    """Return the number of hands of an attempt in which every card was turned up at the table."""
    return max(0, attempt.hands_seen - 1)


def visible_hands_in(*, match: int, player: int | None) -> int | None:
    """Return the number of hands of a match on a standard game with all cards for a player.

    None means all hands: the match is not on a standard game, or the game's cards are public, or
    the player was at the table and nobody is dealt these cards for a rating because of it. Both
    arguments are primary keys.

    While the game is open, these are the hands that were played to their end at a table of the
    player's own: there every card was turned up. In the hand that ended the game some were not.
    """
    play = Play.objects.filter(match_id=match).select_related("standard_game").first()
    if play is None or cards_are_public(play.standard_game):
        return None
    who = None if player is None else Player.objects.filter(pk=player).first()
    own = list(_finished_attempts(who).filter(standard_game_id=play.standard_game_id))
    if play.kind in SHOWN_AT_ONCE and any(attempt.play_id == play.pk for attempt in own):
        return None
    return max((hands_turned_up(attempt) for attempt in own), default=0)


def secret_matches(matches: Collection[int]) -> set[int]:
    """Return the matches (primary keys) among these whose cards are not public.

    The rule is that of `cards_are_public`, in one query for all.
    """
    playing = Play.objects.filter(
        standard_game=OuterRef("standard_game"), match__status=Match.Status.PLAYING
    ).exclude(exclusion=Play.Exclusion.PRACTICE)
    closed = Q(standard_game__state=StandardGame.State.CLOSED)
    withheld = withheld_plays().filter(standard_game=OuterRef("standard_game"))
    plays = Play.objects.filter(match__in=matches)
    public = closed & ~Exists(playing) & ~Exists(withheld)
    return set(plays.exclude(public).values_list("match_id", flat=True))


def held_back(matches: Collection[int]) -> set[int]:
    """Return the matches (primary keys) among these with cards that even their players don't see.

    The rule is that of `visible_hands_in`, in two queries for all.
    """
    own = Play.objects.filter(match__in=secret_matches(matches)).exclude(kind__in=SHOWN_AT_ONCE)
    return set(own.values_list("match_id", flat=True))


def opened_since(moment: datetime) -> set[int]:
    """Return the matches (primary keys) on standard games that have closed since a time."""
    plays = Play.objects.filter(standard_game__closed_at__gte=moment)
    return set(plays.values_list("match_id", flat=True))


def own_attempt(*, number: int, match: str, player: Player | None) -> Attempt | None:
    """Return a player's attempt in one match on a standard game, finished or not."""
    if player is None:
        return None
    return (
        Attempt.objects.filter(
            standard_game_id=number, play__match__public_id=match, player=player, computer=False
        )
        .select_related("standard_game__decks", "play__match", "player")
        .first()
    )


def newest_ranked(*, player: Player) -> Attempt | None:
    """Return a player's newest finished ranked attempt."""
    ranked = _finished_attempts(player).filter(play__kind=Play.Kind.RANKED)
    return ranked.order_by("-pk").first()


def cards_are_public(game: StandardGame) -> bool:
    """Whether everyone may see all cards: the game is closed and no one is playing it.

    Those of a private match that may not be shared never are.
    """
    if game.is_open or withheld_plays().filter(standard_game=game).exists():
        return False
    return not (
        Play.objects.filter(standard_game=game, match__status=Match.Status.PLAYING)
        .exclude(exclusion=Play.Exclusion.PRACTICE)
        .exists()
    )


def _finished_attempts(player: Player | None) -> QuerySet[Attempt]:
    rows = Attempt.objects.filter(computer=False, play__finished_at__isnull=False)
    rows = rows.select_related("standard_game__decks", "play__match", "player")
    return rows.filter(player=player) if player is not None else rows.none()
