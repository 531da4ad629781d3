"""A club night in real browsers: joined by its link, drawn, played, and followed by others."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.conftest import OpenPage
from tests.browser.test_ranked import FAST, TABLE, faults, match_of
from tests.games.clients import Client, play_match
from tests.ratings.seated import run_script
from tests.servers import Site, sites

FOUND_WITHIN_MS = 20_000
CLICK_WITHIN_MS = 3_000
GAME_S = 150.0
COUNTED_WITHIN_MS = 30_000

_MAKE = """
import json, sys
import django
django.setup()
from datetime import timedelta
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone
from games.models import Player
from ratings.services import clubs, nights

json.load(sys.stdin)
ann = Player.objects.create_user("Ann")
session = SessionStore()
session[SESSION_KEY] = str(ann.pk)
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = ann.get_session_auth_hash()
session.save()
begins = timezone.now() + timedelta(hours=1)
night = nights.make(
    club=clubs.found(player=ann, name="Pegs and Holes"), by=ann, title="Thursday", games=1,
    minutes=25, starts_at=begins, ends_at=begins + timedelta(hours=2),
)
print(json.dumps({"night": night.token, "cookie": session.session_key}))
"""


@pytest.fixture(scope="module")
def club_site(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Site]:
    """Run a site of its own, whose players may be quick."""
    folder = tmp_path_factory.mktemp("clubs")
    with sites(folder, empty_database=empty_database) as start:
        yield start(extra=FAST)


def play_by_sockets(site: Site, pages: list[Page]) -> None:
    """Play the match at whose table two pages are, without them."""
    clients = []
    for number, page in enumerate(pages):
        match = match_of(page)
        cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
        page.goto(f"{site.url}/rules/")
        clients.append(Client(site.socket_url, match, cookies["sessionid"], seed=number))
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, play_match(*clients, within=GAME_S)).result()


def test_a_small_night(club_site: Site, open_page: OpenPage) -> None:
    made = run_script(club_site.database_url, _MAKE, None, {})
    night = f"{club_site.url}/clubs/night/{made['night']}/"
    zoe = open_page(night, reduced_motion="reduce")
    zoe.get_by_label("Your name at the table").fill("Zoe")
    zoe.get_by_role("button", name="Take part").click()
    expect(zoe.get_by_role("button", name="Take part no more")).to_be_visible()

    ann = open_page(f"{club_site.url}/rules/", reduced_motion="reduce")
    ann.context.add_cookies([{"name": "sessionid", "value": made["cookie"], "url": club_site.url}])
    ann.goto(night)
    ann.get_by_role("button", name="Take part", exact=True).click()
    watcher = open_page(night)
    expect(watcher.get_by_text("2 take part so far.")).to_be_visible()
    ann.get_by_role("button", name="Draw and begin now").click()
    expect(ann.get_by_role("link", name="Look again")).to_be_hidden()  # its script runs
    # Her page takes her there by itself, if it is quicker than she is.
    with contextlib.suppress(PlaywrightTimeout):
        ann.get_by_role("link", name="To your table").click(timeout=CLICK_WITHIN_MS)

    # Who waits on the page is taken to his table, and who watches sees that it is played.
    zoe.wait_for_url(TABLE, timeout=FOUND_WITHIN_MS)
    ann.wait_for_url(TABLE, timeout=FOUND_WITHIN_MS)
    expect(watcher.get_by_text("at play")).to_be_visible(timeout=FOUND_WITHIN_MS)
    table = ann.url
    play_by_sockets(club_site, [ann, zoe])
    ann.goto(table)
    ann.get_by_role("link", name="Back to the club night").click()
    ann.wait_for_url(night)

    expect(watcher.get_by_text("The night is over.")).to_be_visible(timeout=COUNTED_WITHIN_MS)
    lines = watcher.get_by_role("region", name="Standings").get_by_role("row")
    expect(lines).to_have_count(3)
    expect(lines.nth(1)).to_have_text(re.compile(r"1\s+(Ann|Zoe).*\s[23]\s", re.DOTALL))
    assert faults(watcher) == []
    plain = open_page(night, java_script_enabled=False)
    expect(plain.get_by_role("link", name="Look again")).to_be_visible()
    expect(plain.get_by_text("The night is over.")).to_be_visible()
