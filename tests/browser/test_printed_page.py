"""Any page on paper."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.support.servers import Site

INK = "rgb(43, 33, 24)"
"""The colour of text on paper, in light colours."""


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_page_is_printed_in_black_without_the_menus_around_it(
    live_site: Site, open_page: OpenPage, colours: Any
) -> None:
    page = open_page(f"{live_site.url}/learn/", color_scheme=colours)
    title = page.get_by_role("heading", level=1)
    expect(title).not_to_have_css("color", "rgb(0, 0, 0)")
    page.emulate_media(media="print")
    expect(title).to_have_css("color", "rgb(0, 0, 0)")
    for part in (".site-header", ".site-nav", ".site-footer"):
        expect(page.locator(part)).to_be_hidden()
    expect(page.get_by_role("heading", name="Courses")).to_have_css("color", INK)
