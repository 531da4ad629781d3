"""Workers that end the last nights of the same leagues; run as a module in other processes.

With the argument "make", it stores leagues of two nights each, whose games have all been played,
and prints the keys of the nights. Otherwise standard input is {"nights": keys, "place": folder,
"processes": n}: the processes begin together, and each advances one night after another.
"""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from typing import Any

from tests.support.launcher import Script
from tests.support.servers import site_environment
from tests.support.waiting import meet

_MODULE = ("-m", "tests.support.club_league_workers")
LEAGUES, PLAYERS = 10, 4


def make(database_url: str) -> list[int]:
    """Store leagues in that database; return the primary keys of their nights."""
    said = Script([*_MODULE, "make"], site_environment(database_url)).finish()
    found: list[int] = json.loads(said)
    return found


def begin(database_url: str, nights: list[list[int]], place: Path) -> list[Script]:
    """Start a process for each list of nights; `place` is a new folder where they meet."""
    place.mkdir()
    scripts = []
    for own in nights:
        wish: dict[str, Any] = {"nights": own, "place": str(place), "processes": len(nights)}
        environment = site_environment(database_url)
        scripts.append(Script([*_MODULE], environment, text=json.dumps(wish)))
    return scripts


def outcome(database_url: str) -> dict[str, Any]:
    """Return how many nights are over, and each league's end and the places of its titles."""
    said = Script([*_MODULE, "outcome"], site_environment(database_url)).finish()
    found: dict[str, Any] = json.loads(said)
    return found


def _make() -> None:
    from datetime import timedelta

    from django.utils import timezone

    from games.models import Player
    from ratings.clubs import clubs, leagues
    from ratings.models import Attempt, ClubNight, Entrant, NightGame, NightTable, Play
    from ratings.models import StandardGame as Game
    from ratings.standard import catalogue
    from ratings.standard import decks as packing

    people = [Player.objects.create_user(f"P {n}", kind="person") for n in range(PLAYERS)]
    now = timezone.now()
    leagues.MAX_OPEN = LEAGUES
    club = clubs.create(player=people[0], name="Pegs")
    packs = packing.new_packs(packing.HANDS)
    keys = []
    for number in range(LEAGUES):
        league = leagues.start(club=club, by=people[0], title=f"L {number}", nights=2, best=2)
        for _ in range(2):
            night = ClubNight.objects.create(
                club=club, league=league, title="Night", games=1, current=1, made_by=people[0],
                state=ClubNight.State.RUNNING, starts_at=now, ends_at=now + timedelta(hours=3),
            )  # fmt: skip
            cards = catalogue.make(seats=2, packs=packs, purpose=Game.Purpose.CLUB)
            Game.objects.filter(pk=cards.pk).update(par=[0.0, 0.0])
            game = NightGame.objects.create(
                night=night, number=1, standard_game=cards, began_at=now
            )
            rows = [Entrant.objects.create(night=night, player=each) for each in people]
            for at in range(0, PLAYERS, 2):
                play = Play.objects.create(
                    standard_game=cards, kind=Play.Kind.CLUB, finished_at=now,
                    exclusion=Play.Exclusion.CHOSEN,
                )  # fmt: skip
                for seat in (0, 1):
                    # The first of each pair wins, by more at the first table.
                    margin = float((20 - at) * (1 - 2 * seat))
                    Attempt.objects.create(
                        play=play, standard_game=cards, player=people[at + seat], seat=seat,
                        score=121 if seat == 0 else 121 + int(margin), margin=margin,
                        counted=margin, won=seat == 0, ended=Attempt.Ended.PLAYED,
                    )  # fmt: skip
                NightTable.objects.create(game=game, first=rows[at], second=rows[at + 1], play=play)
            keys.append(night.pk)
    print(json.dumps(keys))


def _work() -> None:
    from django.db import OperationalError

    from ratings.clubs import night_state_machine
    from ratings.models import ClubNight

    wish = json.load(sys.stdin)
    meet(Path(wish["place"]), wish["processes"])
    for pk in wish["nights"]:
        over = False
        while not over:
            with contextlib.suppress(OperationalError):  # a job is repeated, too
                over = night_state_machine.advance(night=ClubNight.objects.get(pk=pk)).is_over
    print("over")


def _outcome() -> None:
    from ratings.models import ClubLeague, ClubNight

    leagues = [
        {
            "over": league.over_at is not None,
            "titles": list(
                league.titles.order_by("place", "player").values_list("player__name", "place")
            ),
        }
        for league in ClubLeague.objects.order_by("pk")
    ]
    over = ClubNight.objects.filter(state=ClubNight.State.OVER).count()
    print(json.dumps({"nights": over, "leagues": leagues}))


if __name__ == "__main__":
    import django

    django.setup()
    {"make": _make, "outcome": _outcome}.get("".join(sys.argv[1:]), _work)()
