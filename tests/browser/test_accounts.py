"""Signing up, logging out and logging in through the pages."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import complaints
from tests.support.servers import Site

PAGES = {
    "/accounts/login/": "Log in",
    "/accounts/signup/": "Sign up",
    "/accounts/password/reset/": "Reset your password",
}


def test_a_person_signs_up_logs_out_and_logs_in(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{live_site.url}/accounts/signup/", worker=True)
    page.get_by_label("Name", exact=False).first.fill("Margery")
    page.get_by_label("Password").fill("fifteen-two-4")
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator(".who")).to_contain_text("Margery")

    page.goto(f"{live_site.url}/accounts/logout/")
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("banner").get_by_role("link", name="Log in")).to_be_visible()

    page.goto(f"{live_site.url}/accounts/login/")
    page.get_by_label("Name or email").fill("margery")
    page.get_by_label("Password").fill("fifteen-two-4")
    page.get_by_role("button", name="Log in").click()
    expect(page.locator(".who")).to_contain_text("Margery")


def test_a_guest_learns_that_their_games_move_to_the_account(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/")
    page.get_by_role("button", name="Play the computer").first.click()
    page.wait_for_url("**/t/**")
    page.goto(f"{live_site.url}/accounts/signup/")
    expect(page.get_by_text("The games you played as a guest stay yours.")).to_be_visible()


@pytest.mark.parametrize(("path", "title"), PAGES.items())
def test_axe_finds_nothing_serious(
    live_site: Site, open_page: OpenPage, path: str, title: str
) -> None:
    page = open_page(f"{live_site.url}{path}")
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    assert complaints(page) == []
