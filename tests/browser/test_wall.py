"""The wall screen of a club night: everything must fit, since a wall screen cannot be scrolled."""

import pytest

from tests.browser.conftest import OpenPage
from tests.support.accessible import resize
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


ROOM = """() => {
    const box = part => document.querySelector(part).getBoundingClientRect();
    const standings = document.querySelector(".event-columns .scroll");
    const code = box(".night-scan");
    return {
        scrolled: standings.scrollWidth - standings.clientWidth,
        before_code: code.left - box(".event-columns .scroll").right,
        after_code: innerWidth - code.right,
        below_code: box(".night-tables").top - code.bottom,
    };
}"""
"""How many pixels the parts have between each other, all at one moment: the page renews itself."""


@pytest.fixture(scope="module")
def night(live_site: Site) -> str:
    """Return the token of a club night that has begun, with four players."""
    return str(run_script(live_site.database_url, NIGHT, {}, {})["token"])


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_the_standings_and_the_code_have_room(
    live_site: Site, open_page: OpenPage, night: str, language: str
) -> None:
    page = open_page(f"{live_site.url}/clubs/night/{night}/wall/", locale=language)
    for width in (1024, 1280, 1920):
        resize(page, width, 800)
        room = page.evaluate(ROOM)
        assert room["scrolled"] <= 0, width
        assert room["before_code"] >= 0, width
        assert room["after_code"] >= 0, width
        assert room["below_code"] >= 0, width
