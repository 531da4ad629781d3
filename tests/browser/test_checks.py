"""The checks that other tests rely on find what they look for."""

import pytest
from playwright.sync_api import Route

from tests.browser.conftest import OpenPage
from tests.support.accessible import complaints, faults
from tests.support.servers import Site

PAGE = """<!doctype html><html lang="en"><title>Pale</title>
<style>
.phone { display: none }
@media (max-width: 600px) { .phone { display: block } .wide { display: none } }
</style>
<main><h1>Heading</h1><p class="CLASS" style="color: #ccc; background: #fff">Pale</p></main>"""


@pytest.mark.parametrize(
    ("shown", "found"),
    [("wide", ["desktop"]), ("phone", ["phone", "dark"]), ("both", ["desktop", "dark"])],
)
def test_pale_text_is_found_once_at_whatever_size_it_is_shown(
    open_page: OpenPage, shown: str, found: list[str]
) -> None:
    page = open_page("about:blank")
    page.set_content(PAGE.replace("CLASS", shown))
    told = faults(page)
    assert all("color-contrast" in each for each in told)
    assert [each.split(", ")[1].split(":")[0] for each in told] == found


STYLED = """<!doctype html><html lang="en"><title>Pale</title>
<link rel="stylesheet" href="/late.css"><main><h1>Heading</h1><p>Pale</p></main></html>"""


def test_colours_are_looked_at_once_the_style_sheets_have_come(
    live_site: Site, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page("about:blank", service_workers="block")
    loaded = page.wait_for_load_state
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    def come() -> None:
        while not held:
            page.wait_for_timeout(50)
        held.pop().fulfill(body="p { color: #ccc }", content_type="text/css")
        loaded()

    page.route("**/late.css", hold)
    page.route("**/pale", lambda route: route.fulfill(body=STYLED, content_type="text/html"))
    page.goto(f"{live_site.url}/pale", wait_until="commit")
    page.locator("p").wait_for(state="attached")
    # The style sheet comes to who waits for it.
    monkeypatch.setattr(page, "wait_for_load_state", come)
    (told,) = complaints(page)
    assert "color-contrast" in told
