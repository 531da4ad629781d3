"""The lobby and friends' invitations when a connection dies without being closed."""

from __future__ import annotations

import pytest
from playwright.sync_api import WebSocketRoute

from tests.browser.conftest import OpenPage
from tests.browser.test_ranked import sign_up
from tests.support.servers import Site

MINUTES = 3
"""After which the page must have connected again; TCP alone needs a quarter of an hour."""


@pytest.mark.parametrize("path", ["/lobby/", "/rules/"])
def test_a_page_notices_a_dead_connection(live_site: Site, open_page: OpenPage, path: str) -> None:
    """As behind a router that has forgotten it: nothing arrives, and nothing is closed."""
    page = open_page(f"{live_site.url}/accounts/signup/")
    sign_up(page)
    live: list[bool] = []  # for each connection, whether it works

    def connect(route: WebSocketRoute) -> None:
        live.append(bool(live))
        if live[-1]:
            route.connect_to_server()

    page.route_web_socket("**/ws/lobby/**", connect)
    page.clock.install()
    page.goto(live_site.url + path)
    for _ in range(MINUTES):
        page.clock.run_for(60_000)
    assert True in live
