"""Pages of tournaments that show changes by themselves, and leave the reader where they are."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.support.seat import log_in
from tests.support.seated import run_script
from tests.support.servers import Site
from tests.support.waiting import wait_for

_MAKE = """
import json, sys
import django
django.setup()
from datetime import timedelta
from django.utils import timezone
from games.models import Player
from ratings.events import events
from tests.support.sessions import session_of

ann = Player.objects.create_user(json.load(sys.stdin))
begins = timezone.now() + timedelta(hours=1)
plan = events.Plan(title="Cup", format="swiss", starts_at=begins, entry="link")
cup = events.plan(by=ann, plan=plan)
events.join(event=cup, player=ann, token=cup.token)
print(json.dumps([cup.public_id, session_of(ann)]))
"""

_JOIN = """
import json, sys
import django
django.setup()
from games.models import Player
from ratings.events import events
from ratings.models import Event
name, cup = json.load(sys.stdin)
event = Event.objects.get(public_id=cup)
events.join(event=event, player=Player.objects.create_user(name), token=event.token)
print("null")
"""


class Cup:
    """A planned tournament and its organiser's page, who takes part."""

    def __init__(self, site: Site, page: Page, name: str) -> None:
        self.site = site
        self.name = name
        self.page = page
        self.event, cookie = run_script(site.database_url, _MAKE, name, {})
        log_in(page.context, site, cookie)

    def show(self, part: str = "") -> Page:
        """Open the tournament's page, or the organiser's board."""
        self.page.goto(f"{self.site.url}/tournaments/{self.event}/{part}")
        return self.page

    def join(self) -> None:
        """Have somebody else join."""
        run_script(self.site.database_url, _JOIN, [f"{self.name} two", self.event], {})


def test_the_board_goes_on_after_something_was_opened_and_closed(
    live_site: Site, open_page: OpenPage
) -> None:
    cup = Cup(live_site, open_page("about:blank"), "Oskar")
    page = cup.show("board/")
    end = page.get_by_text("Cancel the tournament")
    end.click()
    expect(page.get_by_role("button", name="Cancel it now")).to_be_visible()
    end.click()
    cup.join()
    expect(page.get_by_text("2 players are here.")).to_be_visible()
    expect(page.locator(".board-end summary")).to_be_focused()


def test_the_focus_stays_where_it_is_when_a_tournament_changes(
    live_site: Site, open_page: OpenPage
) -> None:
    cup = Cup(live_site, open_page("about:blank"), "Paula")
    page = cup.show()
    own = page.locator("[data-live]").get_by_role("link", name="Paula", exact=True)
    own.focus()
    cup.join()
    expect(page.get_by_text("2 players have joined.")).to_be_visible()
    expect(own).to_be_focused()


def test_an_invitation_is_selected_where_the_browser_refuses_to_copy_it(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page("about:blank")
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new DOMException())")
    cup = Cup(live_site, page, "Quirin")
    cup.show()
    link = page.locator("[data-copy-from]")
    page.get_by_role("button", name="Copy", exact=True).click()
    wait_for(lambda: page.evaluate("String(getSelection()).trim()") == link.inner_text())
    expect(page.locator("[data-copied]")).to_be_hidden()
