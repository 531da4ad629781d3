"""Checks of a page in a browser: what axe finds, and what is wider than the window."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

SERIOUS = frozenset({"serious", "critical"})
COLOURS = "color-contrast"
"""The one rule of axe whose outcome depends on light or dark."""

SIZES = {"desktop": (1280, 800), "phone": (390, 844), "small": (360, 640)}
FRAMES = 4
"""Frames within which a page has been drawn in its new size: it needs two or three."""
_RUN = """async ([options, newOnly, wanted]) => {
    const now = shown(), before = globalThis.seen;
    globalThis.seen = new WeakSet(now);
    const part = newOnly ? now.filter(each => !before.has(each)) : [document];
    if (!part.length) return [];
    // A rule's violations all have the rule's own impact, so the others need not run.
    const without = axe._audit.rules.filter(rule => rule.impact && !wanted.includes(rule.impact));
    const off = Object.fromEntries(without.map(rule => [rule.id, { enabled: false }]));
    options = { ...options, rules: { ...off, ...options.rules } };
    return (await axe.run({ include: part }, options)).violations.map(each => ({
        id: each.id,
        impact: each.impact,
        nodes: each.nodes.map(node => [node.target, node.failureSummary]),
    }));
    function shown() {
        const all = [...document.querySelectorAll('body *')];
        return all.filter(each => each.checkVisibility({ visibilityProperty: true }));
    }
}"""

_KEPT = """class {
    key = Symbol();
    has(each) { return Object.hasOwn(each, this.key); }
    get(each) { return each[this.key]; }
    set(each, value) { each[this.key] = value; return this; }
    add(each) { each[this.key] = true; return this; }
    delete(each) { return delete each[this.key]; }
}"""
"""A map or a set that keeps what it knows of an object with that object."""

_QUICKER = """(() => {
    const { Color } = axe.commons.color, parse = Color.prototype.parseString, known = new Map();
    Color.prototype.parseString = function (text) {
        if (!known.has(text)) {
            parse.call(this, text);
            known.set(text, [this.r, this.g, this.b, this.alpha]);
        }
        [this.r, this.g, this.b, this.alpha] = known.get(text);
        return this;
    };
    axe.setup(document.documentElement);
    const node = Object.getPrototypeOf(axe.utils.getNodeFromTree(document.documentElement));
    axe.teardown();
    node.getComputedStylePropertyValue = function (name) {
        const kept = (this._cache.styles ??= new Map());
        if (!kept.has(name)) {
            this._cache.computedStyle ??= getComputedStyle(this.actualNode);
            kept.set(name, this._cache.computedStyle.getPropertyValue(name));
        }
        return kept.get(name);
    };
})()"""

_AXE = f"((WeakMap, WeakSet) => {{ {AXE_SCRIPT}\n }})({_KEPT}, {_KEPT}); {_QUICKER}"
"""axe, with three shortcuts for its check of colours.

Its compiled code keeps the fields of each colour in six weak maps, which cost a third of the check
with their garbage; a colour's text is parsed each time, and a style's name put together.
"""

WITH_AXE = ("desktop", "phone")
"""The sizes at which axe runs: colours and names are the same at the small one."""


def complaints(page: Page, *, colours_only: bool = False) -> list[str]:
    """Return the serious violations that axe finds on a page, each with its elements.

    ``colours_only`` runs the one rule that light and dark can change: half of axe's time, for the
    second scheme of a page whose names and roles have been checked in the first.
    """
    return _violations(page, {"runOnly": [COLOURS]} if colours_only else {})


def complaints_at_another_size(page: Page) -> list[str]:
    """Return the same after a change of size: colours only of what could not be seen before it.

    No colour depends on the size, but a phone shows some things that a wide window doesn't.
    """
    found = _violations(page, {"runOnly": [COLOURS]}, new_only=True)
    return found + _violations(page, {"rules": {COLOURS: {"enabled": False}}})


def _violations(page: Page, options: dict[str, object], *, new_only: bool = False) -> list[str]:
    # A page that a click has opened can be asked before its style sheets and colours have come.
    page.wait_for_load_state()
    options = {"resultTypes": ["violations"], "preload": False, **options}
    # Half a megabyte, which a page keeps until it loads another.
    if page.evaluate("typeof globalThis.axe") != "object":
        page.evaluate(_AXE)
    violations = page.evaluate(_RUN, [options, new_only, sorted(SERIOUS)])
    return [
        f"{violation['id']}: {violation['nodes']}"
        for violation in violations
        if violation["impact"] in SERIOUS
    ]


def resize(page: Page, width: int, height: int) -> None:
    """Set a page's size, and wait until its scripts have drawn it anew.

    A table hears of the new width with the next frame, and draws its layout in the one after it.
    """
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(
        """async frames => {
            for (let n = 0; n < frames; n++) await new Promise(requestAnimationFrame);
        }""",
        FRAMES,
    )


def overflow(page: Page) -> int:
    """Return by how many pixels a page is wider than its window, once its style sheets have come.

    Until then a page that a click has opened can be asked, and is laid out without them.
    """
    page.wait_for_load_state()
    return int(
        page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    )


def faults(page: Page) -> list[str]:
    """Return what axe finds on a page, in light and dark, and what overflows at any size."""
    found = []
    page.emulate_media(color_scheme="light")
    for size, (width, height) in SIZES.items():
        resize(page, width, height)
        if overflow(page) > 0:
            found.append(f"{page.url}, {size}: {overflow(page)} px sideways")
        if size in WITH_AXE:
            first = size == WITH_AXE[0]
            told = complaints(page) if first else complaints_at_another_size(page)
            found += [f"{page.url}, {size}: {complaint}" for complaint in told]
    page.emulate_media(color_scheme="dark")
    told = complaints(page, colours_only=True)
    return found + [f"{page.url}, dark: {complaint}" for complaint in told]
