"""The site in real browsers behind nginx and Caddy: HTTPS, a phone and a desktop at one table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Response

from tests.browser.conftest import OpenPage
from tests.support.data_servers import Postgres
from tests.support.proxied_site import Behind, site_for_file
from tests.support.proxies import PROXIES
from tests.support.seat import Seat, play_until

WELL_INTO_THE_SECOND_HAND = 20
"""A version of the match; a hand takes about a dozen."""

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def behind(
    tmp_path_factory: pytest.TempPathFactory, postgres: Postgres, hashed_static: Path
) -> Iterator[Behind]:
    """Run two processes of the site behind both proxies."""
    with site_for_file(tmp_path_factory.mktemp("behind"), postgres, hashed_static) as running:
        yield running


@pytest.mark.parametrize("name", list(PROXIES))
def test_a_phone_and_a_desktop_play_through_the_proxy(
    behind: Behind, open_page: OpenPage, name: str
) -> None:
    site = behind.proxies[name].url
    trusting = {"ignore_https_errors": True, "reduced_motion": "reduce"}
    host = open_page("about:blank", worker=True, **trusting, **PHONE)
    answers: list[Response] = []
    host.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108
    host.goto(site)
    host.get_by_role("button", name="Invite a friend").click()
    link = host.locator("#invite-link")
    link.wait_for()
    assert link.input_value().startswith(f"{site}/join/")
    friend = open_page(link.input_value(), worker=True, **trusting)
    friend.get_by_role("button", name="Sit down").click()
    seats = [Seat.at_once(page) for page in (host, friend)]
    play_until(seats, lambda: int(seats[0].data()["version"]) > WELL_INTO_THE_SECOND_HAND)
    assert [f"{answer.status} {answer.url}" for answer in answers if answer.status >= 400] == []
