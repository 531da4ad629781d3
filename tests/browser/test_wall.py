"""The wall screen of a club night: everything must fit, since a wall screen cannot be scrolled."""

import pytest
from playwright.sync_api import FloatRect, Locator

from tests.browser.conftest import OpenPage
from tests.support.seated import run_script
from tests.support.servers import Site

NIGHT = """
import json, sys, uuid
import django
django.setup()
from django.utils import timezone
from games.models import Player
from ratings.clubs import clubs, nights
from tests.support.evenings import night_of
people = [
    Player.objects.create_user(f"{name}{uuid.uuid4().hex[:5]}")
    for name in ("Bartholomew-Wo", "Oleksandra", "Wilhelmina", "Ines")
]
club = clubs.create(player=people[0], name=f"Club {uuid.uuid4().hex[:6]}")
for member in people[1:]:
    clubs.join(player=member, token=club.token)
night = night_of(club, people[0], entrants=people)
nights.begin(night=night, by=people[0])
print(json.dumps({"token": night.token}))
"""


def box(part: Locator) -> FloatRect:
    """Return where a part of a page is, in pixels."""
    found = part.bounding_box()
    assert found is not None
    return found


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
@pytest.mark.parametrize("width", [1024, 1280, 1920])
def test_the_standings_and_the_code_have_room(
    live_site: Site, open_page: OpenPage, language: str, width: int
) -> None:
    token = run_script(live_site.database_url, NIGHT, {}, {})["token"]
    page = open_page(
        f"{live_site.url}/clubs/night/{token}/wall/",
        locale=language,
        viewport={"width": width, "height": 800},
    )
    standings = page.locator(".event-columns .scroll")
    assert standings.evaluate("part => part.scrollWidth - part.clientWidth") <= 0
    table, code = box(standings), box(page.locator(".night-scan"))
    assert table["x"] + table["width"] <= code["x"]
    assert code["x"] + code["width"] <= width
    tables = box(page.locator(".night-tables"))
    assert tables["y"] >= code["y"] + code["height"]
