"""A table whose player was logged out elsewhere: it says so, and leads back through the log-in."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import OpenPage
from tests.browser.test_ranked import sign_up
from tests.support.data_servers import Redis
from tests.support.seat import sit
from tests.support.servers import Site, StartSite, manage
from tests.support.tables import make_tables, wish

PASSWORD, OTHER_PASSWORD = "fifteen-two-4", "fifteen-six-12"
ON_THE_LINE = re.compile(r"/ws/t/")
ACCOUNT = f"""
from games.models import Player
Player.objects.create_user("Margery", password="{PASSWORD}")
"""


@pytest.fixture
def two_processes(start_site: StartSite, redis_url: str) -> tuple[Site, Site]:
    """Run two processes of one site."""
    first = start_site(redis_url=redis_url)
    return first, start_site(database_url=first.database_url, redis_url=redis_url)


def log_in(page: Page, name: str, password: str) -> None:
    page.get_by_label("Name or email").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in", exact=True).click()


def log_out_offline(page: Page) -> None:
    """Let the browser lose the connection, and its login while it has none."""
    held: list[WebSocketRoute] = []

    def line_of(line: WebSocketRoute) -> None:
        line.connect_to_server()
        held.append(line)

    page.route_web_socket(ON_THE_LINE, line_of)
    page.reload()
    expect(page.locator(".table-page")).to_be_visible()
    page.context.clear_cookies(name="sessionid")  # as if the session had ended meanwhile
    held[-1].close(code=1011)


def at_a_table(site: Site, open_page: OpenPage) -> tuple[Page, str]:
    """Open a table against a computer as a new account; return the page and the account's name."""
    page = open_page(f"{site.url}/accounts/signup/", worker=True)
    name = sign_up(page)
    page.goto(site.url)
    page.get_by_role("button", name="Play the computer").first.click()
    expect(page.locator(".table-page")).to_be_visible()
    return page, name


def returns(page: Page, name: str, password: str, address: str) -> None:
    """Follow the link of the logged-out table, log in, and be at the same table."""
    card = page.get_by_role("alert").filter(has_text="You're logged out")
    expect(card).to_be_visible()
    expect(page).not_to_have_title(re.compile("Your turn"))
    card.get_by_role("link", name="Log in").click()
    log_in(page, name, password)
    expect(page.locator(".table-page")).to_be_visible()
    assert page.url == address


def test_a_table_leads_back_after_the_password_was_changed_in_another_browser(
    two_processes: tuple[Site, Site], open_page: OpenPage
) -> None:
    here, there = two_processes
    page, name = at_a_table(here, open_page)
    address = page.url

    other = open_page(f"{there.url}/accounts/login/", worker=True)
    log_in(other, name, PASSWORD)
    expect(other.locator(".who")).to_contain_text(name)
    other.goto(f"{there.url}/accounts/password/change/")
    other.get_by_label("Current password").fill(PASSWORD)
    other.get_by_label("New password", exact=True).fill(OTHER_PASSWORD)
    other.get_by_label("New password again").fill(OTHER_PASSWORD)
    other.locator("main form").get_by_role("button").last.click()

    returns(page, name, OTHER_PASSWORD, address)


def test_a_player_who_was_logged_out_while_offline_is_not_told_that_the_table_is_private(
    live_site: Site, open_page: OpenPage
) -> None:
    page, name = at_a_table(live_site, open_page)
    address = page.url
    log_out_offline(page)
    returns(page, name, PASSWORD, address)


def test_a_player_who_was_logged_out_while_offline_does_not_become_a_watcher(
    live_site: Site, open_page: OpenPage
) -> None:
    """Where anyone may watch, they are let in as a visitor."""
    (table,) = make_tables(live_site.database_url, wish(watchable=True))
    page = sit(live_site, open_page, table, 0).page
    log_out_offline(page)
    expect(page.get_by_role("alert").filter(has_text="You're logged out")).to_be_visible()


def test_a_visitor_of_a_private_table_is_told_so(live_site: Site, open_page: OpenPage) -> None:
    """They have no seat there, so that logging in again would be no help."""
    (table,) = make_tables(live_site.database_url, wish())
    page = open_page(f"{live_site.url}/t/{table.match}/")
    expect(page.locator("main")).to_contain_text("If you played in it, log in.")
    assert f"next=/t/{table.match}/" in (
        page.get_by_role("link", name="Log in").first.get_attribute("href") or ""
    )


@pytest.mark.parametrize("watchable", [False, True])
def test_a_guest_who_logs_in_in_another_tab_while_redis_is_away_keeps_the_table(
    start_site: StartSite, redis_server: Redis, open_page: OpenPage, watchable: bool
) -> None:
    """The table's process hears nothing of it, and finds the guest's session over."""
    here = start_site(redis_url=redis_server.url)
    there = start_site(database_url=here.database_url, redis_url=redis_server.url)
    manage(here.database_url, "shell", "-v", "0", "-c", ACCOUNT)
    (table,) = make_tables(here.database_url, wish(watchable=watchable))
    page = sit(here, open_page, table, 0).page
    redis_server.kill()

    other = page.context.new_page()
    other.goto(f"{there.url}/accounts/login/")
    log_in(other, "Margery", PASSWORD)
    expect(other.locator(".who")).to_contain_text("Margery")

    with page.expect_websocket(lambda line: bool(ON_THE_LINE.search(line.url))):
        redis_server.start()
    expect(page.locator('.table-page[data-conn="open"]')).to_be_visible()
    expect(page.locator(".hand-card")).to_have_count(6)
