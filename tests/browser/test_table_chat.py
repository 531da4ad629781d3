"""Chat in two browsers, and inviting a friend who is on any page."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import complaints
from tests.support.seat import log_in, sit
from tests.support.servers import Site, manage
from tests.support.tables import make_tables, wish

pytestmark = pytest.mark.slow

CHAT = re.compile(r"/chat_panel[^/]*\.js$")
"""The module of the chat, or its bundle."""

PHONE = {"width": 360, "height": 640}
MARKUP = '<img src=x onerror="document.title=1"><b>bold</b> & "quotes"'

FRIENDS = """
import json
from games.models import Player
from games.people import friendships
from games.tables.tables import create_match
from games.engine.state import Ruleset
from tests.support.sessions import session_of
ann, bob = (Player.objects.create_user(name) for name in ("Anneliese", "Bobby"))
friendships.ask(player=ann, other=bob)
friendships.accept(player=bob, other=ann)
match = create_match(creator=ann, ruleset=Ruleset())
print(json.dumps([match.public_id, session_of(ann), session_of(bob)]))
"""


def test_the_choices_after_a_match_are_reached_by_touch_beside_the_open_chat(
    live_site: Site, open_page: OpenPage
) -> None:
    (table,) = make_tables(live_site.database_url, wish())
    ann = sit(live_site, open_page, table, 0).page
    bob = sit(live_site, open_page, table, 1, viewport=PHONE, has_touch=True).page
    ann.get_by_role("button", name="Resign").click()
    ann.get_by_role("dialog").get_by_role("button", name="Resign").click()
    bob.get_by_role("button", name="Chat").tap()
    expect(bob.locator(".chat")).to_be_visible()
    leave = bob.get_by_role("link", name="Leave the table")
    leave.evaluate("link => { scrollTo(0, document.body.scrollHeight); link.focus(); }")
    box, chat = leave.bounding_box(), bob.locator(".chat").bounding_box()
    assert box
    assert chat
    assert box["y"] >= chat["height"], "the focus is not below the chat"
    # Not a tap, which is over before the page is drawn anew.
    bob.get_by_role("button", name="Rematch").hover()
    bob.mouse.down()
    bob.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    bob.mouse.up()
    expect(ann.locator(".result")).to_contain_text("would like a rematch")
    expect(bob.locator(".chat")).to_be_visible()
    assert not complaints(bob)


def test_two_players_chat_and_markup_stays_text(live_site: Site, open_page: OpenPage) -> None:
    (table,) = make_tables(live_site.database_url, wish())
    ann = sit(live_site, open_page, table, 0).page
    bob = sit(live_site, open_page, table, 1, viewport=PHONE).page
    loaded: list[str] = []
    bob.on("request", lambda request: loaded.append(request.url))

    ann.get_by_role("button", name="Chat").click()
    box = ann.get_by_label("Message to the table")
    expect(box).to_be_focused()
    box.fill(MARKUP)
    box.press("Enter")
    # Unobtrusive on the other side: a mark, a notice and an announcement; the hand stays visible.
    door = bob.get_by_role("button", name="Chat, 1 new message")
    expect(door).to_be_visible()
    expect(bob.locator(".notice")).to_contain_text("<img src=x")
    expect(bob.locator("[role=log]")).to_contain_text("<b>bold</b>")
    assert bob.evaluate("document.activeElement === document.body")
    assert any(CHAT.search(url) for url in loaded), "the module loads on demand"
    door.click()
    line = bob.locator(".chat-lines bdi")
    expect(line).to_have_text(MARKUP)
    assert bob.locator(".chat-lines :is(img, bdi b)").count() == 0
    expect(bob.get_by_role("button", name="Chat", exact=True)).to_be_visible()
    assert _bottom(bob, ".chat") <= _top(bob, ".hand")
    assert bob.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert not complaints(bob)

    _say_phrases(bob, ann)
    box.fill("You too")
    ann.get_by_role("button", name="Send").press("Enter")
    expect(ann.get_by_role("button", name="Send")).to_be_focused()

    ann.get_by_text("Mute, block or turn off").click()
    ann.get_by_role("button", name="Mute", exact=True).click()
    expect(ann.get_by_role("button", name="Unmute")).to_be_visible()
    expect(ann.locator(".chat-lines")).not_to_contain_text("Thank you")
    ann.get_by_role("button", name="Turn off chat everywhere").click()
    bob.get_by_role("button", name="Chat").click()
    expect(bob.locator(".chat")).to_contain_text("turned chat off")
    ann.reload()
    ann.get_by_role("button", name="Chat").click()
    expect(ann.locator(".chat")).to_contain_text("Your chat is off")
    assert not complaints(ann)
    ann.keyboard.press("Escape")
    expect(ann.locator("#chat-button")).to_be_focused()


def _say_phrases(bob: Page, ann: Page) -> None:
    """Say two phrases on a phone, and turn to the table.

    One that came under the finger is not said; a double tap says a phrase once.
    """
    phrases, lines = bob.locator(".chat-phrases"), ann.locator(".chat-lines")
    bob.evaluate("performance.now = () => 1000")
    bob.get_by_role("button", name="Phrases").click()
    phrases.get_by_role("button", name="Hello!").click()
    bob.evaluate("performance.now = () => 2000")
    bob.get_by_role("button", name="Good luck").dblclick()
    bob.get_by_role("button", name="Thank you").click()
    expect(lines).to_contain_text("Thank you")
    expect(lines).not_to_contain_text("Hello!")
    expect(lines.get_by_text("Good luck")).to_have_count(1)
    card = bob.locator(".hand-card").first
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(bob.locator(".chat")).to_have_count(0)


def test_a_chat_that_did_not_load_opens_at_the_next_click(
    live_site: Site, open_page: OpenPage
) -> None:
    """The connection may be lost just then."""
    (table,) = make_tables(live_site.database_url, wish())
    page = sit(live_site, open_page, table, 0).page
    page.route(CHAT, lambda route: route.abort())
    page.get_by_role("button", name="Chat").click()
    expect(page.locator(".notice")).to_contain_text("Connection lost. Try again.")
    page.unroute(CHAT)
    page.get_by_role("button", name="Chat").click()
    expect(page.get_by_label("Message to the table")).to_be_visible()


def _bottom(page: Page, what: str) -> float:
    return float(page.locator(what).evaluate("node => node.getBoundingClientRect().bottom"))


def _top(page: Page, what: str) -> float:
    return float(page.locator(what).evaluate("node => node.getBoundingClientRect().top"))


def test_a_friend_can_be_invited_to_a_waiting_table_on_any_page(
    live_site: Site, open_page: OpenPage
) -> None:
    match, *cookies = json.loads(manage(live_site.database_url, "shell", "-v", "0", "-c", FRIENDS))
    ann, bob = (open_page("about:blank") for _ in cookies)
    for page, cookie in zip((ann, bob), cookies, strict=True):
        log_in(page.context, live_site, cookie)
    bob.goto(f"{live_site.url}/rules/")
    ann.goto(f"{live_site.url}/t/{match}/")
    ann.get_by_role("button", name="Invite Bobby").click()
    expect(ann.locator(".friends-here")).to_contain_text("invited…")
    notice = bob.locator(".asked-row")
    expect(notice).to_contain_text("Anneliese invites you to a table")
    assert not complaints(bob)
    notice.get_by_role("link", name="Sit down").click()
    bob.get_by_role("button", name="Sit down").click()
    bob.wait_for_url(f"**/t/{match}/**")
    expect(ann.locator(".table-page")).to_have_attribute("data-status", "playing")


def test_a_line_is_sent_although_its_last_letters_are_not_drawn_yet(
    live_site: Site, open_page: OpenPage
) -> None:
    (table,) = make_tables(live_site.database_url, wish())
    ann = sit(live_site, open_page, table, 0).page
    bob = sit(live_site, open_page, table, 1).page
    ann.get_by_role("button", name="Chat").click()
    ann.get_by_label("Message to the table").evaluate(
        """(field) => {
            field.value = "Fifteen two";
            field.dispatchEvent(new InputEvent("input", { bubbles: true }));
            field.form.requestSubmit();
            field.form.requestSubmit();
        }"""
    )
    expect(bob.get_by_role("button", name="Chat, 1 new message")).to_be_visible()
    expect(ann.get_by_label("Message to the table")).to_have_value("")
    expect(ann.get_by_role("list", name="Messages").get_by_text("Fifteen two")).to_have_count(1)
