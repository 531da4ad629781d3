"""The menus in a browser: by keyboard, without a script, on phones; and times in one's own zone."""

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

from games.bots.ladder import RATINGS
from tests.browser.conftest import OpenPage
from tests.support.accessible import faults, overflow, resize
from tests.support.seat import log_in
from tests.support.servers import Site
from tests.support.tables import make_tables, wish

PHONE = {"width": 360, "height": 640}
HEADER = 64
"""More than the height of a header of one row, less than that of two, in pixels."""

ONE_LINE = """
  [...document.querySelectorAll('.site-tab > span')].filter(label =>
    label.getClientRects().length !== 1
    || label.scrollWidth > label.parentElement.clientWidth
  ).map(label => label.textContent)
"""


CUT_CHOICES = """select => [...select.options].filter(option => {
  const alone = select.cloneNode(false);
  alone.append(option.cloneNode(true));
  Object.assign(alone.style, { inlineSize: 'max-content', maxInlineSize: 'none' });
  select.after(alone);
  const cut = alone.offsetWidth > select.offsetWidth;
  alone.remove();
  return cut;
}).map(option => option.text)"""
"""Returns the choices of a list for which it is too narrow."""


@pytest.fixture
def home(live_site: Site, open_page: OpenPage) -> Page:
    """Open the home of a guest with a running match."""
    table = make_tables(live_site.database_url, wish(computers=(1,)))[0]
    page = open_page("about:blank")
    log_in(page.context, live_site, table.cookies[0])
    page.goto(live_site.url)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Welcome to Cribbage")
    return page


def test_the_home_page_and_an_open_menu_fit_and_are_accessible(home: Page) -> None:
    assert faults(home) == []
    home.get_by_role("navigation", name="Site").get_by_text("Practise", exact=True).click()
    expect(home.get_by_role("link", name="Hand counter").first).to_be_visible()
    assert faults(home) == []


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_the_choice_of_a_computer_is_not_cut_on_a_phone(home: Page, language: str) -> None:
    home.context.set_extra_http_headers({"Accept-Language": language})
    home.reload()
    expect(home.locator("html")).to_have_attribute("lang", language)
    choice = home.locator(".home-level select")
    three = home.locator("input[name=players][value='3']")
    for checked in (False, True):
        if checked:
            three.dispatch_event("click")
        rating = RATINGS[3 if checked else 2]["elsie"].elo
        expect(choice.locator("option").nth(1)).to_contain_text(str(rating))
        for width in (360, 320):
            resize(home, width, 640)
            assert choice.evaluate(CUT_CHOICES) == []


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_the_menus_take_one_row_on_a_phone_in_each_language(
    live_site: Site, open_page: OpenPage, language: str
) -> None:
    page = open_page(f"{live_site.url}/rules/", viewport=PHONE, locale=language)
    expect(page.locator("html")).to_have_attribute("lang", language)
    header = page.locator(".site-header-in").bounding_box()
    assert header is not None and header["height"] < HEADER
    assert page.evaluate(ONE_LINE) == []
    assert overflow(page) <= 0


def test_a_long_name_is_whole_on_a_phone_and_the_footer_opens_by_keyboard_without_scripts(
    live_site: Site, open_page: OpenPage
) -> None:
    long = wish(names=("Bartholomew-Fitzgerald",), computers=(1,))
    table, other = make_tables(live_site.database_url, long, wish(computers=(1,)))
    page = open_page("about:blank", viewport=PHONE, java_script_enabled=False)
    log_in(page.context, live_site, other.cookies[0])
    page.goto(f"{live_site.url}/rules/")
    width = page.locator(".site-name span").evaluate("e => e.clientWidth")
    assert width > 1, "beside a guest's name there is room for the site's"
    log_in(page.context, live_site, table.cookies[0])
    page.goto(f"{live_site.url}/rules/")
    name = page.locator(".who-name")
    expect(name).to_have_text("Bartholomew-Fitzgerald")
    assert name.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight")
    privacy = page.get_by_role("contentinfo").get_by_role("link", name="Privacy")
    expect(privacy).to_be_hidden()
    page.get_by_role("contentinfo").get_by_text("All pages").press("Enter")
    expect(privacy).to_be_visible()


def test_a_menu_opens_and_closes_by_keyboard(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{live_site.url}/rules/", viewport={"width": 1280, "height": 800})
    menu = page.locator("summary", has_text="People")
    menu.focus()
    page.keyboard.press("Enter")
    clubs = page.get_by_role("banner").get_by_role("link", name="Clubs")
    expect(clubs).to_be_visible()
    page.keyboard.press("Escape")
    expect(clubs).to_be_hidden()
    expect(menu).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/clubs/$"))


def test_a_second_menu_closes_the_first(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{live_site.url}/rules/", viewport={"width": 1280, "height": 800})
    page.locator("summary", has_text="People").click()
    page.locator("summary", has_text="Practise").click()
    expect(page.locator("details.menu[open]")).to_have_count(1)
    page.mouse.click(5, 700)  # beside the menu, which is wide
    expect(page.locator("details.menu[open]")).to_have_count(0)


def test_menus_work_without_a_script(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{live_site.url}/rules/", viewport=PHONE, java_script_enabled=False)
    page.locator("summary", has_text="Practise").click()
    page.get_by_role("banner").get_by_role("link", name="Discard helper").click()
    page.wait_for_url(re.compile(r"/discards/$"))


def test_a_host_gives_their_name_and_is_called_back(live_site: Site, open_page: OpenPage) -> None:
    host = open_page(live_site.url, worker=True)
    host.get_by_role("button", name="Invite a friend").click()
    host.get_by_label("Your name on the invitation").fill("x")
    host.get_by_role("button", name="Save name").click()
    expect(host.get_by_text("Use 2 to 20 characters.")).to_be_visible()
    host.get_by_label("Your name on the invitation").fill("Ann Host")
    host.get_by_role("button", name="Save name").press("Enter")
    expect(host.get_by_role("button", name="Saved")).to_be_focused()
    friend = open_page(host.get_by_label("Send this link to a friend").input_value(), worker=True)
    expect(friend.get_by_role("heading", level=1)).to_contain_text("Ann Host invites you")
    friend.get_by_label("Your name at the table").fill("Tom Friend")
    friend.get_by_role("button", name="Sit down").click()
    expect(host).to_have_title(re.compile(r"^●"))


def test_a_player_in_new_york_sees_their_own_time(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(
        f"{live_site.url}/accounts/signup/", timezone_id="America/New_York", locale="en-GB"
    )
    page.get_by_label("Name", exact=False).first.fill("Nora York")
    page.get_by_label("Password").fill("fifteen-two-4")
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator(".who")).to_contain_text("Nora York")
    page.goto(f"{live_site.url}/account/browsers/")
    shown = page.locator("main time").first
    expect(shown).to_have_attribute("title", re.compile(r", \d\d:\d\d UTC$"))
    moment = datetime.fromisoformat(shown.get_attribute("datetime") or "")
    assert abs((datetime.now(UTC) - moment).total_seconds()) < 24 * 3600
    hour = moment.astimezone(UTC).hour
    said = re.search(r"(\d\d?):\d\d", shown.inner_text())
    assert said is not None and (hour - int(said.group(1))) % 24 in {4, 5}
