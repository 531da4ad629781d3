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
    globalThis.looks = new Looks();
    const { violations } = await axe.run({ include: part }, options);
    delete globalThis.looks;
    return violations.map(each => ({
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

_ONCE = """(() => {
    const rule = axe._audit.rules.find(each => each.id === 'color-contrast');
    const check = axe._audit.checks['color-contrast'];
    const { matches } = rule, { evaluate } = check;
    const fields = ['INPUT', 'SELECT', 'TEXTAREA'];
    const ofText = ['shortTextContent', 'nonBmp', 'bgGradient'];
    const blank = each => each.props.nodeName !== '#text' || !each.actualNode.nodeValue.trim();
    rule.matches = function (node, virtual, ...more) {
        if (!fields.includes(node.tagName) && virtual.children.every(blank)) return false;
        return matches.call(this, node, virtual, ...more);
    };
    check.evaluate = function (node, ...more) {
        const now = globalThis.looks, look = now?.lookOf(node);
        if (look && now.good.has(look)) return true;
        const said = `${look}|${node.textContent.trim().replace(/^\\w$/, '1')}`;
        if (look && now.unknown.has(said)) return undefined;
        let why;
        const helper = Object.create(this, {
            data: { value: told => { why = told.messageKey; this.data(told); } },
        });
        const good = evaluate.call(helper, node, ...more);
        if (look && good && why !== 'hidden') now.good.add(look);
        if (look && ofText.includes(why)) now.unknown.add(said);
        return good;
    };
})()"""
"""Two more shortcuts: a node without text of its own is left out before its labels are looked for,
and a text that looks like one whose colours are good is good as well.

One that fails is looked at each time, and so is one of which axe can't tell for a reason that lies
in its place. While a check is under way, `looks` is what it knows of the page.
"""

_LOOKS = """class {
    static own = ['color', 'font-size', 'font-weight', 'text-shadow', '-webkit-text-stroke-width'];
    static all = [
        'background-color', 'background-image', 'background-clip', 'opacity', 'filter',
        'mix-blend-mode',
    ];
    static plain = 'rgba(0, 0, 0, 0),none,border-box,1,none,normal';
    static marks = ['::before', '::after'];
    static marked = ['content', 'background-color', 'background-image', 'width', 'height'];
    good = new Set();
    unknown = new Set();
    #chains = new Map();
    #boxes = [...document.querySelectorAll('*')]
        .filter(each => this.constructor.filled(getComputedStyle(each)))
        .map(each => each.getBoundingClientRect());
    static filled(style) {
        return style.backgroundColor !== 'rgba(0, 0, 0, 0)' || style.backgroundImage !== 'none';
    }
    static values(style, names) { return names.map(name => style.getPropertyValue(name)).join(); }
    #chain(node) {
        if (!node) return { look: '', boxes: [] };
        if (!this.#chains.has(node)) {
            const { all, plain, marks, marked, values, filled } = this.constructor;
            const style = getComputedStyle(node), above = this.#chain(node.parentElement);
            const beside = marks.map(each => values(getComputedStyle(node, each), marked))
                .filter(each => !each.startsWith('none'));
            const own = [values(style, all), ...beside].filter(each => each !== plain);
            const look = [above.look, ...own].join('/');
            const box = filled(style) ? [node.getBoundingClientRect()] : [];
            this.#chains.set(node, { look, boxes: [...above.boxes, ...box] });
        }
        return this.#chains.get(node);
    }
    lookOf(node) {
        const { own, values } = this.constructor, { look, boxes } = this.#chain(node);
        const range = document.createRange();
        range.selectNodeContents(node);
        const of = node.childNodes.length ? range.getBoundingClientRect() : null;
        const whole = node.getBoundingClientRect(), text = of?.width ? of : whole;
        const left = Math.min(text.left, whole.left), right = Math.max(text.right, whole.right);
        const top = Math.min(text.top, whole.top), low = Math.max(text.bottom, whole.bottom);
        const around = boxes.every(each => each.left <= left + 1 && each.right >= right - 1
            && each.top <= top + 1 && each.bottom >= low - 1);
        const under = this.#boxes.filter(each => each.left < right && each.right > left
            && each.top < low && each.bottom > top);
        if (!around || under.length !== boxes.length) return '';
        return `${look}|${values(getComputedStyle(node), own)}`;
    }
}"""
"""The looks of a page's texts as it is now: all that their contrast depends on.

A text's look is its own colour and font, with the backgrounds and opacities of all around it. It
has none where something else with a background lies on or under it, or its own ends beside it.
"""

_AXE = (
    f"((WeakMap, WeakSet) => {{ {AXE_SCRIPT}\n }})({_KEPT}, {_KEPT}); {_QUICKER};"
    f"globalThis.Looks = {_LOOKS}; {_ONCE}"
)
"""axe, with five shortcuts for its check of colours.

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
