"""Finished matches with their reviews, for tests of the pages that show them.

As a program (`python -m tests.games.reviewed`) it reviews the match whose public id comes on
standard input, in the database of DATABASE_URL, and says whether it was the one to do so.
"""

from __future__ import annotations

import os
import sys

from tests.games.played import play_on


def review_now(match: int) -> int:
    """Review a match here and now; return how many steps that took."""
    from games import reviewing

    return sum(1 for _ in reviewing.steps_of(match))


def played_match(
    *people: object, seed: int = 1, watchable: bool = False, **rules: object
) -> object:
    """Return a match of these people, the rest computers, played at random to its end."""
    from games import services
    from games.engine.state import Ruleset
    from games.models import Match, Player

    ruleset = Ruleset.from_dict({"target": 61, **rules})
    players = [person for person in people if isinstance(person, Player)]
    match = services.create_match(
        creator=players[0],
        ruleset=ruleset,
        computers=dict.fromkeys(range(len(players), ruleset.players), "poppy"),
        watchable=watchable,
    )
    for person in players[1:]:
        services.join_match(player=person, invite=match.invite)
    play_on(match.public_id, seed=seed)
    return Match.objects.get(pk=match.pk)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    import django

    django.setup()
    from games.models import Match

    # The first step only reads; whoever holds the claim takes one for each decision.
    print(review_now(Match.objects.get(public_id=sys.stdin.read().strip()).pk) > 1)
