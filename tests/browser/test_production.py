"""What a page loads: hashed files under production settings, sources on a developer's machine."""

import re
from pathlib import Path

from playwright.sync_api import Response, expect

from games.pages import bundles
from tests.browser.conftest import OpenPage
from tests.support.seat import Seat, is_asked, play_until
from tests.support.servers import PRODUCTION, Site, StartSite

PUBLIC = {
    **PRODUCTION,
    # The browser treats localhost as secure without TLS, even for Secure cookies.
    "SSL_REDIRECT": "0",
    "HSTS_SECONDS": "0",
}


def test_a_table_works_with_hashed_files_and_secure_cookies(
    start_site: StartSite, open_page: OpenPage, hashed_static: Path
) -> None:
    site = start_site(extra={**PUBLIC, "STATIC_ROOT": str(hashed_static)})
    page = open_page("about:blank", worker=True)
    answers: list[Response] = []
    # Playwright sets an attribute on a handler, which a built-in method does not allow.
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108
    page.goto(f"http://localhost:{site.port}/")
    page.get_by_role("button", name="Play the computer").first.click()
    page.wait_for_url("**/t/**")
    # The cards arrive over the socket, so origin and cookies are right as well; the modules come
    # from the bundle if it was built from these sources (`make check-bundle` checks that).
    card = page.get_by_role("button", name=re.compile("^[a-z]+ of (clubs|diamonds|hearts|spades)"))
    expect(card.first).to_be_visible()

    failed = [f"{answer.status} {answer.url}" for answer in answers if answer.status >= 400]
    assert failed == []
    static = [answer for answer in answers if "/static/" in answer.url]
    assert static
    bundle = bundles.fresh_bundles().get("js/table/main.js") or bundles.Loaded("js/table/main.js")
    entry = bundle.file.removesuffix(".js")
    assert any(f"/static/{entry}." in answer.url for answer in static), "the page loads its bundle"
    slow = [answer.url for answer in static if "immutable" not in answer.headers["cache-control"]]
    assert slow == [], "these are fetched again on each visit"
    cookies = page.context.cookies()
    assert {cookie["name"] for cookie in cookies} == {"__Host-session", "__Host-csrf"}
    assert all(cookie["secure"] for cookie in cookies)


def test_a_table_opens_from_its_sources(start_site: StartSite, open_page: OpenPage) -> None:
    """As with `make run`; the other tests of this folder load the bundles."""
    site = start_site(extra={"BUNDLES": "0"})
    page = open_page("about:blank", worker=True)
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108
    page.goto(site.url)
    page.get_by_role("button", name="Play the computer").first.click()
    seat = Seat.at_once(page)
    play_until([seat], is_asked([seat], "play"))

    assert [f"{answer.status} {answer.url}" for answer in answers if answer.status >= 400] == []
    loaded = {answer.url.removeprefix(f"{site.url}/static/") for answer in answers}
    ages = {answer.headers["cache-control"] for answer in answers if "/static/" in answer.url}
    assert ages == {"max-age=0, public"}, "a changed source shows on the next page"
    assert {"js/table/main.js", *bundles.graph_of("js/table/main.js")} <= loaded
    assert set(bundles.sheets_of("css/table.css")) <= loaded


def test_the_next_page_asks_for_no_bundle_again(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{live_site.url}/clubs/")
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108
    page.goto(f"{live_site.url}/lobby/")
    static = [answer for answer in answers if "/static/" in answer.url]
    assert static
    assert [answer.url for answer in static if answer.status == 304] == []


def test_a_table_opens_on_a_full_device(
    start_site: StartSite, open_page: OpenPage, hashed_static: Path
) -> None:
    """The service worker may then cache no file; the page needs them all the same."""
    site = start_site(extra={**PUBLIC, "STATIC_ROOT": str(hashed_static)})
    origin = f"http://localhost:{site.port}"
    page = open_page(origin, worker=True)
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    full = {"origin": origin, "quotaSize": 1}
    page.context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", full)
    page.get_by_role("button", name="Play the computer").first.click()
    page.wait_for_url("**/t/**")
    page.locator("[data-ask=discard]").wait_for()
