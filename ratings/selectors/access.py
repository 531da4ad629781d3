"""Who may see what of a standard game. Everything that shows a card asks here."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.api import Match, Player
from ratings.models import Attempt, Play, StandardGame


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who has played a standard game to its end.

    Attributes:
        game: the game, its packs not fetched.
        attempt: his attempt: the one that counts, else the first one.
        hands: how many hands, from the first on, may be shown to him.
    """

    game: StandardGame
    attempt: Attempt
    hands: int


def reader_of(*, number: int, player: Player | None) -> Reader | None:
    """Return what a player may read of a game; None where he has not played it, or none is there.

    While the game is open he sees each hand only as far as he got himself.
    """
    attempts = _finished(player).filter(standard_game_id=number)
    own = list(attempts.order_by("-first", "pk"))
    if not own:
        return None
    game = own[0].standard_game
    hands = max(map(hands_reached, own))
    if cards_are_public(game):
        hands = len(game.decks.packs)
    return Reader(game, own[0], hands)


def hands_reached(attempt: Attempt) -> int:
    """Return how many hands of an attempt its player has seen to their end."""
    left = attempt.ended in {Attempt.Ended.LEFT, Attempt.Ended.TIMED_OUT}
    return max(0, attempt.hands_seen - 1) if left else attempt.hands_seen


def hands_reached_in(*, match: int, player: int | None) -> int | None:
    """Return how many hands of a match on a standard game a player may see with their cards.

    None where there is nothing against all of them: the match belongs to no standard game, or
    to one whose cards are public. Both are given by their primary keys.
    """
    play = Play.objects.filter(match_id=match).select_related("standard_game").first()
    if play is None or cards_are_public(play.standard_game):
        return None
    who = None if player is None else Player.objects.filter(pk=player).first()
    reader = reader_of(number=play.standard_game_id, player=who)
    return 0 if reader is None else reader.hands


def secret_matches(matches: Collection[int]) -> set[int]:
    """Return those of the matches, by primary key, whose cards are not public.

    As `cards_are_public` says of one game; one query for all.
    """
    playing = Play.objects.filter(
        standard_game=OuterRef("standard_game"), match__status=Match.Status.PLAYING
    ).exclude(exclusion=Play.Exclusion.PRACTICE)
    closed = Q(standard_game__state=StandardGame.State.CLOSED)
    plays = Play.objects.filter(match__in=matches)
    return set(plays.exclude(closed & ~Exists(playing)).values_list("match_id", flat=True))


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


def cards_are_public(game: StandardGame) -> bool:
    """Whether anybody may see all cards: the game is closed, and nobody is still playing it."""
    if game.is_open:
        return False
    return not (
        Play.objects.filter(standard_game=game, match__status=Match.Status.PLAYING)
        .exclude(exclusion=Play.Exclusion.PRACTICE)
        .exists()
    )


def _finished(player: Player | None) -> QuerySet[Attempt]:
    rows = Attempt.objects.filter(computer=False, play__finished_at__isnull=False)
    rows = rows.select_related("standard_game__decks", "play__match", "player")
    return rows.filter(player=player) if player is not None else rows.none()
