"""The page that turns notifications on, in a browser whose service worker does not start."""

from __future__ import annotations

import base64

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.test_ranked import sign_up
from tests.support.servers import StartSite

KEY = base64.urlsafe_b64encode(bytes(31) + b"\1").decode().rstrip("=")


def test_a_worker_that_is_never_ready_is_explained(
    start_site: StartSite, open_page: OpenPage
) -> None:
    site = start_site(extra={"VAPID_PRIVATE_KEY": KEY})
    page = open_page(f"{site.url}/accounts/signup/")
    sign_up(page)
    page.clock.install()
    page.goto(f"{site.url}/notices/")
    said = page.locator("[data-push-said]")
    expect(said).to_have_text("One moment…")
    page.clock.run_for(10_000)
    expect(said).to_have_text(
        "Notifications don't start in this browser. Reload the page to try again."
    )
    expect(page.locator("[data-push-on]")).to_be_hidden()
