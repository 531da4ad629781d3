"""The page that the service worker shows in place of one that could not be loaded."""

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.support.servers import Site


def test_a_page_that_could_not_be_loaded_comes_by_itself_once_there_is_a_connection(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(live_site.url, worker=True)
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.context.set_offline(True)
    page.goto(f"{live_site.url}/rules/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.get_by_role("link", name="Try again")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="How to play cribbage")).to_be_visible()


def test_the_offline_page_does_not_load_itself_again_and_again(
    live_site: Site, open_page: OpenPage
) -> None:
    """At its own address there is nothing else to load."""
    page = open_page("about:blank", worker=True)
    page.clock.install()
    page.goto(f"{live_site.url}/offline/", wait_until="networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    page.clock.run_for(60_000)
    page.evaluate("fetch('/rules/')")
    assert [each.removeprefix("GET ") for each in asked] == [f"{live_site.url}/rules/"]
