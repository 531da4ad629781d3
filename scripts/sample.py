"""Fill a database with sample data for every page: players, matches, ranked results, open tables.

    DATABASE_URL=... python -m scripts.sample

The database must be migrated and empty. The result is printed as JSON. Computer players play
the matches with fixed shuffles, so that screenshots change only when the pages do; the cards of
ranked games are random as usual.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass

from games.engine.moves import Move
from games.engine.rules import Step, apply, chance, start, waiting
from games.engine.state import Phase, Ruleset, State
from games.engine.view import view_for
from tests.support.positions import Moment, chance_move
from tests.support.servers import ROOT, site_environment

WHO = "Margery"
FINISHED_SEED, RUNNING_SEED, RUNNING_THREE_SEED, SHOW_SEED = 4, 7, 36, 9
INTERESTING = (55, 100)
"""The range of both scores in which a running match makes a good picture."""
LAST_CARD = 7
"""Number of cards that two players have played before the last one of a hand."""
LEAGUE, RESULTS = 16, 60
"""Numbers of ranked players and of ranked results: enough for lists and feeds."""


@dataclass(frozen=True)
class Sample:
    """The sample data: public ids of matches, the number of a standard game, Margery's session.

    Attributes:
        finished: a finished and reviewed match.
        running, three: matches of two and three players in which it is Margery's turn.
        show: a match in which her next card is the last before the show.
        standard: the number of a standard game that she has played.
        ranked: her match of that game.
        player: her own public id.
        session: her session key.
    """

    finished: str
    running: str
    three: str
    show: str
    standard: int
    ranked: str
    player: str
    session: str


def played_well(ruleset: Ruleset, seed: int) -> Iterator[Moment]:
    """Yield a whole match between computer players, with the shuffles of ``seed``."""
    from games.live.computers import decide

    rng = random.Random(seed)
    state = start(ruleset)
    while state.phase is not Phase.OVER:
        move: Move | None
        if chance(state):
            move = chance_move(state, rng)
        else:
            seat = waiting(state)[0]
            move = decide("walter", view_for(state, seat))
        if move is None:
            raise RuntimeError(f"no move in phase {state.phase}")
        step: Step = apply(state, move)
        yield Moment(state, move, step)
        state = step.state


def is_own_turn(state: State) -> bool:
    """Return whether seat 0 is to play on a pile of two or more, in the middle of a game."""
    return state.phase is Phase.PLAY and state.turn == 0 and len(state.pile) > 1 and _is_mid(state)


def is_last_card(state: State) -> bool:
    """Return whether seat 0 is to play the last card of a hand, in the middle of a game."""
    if state.phase is not Phase.PLAY or state.turn != 0 or state.hand is None:
        return False
    return len(state.hand.plays) == LAST_CARD and _is_mid(state)


def _is_mid(state: State) -> bool:
    low, high = INTERESTING
    return low < min(state.scores) and max(state.scores) < high


def store(public_id: str, moments: Iterator[Moment], until: Callable[[State], bool]) -> None:
    """Write a match's log and summaries up to the first state for which ``until`` is true."""
    from django.utils import timezone

    from games.engine.moves import Chance, to_text
    from games.log import summaries
    from games.log.store import Entry, write_all
    from games.models import Match

    pk = Match.objects.get(public_id=public_id).pk
    now = timezone.now()
    entries, changes = [], []
    for sequence, moment in enumerate(moments):
        if until(moment.state):
            break
        seat = None if isinstance(moment.move, Chance) else moment.move.seat
        entries.append(Entry(pk, sequence, seat, to_text(moment.move), "", now))
        change = summaries.effects(pk, moment.state, moment.step.state, now)
        if change is not None:
            changes.append(change)
    write_all(entries)
    summaries.write(changes)


def fill() -> Sample:
    """Create players, matches, ranked results and open tables in the configured database."""
    from django.core.management import call_command

    from games.learn import review_jobs
    from games.models import Match, Player
    from games.tables.tables import create_match
    from ratings.models import Attempt
    from tests.support.sessions import session_of

    margery, tom, ann = (Player.objects.create_user(name) for name in (WHO, "Tom", "Ann"))
    league = {"players": LEAGUE, "results": RESULTS, "also": [WHO], "stdout": sys.stderr}
    call_command("seed_demo", **league)

    def match(seed: int, until: Callable[[State], bool], *computers: str) -> str:
        rules = Ruleset(players=len(computers) + 1, first_dealer=0)
        made = create_match(
            creator=margery, ruleset=rules, computers=dict(enumerate(computers, start=1))
        )
        store(made.public_id, played_well(rules, seed), until)
        return made.public_id

    finished = match(FINISHED_SEED, lambda _: False, "grace")
    for _ in review_jobs.steps_of(Match.objects.get(public_id=finished).pk):
        pass
    running = match(RUNNING_SEED, is_own_turn, "walter")
    three = match(RUNNING_THREE_SEED, is_own_turn, "ada", "poppy")
    show = match(SHOW_SEED, is_last_card, "walter")
    create_match(creator=tom, ruleset=Ruleset(), listed=True)
    create_match(
        creator=ann, ruleset=Ruleset(players=3, counting="manual", muggins=True), listed=True
    )
    own = Attempt.objects.filter(player=margery).order_by("-pk")
    ranked = own[0].play.match
    if ranked is None:
        raise RuntimeError("a rated play without a match")
    return Sample(
        finished=finished,
        running=running,
        three=three,
        show=show,
        standard=own[0].play.standard_game_id,
        ranked=ranked.public_id,
        player=margery.public_id,
        session=session_of(margery),
    )


def made_in(database_url: str, extra: Mapping[str, str] | None = None) -> Sample:
    """Fill a database in a separate process, since the ORM and Playwright cannot share a thread.

    ``extra`` holds further environment variables of the site, such as the secret key that signs
    the session.
    """
    filled = subprocess.run(
        [sys.executable, "-m", "scripts.sample"],
        cwd=ROOT,
        env=site_environment(database_url) | dict(extra or {}),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return Sample(**json.loads(filled.stdout.splitlines()[-1]))


def main() -> int:
    """Fill the database of DATABASE_URL."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    import django

    django.setup()
    print(json.dumps(asdict(fill())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
