"""Readers whose system asks for less motion: no part of a page slides or fades."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenPage
from tests.support.servers import Site

MOVING = """
() => [...document.querySelectorAll("*")].filter(each =>
  getComputedStyle(each).transitionDuration.split(", ").some(time => time !== "0s")
).map(each => each.tagName + "." + each.className)
"""


@pytest.mark.parametrize("path", ["/", "/count/"])
def test_nothing_slides_for_readers_who_prefer_less_motion(
    live_site: Site, open_page: OpenPage, path: str
) -> None:
    usual = open_page(f"{live_site.url}{path}")
    assert usual.evaluate(MOVING)
    still = open_page(f"{live_site.url}{path}", reduced_motion="reduce")
    assert still.evaluate(MOVING) == []
