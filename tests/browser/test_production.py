"""The site under production settings: hashed files, secure cookies, and still playable."""

from pathlib import Path

from playwright.sync_api import Response, expect

from games import bundles
from tests.browser.conftest import OpenPage
from tests.servers import StartSite, manage, sqlite_url

PRODUCTION = {
    "SITE_MODE": "production",
    "SECRET_KEY": "a-key-of-this-test-alone-that-is-long-enough-to-please-the-check-0123456789",
    "ALLOWED_HOSTS": "localhost,127.0.0.1",
    # The browser trusts this machine without TLS, for cookies that ask for it too.
    "SSL_REDIRECT": "0",
    "HSTS_SECONDS": "0",
}


def test_a_table_opens_from_hashed_files(
    start_site: StartSite, open_page: OpenPage, tmp_path: Path
) -> None:
    production = {**PRODUCTION, "STATIC_ROOT": str(tmp_path / "static")}
    manage(sqlite_url(tmp_path), "collectstatic", "--noinput", "-v", "0", extra=production)
    site = start_site(extra=production)
    page = open_page("about:blank")
    answers: list[Response] = []
    # Playwright keeps its own mark on a handler, which a built-in cannot bear.
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108
    page.goto(f"http://localhost:{site.port}/")
    page.get_by_role("button", name="Play the computer").first.click()
    page.wait_for_url("**/t/**")
    # The cards come through the socket, so that origin and cookies are right, too; the modules
    # come as the bundle, if it is made of these sources (`make check-bundle` asks for that).
    expect(page.get_by_role("button", name="of hearts").or_(
        page.get_by_role("button", name="of spades")
    ).first).to_be_visible()  # fmt: skip

    failed = [f"{answer.status} {answer.url}" for answer in answers if answer.status >= 400]
    assert failed == []
    static = [answer for answer in answers if "/static/" in answer.url]
    assert static
    bundle = bundles.fresh_bundles().get("js/table.js") or bundles.Loaded("js/table.js")
    entry = bundle.file.removesuffix(".js")
    assert any(f"/static/{entry}." in answer.url for answer in static), "the page has its bundle"
    slow = [answer.url for answer in static if "immutable" not in answer.headers["cache-control"]]
    assert slow == [], "these are fetched again on each visit"
    cookies = page.context.cookies()
    assert {cookie["name"] for cookie in cookies} == {"__Host-session", "__Host-csrf"}
    assert all(cookie["secure"] for cookie in cookies)
