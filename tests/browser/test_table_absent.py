"""A player who leaves during a match: what the other sees and may choose."""

import re
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.test_table_reach import too_small
from tests.support.accessible import complaints, resize
from tests.support.seat import is_asked, play_until, sit
from tests.support.servers import StartSite, manage
from tests.support.tables import make_tables, wish

GRACE = {"ABSENCE_GRACE_SECONDS": "15", "COMPUTER_PAUSE_MS": "0"}
"""Little patience for players who are absent, and the usual one for those who don't act: on a slow
machine, somebody hasn't acted for seconds before the first look at a page."""
LIMIT = {"IDLE_LIMIT_SECONDS": "10", "COMPUTER_PAUSE_MS": "0"}
"""Little patience for players who don't act."""
LONG_NAMES = """
from games.models import Match, Player
seats = Match.objects.get(public_id="{match}").seats.exclude(seat=0).order_by("seat")
for seat, name in zip(seats, ("Wilhelmine Muster", "Maximiliane Theodora")):
    Player.objects.filter(pk=seat.player_id).update(name=name)
"""
WIDEST = """
    Math.max(...[...document.querySelectorAll(".felt, .felt .other-name, .hand-card")]
        .map((each) => each.getBoundingClientRect().right))
"""
"""How far the table reaches to the right."""


def test_a_player_is_told_of_an_absent_opponent_and_may_then_choose(
    start_site: StartSite, open_page: OpenPage
) -> None:
    site = start_site(extra=GRACE)
    table = make_tables(site.database_url, wish())[0]
    seats = [sit(site, open_page, table, who) for who in range(2)]
    play_until(seats, is_asked(seats, "play"))
    absent = next(seat for seat in seats if seat.asked == "play")
    waiting = next(seat for seat in seats if seat is not absent)
    panel = waiting.page.locator(".absent")
    expect(panel).to_have_count(0)

    absent.page.goto("about:blank")
    expect(panel).to_contain_text("to reconnect")
    expect(panel.locator(".grace")).to_contain_text(re.compile(r"in [1-9]\d* second"))
    expect(panel.get_by_role("button", name="Claim the win")).to_be_visible()
    assert complaints(waiting.page) == []
    panel.get_by_role("button", name="Let the computer play").click()

    expect(panel).to_have_count(0)
    play_until([waiting], is_asked([waiting], "discard"))
    expect(waiting.page.locator(".plate-name").last).to_contain_text("(")


def test_a_player_who_does_not_act_is_asked_and_the_other_may_then_choose(
    start_site: StartSite, open_page: OpenPage
) -> None:
    site = start_site(extra=LIMIT)
    table = make_tables(site.database_url, wish())[0]
    seats = [sit(site, open_page, table, who) for who in range(2)]
    play_until(seats, is_asked(seats, "play"))
    idle = next(seat for seat in seats if seat.asked == "play")
    waiting = next(seat for seat in seats if seat is not idle)
    asked, panel = (seat.page.locator(".absent") for seat in (idle, waiting))

    expect(asked).to_contain_text("Still there? It's your turn.")
    expect(panel).to_contain_text("hasn't played for a while")
    expect(panel.get_by_role("button", name="Claim the win")).to_be_visible()
    expect(asked).to_contain_text("can now go on without you")
    for seat in seats:
        assert complaints(seat.page) == []
    panel.get_by_role("button", name="Let the computer play").click()

    expect(idle.page.get_by_role("button", name="Take back my seat")).to_be_visible()
    idle.page.get_by_role("button", name="Take back my seat").click()
    expect(idle.page.get_by_role("button", name="Take back my seat")).to_have_count(0)


def leaves_room_for_the_crib(page: Page, width: int) -> None:
    """Check that the crib has its name above the hand, and that all fits and suits a thumb."""
    expect(page.locator(".crib .spot-name")).to_contain_text("Die Crib von")
    label = page.locator(".crib .spot-name").bounding_box()
    hand = page.locator(".hand-card").first.bounding_box()
    assert label and hand
    assert label["y"] + label["height"] < hand["y"]
    assert page.evaluate(WIDEST) <= width
    assert too_small(page) == []


@pytest.fixture(scope="module", params=[2, 3])
def beside_absent_players(
    request: pytest.FixtureRequest, start_file_site: StartSite, open_file_page: OpenPage
) -> Page:
    """Return a phone's page at a table whose other players, with long names, are absent."""
    site = start_file_site(extra={"ABSENCE_GRACE_SECONDS": "99"})  # until all sizes were looked at
    (table,) = make_tables(site.database_url, wish(players=request.param, first_dealer=1))
    manage(site.database_url, "shell", "-v", "0", "-c", LONG_NAMES.format(match=table.match))
    phone = {"is_mobile": True, "has_touch": True}
    page = sit(site, open_file_page, table, 0, locale="de", **phone).page
    expect(page.locator(".absent")).to_contain_text("Wilhelmine Muster")
    if request.param == 3:
        expect(page.locator(".absent")).to_contain_text("Maximiliane Theodora")
    return page


@pytest.mark.parametrize(("width", "height"), [(320, 568), (360, 640), (390, 664)])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_absent_players_with_long_names_leave_room_for_the_crib(
    beside_absent_players: Page, colours: Literal["light", "dark"], width: int, height: int
) -> None:
    page = beside_absent_players
    expect(page.locator(".absent .grace")).to_have_count(1)
    page.emulate_media(color_scheme=colours)
    resize(page, width, height)
    leaves_room_for_the_crib(page, width)


@pytest.mark.parametrize(("width", "height"), [(320, 568), (360, 640)])
def test_the_choice_about_two_absent_players_leaves_room_for_the_crib(
    start_site: StartSite, open_page: OpenPage, width: int, height: int
) -> None:
    site = start_site(extra={**GRACE, "ABSENCE_GRACE_SECONDS": "1"})
    (table,) = make_tables(site.database_url, wish(players=3, first_dealer=1))
    manage(site.database_url, "shell", "-v", "0", "-c", LONG_NAMES.format(match=table.match))
    phone = {"is_mobile": True, "has_touch": True}
    size = {"width": width, "height": height}
    page = sit(site, open_page, table, 0, locale="de", viewport=size, **phone).page
    expect(page.locator(".absent button")).to_have_count(1)
    leaves_room_for_the_crib(page, width)
