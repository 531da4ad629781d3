"""A player who goes away in the middle of a match: what the other sees, and may choose."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.seat import complaints, is_asked, play_until, sit
from tests.games.tables import make_tables, wish
from tests.servers import Site, sites

GRACE_S = 6


@pytest.fixture
def impatient_site(tmp_path: Path, empty_database: Path) -> Iterator[Site]:
    """Run a site on which one may choose soon after somebody has gone."""
    extra = {"ABSENCE_GRACE_SECONDS": str(GRACE_S), "COMPUTER_PAUSE_MS": "0"}
    with sites(tmp_path, empty_database=empty_database) as start:
        yield start(extra=extra)


def test_who_waits_for_an_absent_player_sees_it_and_may_then_choose(
    impatient_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(impatient_site.database_url, wish())[0]
    seats = [sit(impatient_site, open_page, table, who) for who in range(2)]
    play_until(seats, is_asked(seats, "play"))
    absent = next(seat for seat in seats if seat.asked == "play")
    waiting = next(seat for seat in seats if seat is not absent)
    panel = waiting.page.locator(".absent")
    expect(panel).to_have_count(0)

    absent.page.goto("about:blank")
    expect(panel).to_contain_text("to reconnect")
    expect(panel.locator(".grace")).to_contain_text(re.compile("in [1-4] second"))
    expect(panel.get_by_role("button", name="Claim the game")).to_be_visible()
    assert complaints(waiting.page) == []
    panel.get_by_role("button", name="Let the computer play on").click()

    expect(panel).to_have_count(0)
    play_until([waiting], is_asked([waiting], "discard"))
    expect(waiting.page.locator(".plate-name").last).to_contain_text("(")
