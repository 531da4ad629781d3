"""Matches played at random without a server, for pages to show.

As a program (`python -m tests.support.played`) it plays a match in the database of DATABASE_URL,
for tests whose site is another process. Standard input: the match's id and how many days ago.
"""

from __future__ import annotations

import os
import sys
from itertools import islice

from tests.support.launcher import Script
from tests.support.servers import site_environment


def play_on(
    public_id: str,
    *,
    seed: int = 1,
    moves: int | None = None,
    points: int | None = None,
    days_ago: int = 0,
) -> None:
    """Write the log and the summaries of a started match: all of it, or its first moves.

    With ``points`` it stops as soon as a player has so many.
    """
    from datetime import timedelta

    from django.utils import timezone

    from games.engine.moves import Chance, to_text
    from games.engine.state import Ruleset
    from games.log import store, summaries
    from games.models import Match
    from tests.support.positions import random_match

    match = Match.objects.get(public_id=public_id)
    now = timezone.now() - timedelta(days=days_ago)
    entries, changes = [], []
    whole = random_match(Ruleset.from_dict(match.ruleset), seed)
    for sequence, moment in enumerate(islice(whole, moves)):
        if points is not None and max(moment.state.scores) >= points:
            break
        seat = None if isinstance(moment.move, Chance) else moment.move.seat
        entries.append(store.Entry(match.pk, sequence, seat, to_text(moment.move), "", now))
        change = summaries.effects(match.pk, moment.state, moment.step.state, now)
        if change is not None:
            changes.append(change)
    store.write_all(entries)
    summaries.write(changes)


def play_on_further(public_id: str, *, moves: int) -> None:
    """Write the log of a match again, up to so many moves."""
    from games.models import Match

    Match.objects.get(public_id=public_id).moves.all().delete()
    play_on(public_id, moves=moves)


def play_elsewhere(database_url: str, public_id: str, *, days_ago: int = 0) -> None:
    """Play a match to its end in another process's database, dated this many days ago."""
    Script(
        ["-m", "tests.support.played"],
        site_environment(database_url),
        text=f"{public_id} {days_ago}",
    ).finish()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    import django

    django.setup()
    match_id, _, days = sys.stdin.read().partition(" ")
    play_on(match_id, days_ago=int(days))
