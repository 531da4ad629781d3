"""Take the pictures of docs/pictures from real pages of a real site.

    make screenshots

A site of its own is started on a database of its own. Matches in it are played by the computer
players with a fixed shuffle, so that the pictures change only when the pages do.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from games.engine.moves import Move
from games.engine.rules import Step, apply, chance, start, waiting
from games.engine.state import Phase, Ruleset, State
from games.engine.view import view_for
from scripts.chromium import ensure, launch_flags
from tests.engine.tables import Moment, chance_move
from tests.servers import ROOT, Site, manage, site_environment, sqlite_url

PICTURES = ROOT / "docs" / "pictures"
QUALITY = 88  # of JPEG, 0 to 100
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
SETTLED_MS = 900
"""How long a page gets for its fonts, its socket and its first movements."""
FINISHED_SEED, RUNNING_SEED, RUNNING_THREE_SEED = 4, 7, 12
INTERESTING = (55, 100)
"""Between these scores a match under way is worth a picture."""


@dataclass(frozen=True)
class Shot:
    """One picture: its file, the page, the window, the colours, whether Margery looks at it."""

    name: str
    path: str
    window: dict[str, int]
    colours: str = "light"
    as_margery: bool = True


def played_well(ruleset: Ruleset, seed: int) -> Iterator[Moment]:
    """Yield a whole match between computer players, with a shuffle that is always the same."""
    from games.computers import decide

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
            raise RuntimeError(f"nobody moves at {state.phase}")
        step: Step = apply(state, move)
        yield Moment(state, move, step)
        state = step.state


def is_worth_a_picture(state: State) -> bool:
    """Say whether seat 0 is to play, on a pile of two or more, in the middle of a game."""
    low, high = INTERESTING
    return (
        state.phase is Phase.PLAY
        and state.turn == 0
        and len(state.pile) > 1
        and low < min(state.scores)
        and max(state.scores) < high
    )


def store(public_id: str, moments: Iterator[Moment], until: Callable[[State], bool]) -> None:
    """Write a match's log and summaries, as far as the moment that is wanted."""
    from django.utils import timezone

    from games import summaries
    from games.engine.moves import Chance, to_text
    from games.models import Match
    from games.store import Entry, write_all

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


def fill() -> dict[str, str]:
    """Make players, matches and open tables; return their ids and Margery's session."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from games import services
    from games.accounts import GUEST_BACKEND
    from games.models import Player

    margery, tom, ann = (Player.objects.create_user(name) for name in ("Margery", "Tom", "Ann"))

    def match(seed: int, until: Callable[[State], bool], *computers: str) -> str:
        rules = Ruleset(players=len(computers) + 1, first_dealer=0)
        made = services.create_match(
            creator=margery, ruleset=rules, computers=dict(enumerate(computers, start=1))
        )
        store(made.public_id, played_well(rules, seed), until)
        return made.public_id

    finished = match(FINISHED_SEED, lambda _: False, "grace")
    running = match(RUNNING_SEED, is_worth_a_picture, "walter")
    three = match(RUNNING_THREE_SEED, is_worth_a_picture, "ada", "poppy")
    services.create_match(creator=tom, ruleset=Ruleset(), listed=True)
    services.create_match(
        creator=ann, ruleset=Ruleset(players=3, counting="manual", muggins=True), listed=True
    )
    session = SessionStore()
    session[SESSION_KEY] = str(margery.pk)
    session[BACKEND_SESSION_KEY] = GUEST_BACKEND
    session[HASH_SESSION_KEY] = margery.get_session_auth_hash()
    session.save()
    return {
        "finished": finished,
        "running": running,
        "three": three,
        "cookie": settings.SESSION_COOKIE_NAME,
        "session": str(session.session_key),
    }


def shots(made: dict[str, str]) -> list[Shot]:
    """Return which pictures there are."""
    table, three = f"/t/{made['running']}/", f"/t/{made['three']}/"
    match = f"/matches/{made['finished']}/"
    return [
        Shot("landing", "/", DESKTOP, as_margery=False),
        Shot("landing-dark", "/", DESKTOP, "dark", as_margery=False),
        Shot("landing-phone", "/", PHONE, as_margery=False),
        Shot("table", table, DESKTOP),
        Shot("table-dark", table, DESKTOP, "dark"),
        Shot("table-phone", table, PHONE),
        Shot("table-three", three, DESKTOP),
        Shot("match", match, DESKTOP),
        Shot("rules", "/rules/#show", DESKTOP),
    ]


def take(browser: Browser, site: Site, made: dict[str, str]) -> None:
    """Take every picture."""
    for shot in shots(made):
        context = browser.new_context(viewport=shot.window, color_scheme=shot.colours)  # type: ignore[arg-type]
        if shot.as_margery:
            cookie = {"name": made["cookie"], "value": made["session"], "url": site.url}
            context.add_cookies([cookie])  # type: ignore[list-item]
        page: Page = context.new_page()
        page.goto(site.url + shot.path)
        page.wait_for_timeout(SETTLED_MS)
        file = PICTURES / f"{shot.name}.jpg"
        page.screenshot(path=file, type="jpeg", quality=QUALITY)
        context.close()
        print(f"{file.relative_to(ROOT)}  {file.stat().st_size // 1024} KB", flush=True)


def main() -> int:
    """Fill a database, start a site on it, take the pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = sqlite_url(folder)
        manage(url, "migrate", "-v", "0")
        filled = subprocess.run(
            [sys.executable, "-m", "scripts.screenshots", "fill"],
            cwd=ROOT,
            env=site_environment(url),
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        made = json.loads(filled.stdout)
        with Site(folder, database_url=url) as site, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=ensure(), args=launch_flags())
            take(browser, site, made)
            browser.close()
    return 0


def main_fill() -> int:
    """Fill the database of DATABASE_URL: the ORM and Playwright do not share a thread."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    import django

    django.setup()
    print(json.dumps(fill()))
    return 0


if __name__ == "__main__":
    sys.exit(main_fill() if sys.argv[1:] == ["fill"] else main())
