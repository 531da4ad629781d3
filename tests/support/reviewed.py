"""Finished and reviewed matches, for tests of the pages that show them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any
from unittest.mock import patch

from tests.support.played import play_on


def review_now(match: int) -> int:
    """Review a match synchronously; return the number of steps.

    Matches with the same moves are analysed once: most have them, being played from one seed.
    """
    from games.analysis.review import review
    from games.analysis.review_luck import accounts
    from games.learn import review_jobs

    remembered: dict[str, Any] = {"review": _remembered(review), "accounts": _remembered(accounts)}
    with patch.multiple(review_jobs, **remembered):
        return sum(1 for _ in review_jobs.steps_of(match))


@cache
def _remembered(analyse: Callable[..., Iterable[Any]]) -> Callable[..., Iterable[Any]]:
    """Return an analysis of a log that remembers its results."""
    results = cache(lambda ruleset, moves: tuple(analyse(ruleset, moves)))
    return lambda ruleset, moves: iter(results(ruleset, tuple(moves)))


def played_match(
    *people: object, seed: int = 1, watchable: bool = False, **rules: object
) -> object:
    """Return a finished random match of these people, with computers in the other seats."""
    from games.engine.state import Ruleset
    from games.models import Match, Player
    from games.tables.tables import create_match, join_match

    ruleset = Ruleset.from_dict({"target": 61, **rules})
    players = [person for person in people if isinstance(person, Player)]
    match = create_match(
        creator=players[0],
        ruleset=ruleset,
        computers=dict.fromkeys(range(len(players), ruleset.players), "poppy"),
        watchable=watchable,
    )
    for person in players[1:]:
        join_match(player=person, invite=match.invite)
    play_on(match.public_id, seed=seed)
    return Match.objects.get(pk=match.pk)


def away_for(match: object, seat: int, entries: range) -> None:
    """Make these entries of a match's log a substitute's; the seat's others have a client's id."""
    from games.models import Match, Move

    assert isinstance(match, Match)
    match.seats.filter(seat=seat).update(substituted=True)
    own = Move.objects.filter(match=match, seat=seat)
    own.exclude(sequence__in=list(entries)).update(client_id="theirs")
