"""The slider of computer players, for any number of them."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from games.bots.ladder import RATINGS
from tests.browser.conftest import OpenPage
from tests.support.servers import Site

PEG = 24
"""Width of the peg, pixels: its centre is half of it from each end of the slider."""
FRAME = """slider => {
  const style = getComputedStyle(slider);
  return parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft);
}"""
"""Returns how far the slider's strip is within its box, pixels."""
NEAR = 2
"""How far a name's centre may be from its hole, pixels."""
LAST = re.compile(r"<option[^>]*data-name=[^>]*>[^<]*</option>(?=\s*</select>)")


def middle(part: Locator) -> float:
    """Return where the centre of a part of a page is across, pixels."""
    box = part.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2


@pytest.mark.parametrize("more", [0, 1, 2])
def test_each_name_is_under_its_hole(live_site: Site, open_page: OpenPage, more: int) -> None:
    def with_more_computers(route: Route) -> None:
        answer = route.fetch()
        text, changed = LAST.subn(lambda found: found[0] * (1 + more), answer.text())
        assert changed
        route.fulfill(response=answer, body=text)

    page = open_page("about:blank")
    page.route(f"{live_site.url}/", with_more_computers)
    page.goto(live_site.url)
    slider = page.locator(".level-range")
    names = page.locator(".level-names > *")
    slider.wait_for()
    assert names.count() == 7 + more
    box = slider.bounding_box()
    assert box is not None
    outer = slider.evaluate(FRAME) + PEG / 2
    step = (box["width"] - 2 * outer) / (names.count() - 1)
    for at, name in enumerate(names.all()):
        assert abs(middle(name) - (box["x"] + outer + at * step)) < NEAR


def test_with_three_players_the_slider_shows_their_rating(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(live_site.url)
    slider = page.get_by_role("slider", name="Computer player")
    slider.press("End")
    page.get_by_text("Choose the rules").click()
    for label, players in [("Three players", 3), ("Two players", 2)]:
        page.get_by_text(label, exact=True).click()
        rating = f"rating {RATINGS[players]['ada'].elo}"
        expect(page.locator(".level-text.level-chosen")).to_contain_text(f"Ada {rating} ")
        expect(slider).to_have_attribute("aria-valuetext", re.compile(f"^Ada, {rating}"))


@pytest.mark.parametrize(
    ("language", "size"),
    [("en", {"width": 1280, "height": 800}), ("es", {"width": 360, "height": 640})],
)
@pytest.mark.parametrize("path", ["/", "/lobby/"])
def test_nothing_moves_when_the_slider_takes_the_place_of_the_list_or_another_is_chosen(
    live_site: Site, open_page: OpenPage, path: str, language: str, size: dict[str, int]
) -> None:
    def height(page: Page) -> float:
        place = page.locator("[data-level-slider]")
        return float(place.evaluate("place => place.getBoundingClientRect().height"))

    page = open_page(live_site.url + path, viewport=size, locale=language)
    page.locator(".level-range").wait_for()
    with_slider = height(page)
    for name in page.locator(".level-names > *").all():
        name.click()
        expect(name).to_have_class("level-chosen")
        assert height(page) == with_slider
    page.route("**/*.js", lambda route: route.abort())
    page.reload()
    page.locator("[data-level-slider] select").wait_for()
    assert abs(height(page) - with_slider) < 1


def test_a_computer_is_chosen_on_a_slider(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(live_site.url)
    slider = page.get_by_role("slider", name="Computer player")
    said = re.compile("^Poppy, rating 1289, easiest. A beg")
    expect(slider).to_have_attribute("aria-valuetext", said)
    slider.press("Home")
    slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^Elsie"))
    expect(page.locator(".level-chosen .level-name")).to_have_text("Elsie")
    page.locator(".level-names").get_by_text("Grace").click()
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^Grace"))
    page.locator(".level-names").get_by_text("Elsie").click()
    page.get_by_role("button", name="Play the computer").click()
    page.wait_for_url(re.compile(r"/t/\w+/"))
    expect(page.get_by_text("Elsie").first).to_be_visible()


def test_without_scripts_a_computer_is_chosen_from_a_list(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(live_site.url, java_script_enabled=False)
    expect(page.get_by_role("combobox", name="Computer player")).to_be_visible()
