"""The checks that other tests rely on find what they look for."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Route

from tests.browser.conftest import OpenPage
from tests.support.accessible import SERIOUS, complaints, faults
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
    page = open_page("about:blank")
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


MANY_FAULTS = """<!doctype html><html><title>Faults</title>
<h1></h1><h4>Skipped</h4><img src="data:,"><input><button></button><a href="#x"></a>
<ul><p>No item</p></ul><table><tr><th></th></tr></table><div role="button" tabindex="3"></div>
<header role="banner">One</header><div role="banner">Two</div><label>A<label for="b">B</label>
<input id="b"></label><main></main><main></main><p style="color: #ccc">Pale</p></html>"""

ALL_RULES = """async () => (await axe.run(document)).violations.map(
    each => [each.id, each.impact, each.nodes.map(node => node.impact)])"""


def test_no_serious_fault_is_missed_by_running_serious_rules_only(open_page: OpenPage) -> None:
    page = open_page("about:blank")
    page.set_content(MANY_FAULTS)
    page.evaluate(AXE_SCRIPT)
    every = page.evaluate(ALL_RULES)
    page.evaluate("delete globalThis.axe")
    told = [complaint.split(":")[0] for complaint in complaints(page)]
    assert told == [rule for rule, impact, _ in every if impact in SERIOUS]
    assert {"color-contrast", "image-alt", "label", "list", "button-name"} <= set(told)
    assert {impact for _, impact, _ in every} >= {"minor", "moderate"}, "rules that didn't run"
    assert all(one in {impact, None} for _, impact, nodes in every for one in nodes)


COLOURED = """<!doctype html><html lang="en"><title>Colours</title>
<main style="background: linear-gradient(#fff, #fff), #eee"><p style="color: #ccc">Over a picture
</p></main><main style="background: #eee"><p style="color: #ccc">Pale</p>
<p style="color: #ccc">And again</p><p style="color: #ccc; opacity: 0.5">Half</p>
<p style="color: rgb(0 0 0 / 30%)">Clear</p><p style="background: #ccc; color: #eee">Turned</p>
<p style="color: oklch(0.9 0.2 140)">Green</p><p style="color: color(display-p3 1 1 0)">Yellow</p>
<p style="background: rgb(0 0 255 / 20%); color: hsl(240 50% 70%)">Blue</p>
<p style="color: #888; text-shadow: 0 0 1px #eee">Shadow</p><p style="color: #222">Dark</p></main>
</html>"""

CONTRASTS = """async () => {
    const { violations, incomplete, passes } = await axe.run(document, {
        runOnly: ["color-contrast"],
    });
    return [violations, incomplete, passes].map(rules => rules.flatMap(
        rule => rule.nodes.map(node => [node.target, node.any[0].message, node.any[0].data])));
}"""
"""What axe finds out about each text's colours, also where they are good or not known."""


def test_colours_are_those_that_axe_finds_without_shortcuts(open_page: OpenPage) -> None:
    page = open_page("about:blank")
    page.set_content(COLOURED)
    page.evaluate(AXE_SCRIPT)
    own = page.evaluate(CONTRASTS)
    page.evaluate("delete globalThis.axe")
    assert complaints(page, colours_only=True)
    assert page.evaluate(CONTRASTS) == own
    violations, unknown, passed = own
    assert len(violations) >= 7
    assert unknown
    assert passed


LIKE = """<!doctype html><html lang="en"><title>Looks</title>
<style>p { width: 10em; margin: 0 } i { font-style: normal }</style>
<main style="background: #fff; color: #333">
<p style="color: #888; position: absolute; clip-path: inset(50%)">Grey and hidden</p>
<p style="color: #888">Grey</p><p>Good</p><p>Good <i>as well</i></p><p>1</p>
<p style="opacity: 0.3">Half as good</p><p style="font-size: 2em">Good and large</p>
<p style="color: #888; font-size: 2em">Grey and large</p><p style="color: #888">9</p>
<p style="color: #888">Grey again</p><section style="background: #444"><p>Dark</p></section>
<section style="position: relative; height: 2em">
<b style="position: absolute; background: #444; width: 20em; height: 2em"></b>
<p style="position: relative">Over a box</p></section>
<section style="display: grid"><b style="grid-area: 1 / 1; background: #444"></b>
<p style="grid-area: 1 / 1">In the same place as a box</p></section>
</main></html>"""

LOOKS = """async () => {
    const looks = globalThis.looks = new Looks();
    const { passes } = await axe.run(document, { runOnly: ["color-contrast"] });
    return [looks.good.size, passes.flatMap(rule => rule.nodes).map(each => each.target)];
}"""


def test_texts_that_look_alike_are_judged_alike_and_no_others(open_page: OpenPage) -> None:
    """A text over a box that isn't around it looks unlike the same text beside it."""
    page = open_page("about:blank")
    page.set_content(LIKE)
    page.evaluate(AXE_SCRIPT)
    own = {tuple(target) for target, *_ in page.evaluate(CONTRASTS)[0]}
    page.evaluate("delete globalThis.axe")
    (told,) = complaints(page)
    assert len(own) == 6
    assert told.count("Fix any of the following") == len(own)
    assert all(f"'{target}'" in told for (target,) in own)
    looks, passed = page.evaluate(LOOKS)
    assert (looks, len(passed)) == (3, 6), passed
