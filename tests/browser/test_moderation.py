"""From a report at the table to a granted appeal, by four people with phones."""

from __future__ import annotations

import json
import os
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import SIZES, complaints, overflow, resize
from tests.support.seat import log_in
from tests.support.servers import Site, manage

pytestmark = pytest.mark.slow

PHONE = {"width": 390, "height": 844}
PASSWORD = "fifteen-two-4"

PEOPLE = f"""
import json
from datetime import timedelta
from django.contrib.auth.models import Permission
from django.utils import timezone
from games.engine.state import Ruleset
from games.models import ChatLine, Match, Player
from games.tables.tables import create_match, join_match
from ratings.matchmaking.linked_accounts import record_device
from tests.support.sessions import session_of
make = Player.objects.create_user
ann, bob = make("Annika"), make("Bobbit", password="{PASSWORD}")
mo, max_ = (make(name, is_staff=True) for name in ("Moderna", "Maximus"))
for each in (mo, max_):
    each.user_permissions.set(Permission.objects.filter(codename="add_moderationentry"))
for each in (bob, make("Bobbits sister")):
    record_device(player=each, token="t")
match = create_match(creator=ann, ruleset=Ruleset())
join_match(player=bob, invite=match.invite)
ChatLine.objects.create(match=match, author=bob, text="You play like a turnip", client_id="a")
print(json.dumps([match.public_id, *map(session_of, (ann, bob, mo, max_))]))
"""


def check(page: Page, name: str) -> None:
    """Check that a page fits and is accessible at every size, in light and dark."""
    page.wait_for_load_state()
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    found = []
    for size, (width, height) in SIZES.items():
        resize(page, width, height)
        if (wider := overflow(page)) > 0:
            found.append(f"{size}: {wider} px sideways")
        if os.environ.get("PICTURES"):
            take_pictures(page, f"{os.environ['PICTURES']}/{name}", size)
    found += complaints(page)
    page.emulate_media(color_scheme="dark")
    found += complaints(page, colours_only=True)
    page.emulate_media(color_scheme="light")
    resize(page, PHONE["width"], PHONE["height"])
    # Open menus would cover what is clicked next.
    page.evaluate("document.querySelectorAll('header details').forEach(each => each.open = false)")
    assert not found


def take_pictures(page: Page, name: str, size: str) -> None:
    """Take a picture of the whole page in dark and in light."""
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=f"{name}-dark-{size}.png", full_page=True)
    page.emulate_media(color_scheme="light")
    page.screenshot(path=f"{name}-light-{size}.png", full_page=True)


def fill_in_and_log_in(page: Page) -> None:
    """Fill in and send the form."""
    page.get_by_label("Name or email").fill("Bobbit")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()


def close_account(page: Page) -> None:
    """Close the account of a case for three days, with a prepared reason and own words."""
    page.get_by_label("Action", exact=True).select_option(label="Close the account")
    page.get_by_label("For how long").select_option(label="3 days")
    page.get_by_label("Reason", exact=True).select_option(index=1)
    page.get_by_label("Your words").fill("Turnips are vegetables.")
    page.get_by_role("button", name="Take action").click()


def report_from_chat(page: Page) -> Page:
    """Report the other player from the chat at the table; return the report's page."""
    page.get_by_role("button", name=re.compile("^Chat")).click()
    expect(page.get_by_text("You play like a turnip")).to_be_visible()
    page.get_by_text("Mute, block or turn off").click()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Report").click()
    check(opened.value, "report")
    send_report(opened.value)
    return opened.value


def send_report(page: Page) -> None:
    """Fill in and send the form of a report."""
    page.get_by_label("What happened?").fill("Please read the chat.")
    page.get_by_role("button", name="Send the report").click()
    expect(page.get_by_role("status").first).to_contain_text("moderators")


def read_message(page: Page, words: str) -> None:
    """Open the moderators' message by its notice, and find these words."""
    page.get_by_role("link", name="You have a message from the moderators").click()
    expect(page.get_by_text(words).first).to_be_visible()


def test_a_report_leads_to_an_action_an_appeal_and_answers(
    live_site: Site, open_page: OpenPage
) -> None:
    match, *sessions = json.loads(manage(live_site.database_url, "shell", "-v", "0", "-c", PEOPLE))

    def phone(session: str, path: str) -> Page:
        page = open_page("about:blank", viewport=PHONE)
        log_in(page.context, live_site, session)
        page.goto(live_site.url + path)
        return page

    ann = report_from_chat(phone(sessions[0], f"/t/{match}/"))

    mo = phone(sessions[2], "/")
    mo.locator(".who").click()
    mo.get_by_role("link", name="Moderation").click()
    check(mo, "queue")
    mo.get_by_role("link", name="Bobbit").click()
    mo.wait_for_load_state()
    expect(mo.get_by_text("turnip")).to_have_count(0)
    mo.get_by_role("button", name="Look anyway").click()
    expect(mo.get_by_text("turnip")).to_be_visible()
    expect(mo.get_by_text("Please read the chat.")).to_be_visible()
    check(mo, "case")
    close_account(mo)
    expect(mo.get_by_text("Done. The player sees a message.")).to_be_visible()
    expect(mo.get_by_role("button", name="Grant the appeal")).to_have_count(0)

    bob = open_page(f"{live_site.url}/accounts/login/", viewport=PHONE)
    fill_in_and_log_in(bob)
    expect(bob.get_by_text("Turnips are vegetables.")).to_be_visible()
    bob.get_by_text("Appeal", exact=True).click()
    bob.get_by_label("Why should this decision change?").fill("My brother wrote that. Sorry!")
    check(bob, "closed")
    bob.get_by_role("button", name="Send the appeal").click()
    expect(bob.get_by_text("A moderator will reply here.")).to_be_visible()

    mo.reload()
    expect(mo.get_by_text("This was your decision, so another moderator replies.")).to_be_visible()
    max_ = phone(sessions[3], "/moderation/")
    max_.get_by_role("link", name="Bobbit").click()
    max_.wait_for_load_state()
    expect(max_.get_by_text("My brother wrote that.")).to_have_count(0)
    max_.get_by_role("button", name="Look anyway").click()
    expect(max_.get_by_text("My brother wrote that.")).to_be_visible()
    max_.get_by_label("Reply").fill("Welcome back. Keep an eye on your phone.")
    check(max_, "appeal")
    max_.get_by_role("button", name="Grant the appeal").click()
    expect(max_.get_by_text("Reply sent.")).to_be_visible()
    max_.get_by_role("link", name="Log", exact=True).click()
    expect(max_.get_by_text("Account opened again")).to_be_visible()
    check(max_, "log")

    bob.goto(f"{live_site.url}/accounts/login/")
    fill_in_and_log_in(bob)
    read_message(bob, "Keep an eye on your phone.")
    check(bob, "decisions")

    ann.reload()
    read_message(ann, "We acted.")
