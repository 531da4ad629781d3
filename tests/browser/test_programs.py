"""A person's programs in a browser: creation, token, revocation."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import complaints, overflow
from tests.support.servers import Site


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_program_can_be_added_and_revoked(
    live_site: Site, open_page: OpenPage, width: int, scheme: str
) -> None:
    page = open_page(
        f"{live_site.url}/accounts/signup/",
        viewport={"width": width, "height": 740},
        color_scheme=scheme,
    )
    page.get_by_label("Name", exact=False).first.fill(f"Cynthia {width}")
    page.get_by_label("Password").fill("fifteen-two-4")
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator(".who")).to_contain_text("Cynthia")
    page.goto(f"{live_site.url}/account/")
    page.get_by_role("main").get_by_role("link", name="Programs").click()

    page.get_by_label("Program name").fill(f"Engine {width}")
    page.get_by_role("button", name="Add a program").click()

    token = page.locator(".token")
    expect(token).to_have_text(re.compile(r"^cribbage_[\w-]{43}$"))
    assert complaints(page) == []
    assert overflow(page) <= 0
    page.goto(f"{live_site.url}/programs/")
    expect(token).to_have_count(0)
    expect(page.get_by_text("never connected")).to_be_visible()
    page.get_by_role("button", name=f"Revoke Engine {width}").click()
    expect(page.get_by_text("token revoked", exact=True)).to_be_visible()
    assert complaints(page) == []
