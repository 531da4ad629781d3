"""Take the screenshots in docs/pictures from a real site.

    make screenshots

It starts a separate site on a temporary database, which `scripts.sample` fills.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from scripts.chromium import ensure, launch_flags
from scripts.sample import Sample, made_in
from tests.support.servers import ROOT, Site, manage, sqlite_url

PICTURES = ROOT / "docs" / "pictures"
QUALITY = 84  # of JPEG, 0 to 100
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
SETTLED_MS = 900
"""Milliseconds to wait for a page's fonts, its socket and its first animations."""
COOKIE = "sessionid"


@dataclass(frozen=True)
class Shot:
    """One screenshot: its file name, page, window size, colour scheme, player and actions."""

    name: str
    path: str
    window: dict[str, int]
    colours: str = "light"
    as_margery: bool = True
    does: Callable[[Page], None] | None = None


def plays_last_card(page: Page) -> None:
    """Play the only card of the hand, and wait until a hand has been counted."""
    page.locator(".hand-card").click()
    page.locator("#primary").click()
    page.locator(".show .total").first.wait_for()


def picks_cards(page: Page) -> None:
    """Select the first card that may be played."""
    page.locator(".hand-card:not([aria-disabled])").first.click()


def goes_back_to_the_show(page: Page) -> None:
    """Step back from the first card of a hand to the show of the previous one."""
    page.keyboard.press("ArrowLeft")


def shots(made: Sample) -> list[Shot]:
    """Return all screenshots."""
    table, three = f"/t/{made.running}/", f"/t/{made.three}/"
    match = f"/matches/{made.finished}/"
    traveller = f"/standard/{made.standard}/"
    return [
        Shot("landing", "/", DESKTOP, as_margery=False),
        Shot("landing-dark", "/", DESKTOP, "dark", as_margery=False),
        Shot("landing-phone", "/", PHONE, as_margery=False),
        Shot("table", table, DESKTOP, does=picks_cards),
        Shot("table-dark", table, DESKTOP, "dark"),
        Shot("table-phone", table, PHONE, does=picks_cards),
        Shot("table-phone-dark", table, PHONE, "dark"),
        Shot("table-three", three, DESKTOP),
        Shot("show", f"/t/{made.show}/?pace=tap", DESKTOP, does=plays_last_card),
        Shot("lobby", "/lobby/", DESKTOP),
        Shot("match", match, DESKTOP),
        Shot("replay", f"{match}1.4/", DESKTOP, does=goes_back_to_the_show),
        Shot("review", f"{match}review/", DESKTOP),
        Shot("ranked", "/ranked/", DESKTOP),
        Shot("traveller", traveller, DESKTOP),
        Shot("traveller-phone", traveller, PHONE, "dark"),
        Shot("leaderboard", "/ratings/", DESKTOP),
        Shot("rules", "/rules/#show", DESKTOP),
    ]


def take(browser: Browser, site: Site, made: Sample) -> None:
    """Take all screenshots."""
    for shot in shots(made):
        context = browser.new_context(viewport=shot.window, color_scheme=shot.colours)  # type: ignore[arg-type]
        if shot.as_margery:
            cookie = {"name": COOKIE, "value": made.session, "url": site.url}
            context.add_cookies([cookie])  # type: ignore[list-item]
        page: Page = context.new_page()
        page.goto(site.url + shot.path)
        page.wait_for_timeout(SETTLED_MS)
        if shot.does is not None:
            shot.does(page)
            page.wait_for_timeout(SETTLED_MS)
        file = PICTURES / f"{shot.name}.jpg"
        page.screenshot(path=file, type="jpeg", quality=QUALITY)
        context.close()
        print(f"{file.relative_to(ROOT)}  {file.stat().st_size // 1024} KB", flush=True)


def main() -> int:
    """Fill a database, start a site on it, and take the screenshots."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = sqlite_url(folder)
        manage(url, "migrate", "-v", "0")
        made = made_in(url)
        with Site(folder, database_url=url) as site, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=ensure(), args=launch_flags())
            take(browser, site, made)
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
