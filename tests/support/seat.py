"""A player at a table in a browser, who does what is asked by mouse or keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect
from playwright.sync_api import Error as PlaywrightError

from tests.browser.conftest import WAIT_MS, OpenPage
from tests.support.seated import Table as RankedTable
from tests.support.servers import Site
from tests.support.tables import Table
from tests.support.waiting import GAME_S

POLL_MS = 100
HEED_MS = 50

STATE = "({...document.querySelector('.table-page').dataset})"
"""The data attributes of the page's table; a locator would ask the page several times for them."""

CHANGED = """most => new Promise(done => {
    const table = document.querySelector('.table-page');
    const watcher = new MutationObserver(finish);
    const late = setTimeout(finish, most);
    function finish() { watcher.disconnect(); clearTimeout(late); done(); }
    watcher.observe(table, { attributes: true });
})"""
"""A promise in the page that resolves once its table tells of another state, or after a while."""

MOVED = """async ([version, most]) => {
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    const table = document.querySelector('.table-page');
    const moved = () => table.dataset.version !== version;
    return moved() || new Promise(done => {
        const watcher = new MutationObserver(() => moved() && finish());
        const late = setTimeout(finish, most);
        function finish() { watcher.disconnect(); clearTimeout(late); done(moved()); }
        watcher.observe(table, { attributeFilter: ['data-version'] });
    });
}"""
"""Draws everything known so far, and waits for another version; whether it came in time."""


class Seat:
    """One page at a table, played at instant pace."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.table = page.locator(".table-page")
        self.hand = page.locator(".hand-card")
        self.picked = page.locator('.hand-card[aria-pressed="true"]')
        self.primary = page.locator("#primary")
        self.table.wait_for()

    @classmethod
    def at_once(cls, page: Page) -> Seat:
        """Return the seat for the table shown, reloaded at instant pace."""
        page.wait_for_url(re.compile(r"/t/\w+/"))
        page.goto(page.url.split("?")[0] + "?pace=instant")
        return cls(page)

    def data(self) -> dict[str, Any]:
        """Return the page's data attributes: ask, own, version, phase, conn, status."""
        try:
            return dict(self.page.evaluate(STATE))
        except PlaywrightError:  # the page is being loaded
            return dict(self.table.evaluate("node => ({...node.dataset})"))

    @property
    def asked(self) -> str:
        """Return the action required of this seat now, "" for none."""
        data = self.data()
        free = data["own"] == "true" and data["conn"] == "open" and data["sending"] == "false"
        return data["ask"] if free else ""

    def scores(self) -> list[int]:
        """Return the scores shown, the player's own first."""
        return [int(text) for text in self.page.locator(".plate-score").all_inner_texts()]

    def act(self) -> None:
        """Perform the required action with the mouse."""
        data = self.data()
        if data["ask"] == "discard":
            for at in range(self.wanted()):
                self.hand.nth(at).click()
        elif data["ask"] == "play":
            self.page.locator(".hand-card:not([aria-disabled])").first.click()
        elif data["ask"] == "claim":
            self.page.locator(".grid .number").nth(4).click()
        self.primary.click()
        self.moved_from(data["version"])

    def act_by_keys(self) -> None:
        """Perform the required action by keyboard only."""
        data = self.data()
        press = self.page.keyboard.press
        if data["ask"] == "discard":
            for number in range(1, self.wanted() + 1):
                press(str(number))
                expect(self.picked).to_have_count(number)
        elif data["ask"] == "play":
            at = self.hand.evaluate_all(
                "cards => cards.findIndex(card => card.ariaDisabled !== 'true')"
            )
            press(str(at + 1))
        elif data["ask"] == "claim":
            self.page.locator(".grid .number").nth(4).press("Enter")
            self.primary.focus()
        press("Enter")
        self.moved_from(data["version"])

    def wanted(self) -> int:
        """Return how many cards must be discarded."""
        found = re.search(r"\d", self.page.locator(".ask").inner_text())
        assert found, "the action bar says how many cards are to be thrown"
        return int(found[0])

    def moved_from(self, version: str) -> None:
        """Wait until the page shows a later state than `version`."""
        # Another seat's discard also raises the version, possibly before the page shows that this
        # seat's move is being sent; only after that is `asked` up to date.
        moved = self.page.evaluate(MOVED, [version, WAIT_MS])
        assert moved, f"nothing came of what was done: {self.shown()}"

    def shown(self) -> list[Any]:
        """Return what the page shows, for an error message when an action had no effect."""
        return [
            self.data(),
            self.page.locator(".actions").inner_text(),
            self.page.locator(".notices").all_inner_texts(),
            self.picked.count(),
            self.page.evaluate("document.activeElement.outerHTML.slice(0, 200)"),
        ]


def heed_until(page: Page, reached: Callable[[], object]) -> None:
    """Hear a page's events until `reached` is true, or fail when it takes too long."""
    end = monotonic() + WAIT_MS / 1000
    while not reached():
        assert monotonic() < end, "what was to come from the page did not come"
        page.wait_for_timeout(HEED_MS)


def play_until(
    seats: Iterable[Seat],
    reached: Callable[[], bool],
    *,
    act: Callable[[Seat], None] = Seat.act_by_keys,
    within_s: float = GAME_S,
) -> None:
    """Let every seat perform its required actions until `reached` is true."""
    seats = list(seats)
    end = monotonic() + within_s
    while not reached():
        assert monotonic() < end, [seat.data() for seat in seats]
        acted = False
        for seat in seats:
            if seat.asked:
                act(seat)
                acted = True
        if not acted:
            seats[0].page.evaluate(CHANGED, POLL_MS)


def is_asked(seats: Iterable[Seat], what: str) -> Callable[[], bool]:
    """Return a condition for `play_until`: one of these seats is asked for `what`."""
    asked = list(seats)
    return lambda: any(seat.asked == what for seat in asked)


def play_out(seats: Iterable[Seat], **options: Any) -> None:
    """Play the match to its end, when every page must show the result."""
    seats = list(seats)
    play_until(seats, lambda: seats[0].data()["ask"] == "over", **options)
    for seat in seats:
        expect(seat.page.locator("[data-result=match]")).to_be_visible()


def log_in(context: BrowserContext, site: Site, session: str) -> None:
    """Give a browser the session of a player."""
    context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])


def sit(
    site: Site, open_page: OpenPage, table: Table | RankedTable, who: int, **options: Any
) -> Seat:
    """Open a table as one of its players or watchers."""
    page = open_page("about:blank", **{"reduced_motion": "reduce", **options})
    log_in(page.context, site, table.cookies[who])
    page.goto(f"{site.url}/t/{table.match}/?pace=instant")
    return Seat(page)
