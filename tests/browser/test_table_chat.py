"""The chat in two browsers; and a friend who is asked to a table wherever he is."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.seat import complaints, sit
from tests.games.tables import make_tables, wish
from tests.servers import Site, manage

pytestmark = pytest.mark.slow

PHONE = {"width": 360, "height": 640}
MARKUP = '<img src=x onerror="document.title=1"><b>bold</b> & "quotes"'

FRIENDS = """
import json
from django.test import Client
from games.models import Player
from games.services import create_match, friends
from games.engine.state import Ruleset
def session_of(player):
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return client.cookies["sessionid"].value
ann, bob = (Player.objects.create_user(name) for name in ("Anneliese", "Bobby"))
friends.ask(player=ann, other=bob)
friends.accept(player=bob, other=ann)
match = create_match(creator=ann, ruleset=Ruleset())
print(json.dumps([match.public_id, session_of(ann), session_of(bob)]))
"""


def test_two_people_write_to_each_other_and_markup_stays_text(
    live_site: Site, open_page: OpenPage
) -> None:
    (table,) = make_tables(live_site.database_url, wish())
    ann = sit(live_site, open_page, table, 0).page
    bob = sit(live_site, open_page, table, 1, viewport=PHONE).page
    loaded: list[str] = []
    bob.on("request", lambda request: loaded.append(request.url))

    ann.get_by_role("button", name="Chat").click()
    box = ann.get_by_label("Write to the others at the table")
    expect(box).to_be_focused()
    box.fill(MARKUP)
    box.press("Enter")
    # Quiet on the other side: a mark, a notice and a word, and nothing over the hand.
    door = bob.get_by_role("button", name="Chat, 1 new line")
    expect(door).to_be_visible()
    expect(bob.locator(".notice")).to_contain_text("<img src=x")
    expect(bob.locator("[role=log]")).to_contain_text("<b>bold</b>")
    assert bob.evaluate("document.activeElement === document.body")
    assert any("chat.js" in url for url in loaded), "it comes when it is needed"
    door.click()
    line = bob.locator(".chat-lines bdi")
    expect(line).to_have_text(MARKUP)
    assert bob.locator(".chat-lines :is(img, bdi b)").count() == 0
    expect(bob.get_by_role("button", name="Chat", exact=True)).to_be_visible()
    assert _bottom(bob, ".chat") <= _top(bob, ".hand")
    assert bob.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert not complaints(bob)

    bob.get_by_role("button", name="Phrases").click()
    bob.get_by_role("button", name="Thank you").click()
    expect(bob.locator(".chat")).to_have_count(0)
    expect(ann.locator(".chat-lines")).to_contain_text("Thank you")

    ann.get_by_text("Mute, block, switch off").click()
    ann.get_by_role("button", name="Mute", exact=True).click()
    expect(ann.get_by_role("button", name="Read again")).to_be_visible()
    expect(ann.locator(".chat-lines")).not_to_contain_text("Thank you")
    ann.get_by_role("button", name="Switch my chat off").click()
    bob.get_by_role("button", name="Chat", exact=True).click()
    expect(bob.locator(".chat")).to_contain_text("has switched the chat off")
    ann.reload()
    ann.get_by_role("button", name="Chat").click()
    expect(ann.locator(".chat")).to_contain_text("Your chat is off")
    assert not complaints(ann)
    ann.keyboard.press("Escape")
    expect(ann.locator("#chat-door")).to_be_focused()


def _bottom(page: Page, what: str) -> float:
    return float(page.locator(what).evaluate("node => node.getBoundingClientRect().bottom"))


def _top(page: Page, what: str) -> float:
    return float(page.locator(what).evaluate("node => node.getBoundingClientRect().top"))


def test_a_friend_is_asked_from_the_waiting_table_wherever_he_is(
    live_site: Site, open_page: OpenPage
) -> None:
    match, *cookies = json.loads(manage(live_site.database_url, "shell", "-v", "0", "-c", FRIENDS))
    ann, bob = (open_page(f"{live_site.url}/rules/") for _ in cookies)
    for page, cookie in zip((ann, bob), cookies, strict=True):
        page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_site.url}])
    bob.reload()
    ann.goto(f"{live_site.url}/t/{match}/")
    ann.get_by_role("button", name="Invite Bobby").click()
    expect(ann.locator(".friends-here")).to_contain_text("asked…")
    notice = bob.locator(".asked-row")
    expect(notice).to_contain_text("Anneliese asks you to a table")
    assert not complaints(bob)
    notice.get_by_role("link", name="Sit down").click()
    bob.get_by_role("button", name="Sit down").click()
    bob.wait_for_url(f"**/t/{match}/**")
    expect(ann.locator(".table-page")).to_have_attribute("data-status", "playing")
