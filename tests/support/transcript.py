"""Transcripts of what a screen reader says at a table, line by line in order."""

from __future__ import annotations

import re
from typing import Literal

from playwright.sync_api import Page

_LISTEN = """
globalThis.heard = [];
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    const how = target.classList?.contains("spoken") && target.getAttribute("aria-live");
    if (how) for (const node of addedNodes) heard.push([how, node.textContent]);
  }
}).observe(document, { childList: true, subtree: true });
localStorage.setItem("cribbage.settings", JSON.stringify({ pace: "instant" }));
"""
"""Runs before a page's own scripts; also sets the instant pace to save time."""

CARD = r"(?:ace|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king) of \w+"
POINTS = r"(?:1 point|\d+ points)"

LINES: dict[str, str] = {
    "cut": rf"Cut for the deal\. You: {CARD}; {{other}}: {CARD}\. "
    r"(?:{who} to deal|Tie: cut again)\.",
    "hand": r"Hand \d+\. Dealer: {whom}\.",
    "threw": r"{who} threw 2 cards\.",
    "starter": rf"The starter is the {CARD}\.",
    "heels": r"His heels: 2 for {whom}\.",
    "played": rf"{{who}} played the {CARD}\. Count \d+\.(?: [A-Z0-9][a-z0-9 -]*, {POINTS}\.)?",
    "go": r"{who}: go\.",
    "ended": r"Thirty-one\. The count starts again\.|(?:Go|Last card): 1 for {whom}\.",
    "counted": rf"{{who}}, (?:hand|crib): (?:{CARD}, ){{{{3}}}}{CARD}\. [A-Z][a-z ,:-]*\. "
    rf"{POINTS}\.",
    "won": r"{who} won the game, \d+ to \d+\.",
}
"""A pattern for each kind of sentence in the polite log."""

GAME = re.compile(
    r"(?:cut )+"
    r"(?:hand (?:threw ){2}starter (?:heels )?(?:(?:played|go|ended) )*(?:counted ){0,3})+"
    r"won "
)
"""The order of these kinds in a two-player game."""

ALERTS = (
    r"Choose 2 cards for (?:your|{other}'s) crib",
    r"Your (?:lead|turn): play a card",
    r"{who} won the match\.",
)
"""The allowed alerts: the player's turn and the end; a correct game has no errors."""


def listen(page: Page) -> None:
    """Record announcements on every page loaded from now on."""
    page.add_init_script(_LISTEN)


def heard(page: Page, how: Literal["polite", "assertive"]) -> list[str]:
    """Return the announcements since the page was loaded."""
    said = page.evaluate("heard")
    return [text for way, text in said if way == how]


def kinds(lines: list[str], *, other: str) -> str:
    """Return the kind of each line, or "unknown: ..." if it matches none of `LINES`."""
    names = {"who": f"(?:You|{other})", "whom": f"(?:you|{other})", "other": other}
    patterns = {kind: re.compile(pattern.format(**names)) for kind, pattern in LINES.items()}

    def kind_of(line: str) -> str:
        fits = (kind for kind, pattern in patterns.items() if pattern.fullmatch(line))
        return next(fits, f"unknown: {line!r}")

    return "".join(f"{kind_of(line)} " for line in lines)


def strange_alerts(lines: list[str], *, other: str) -> list[str]:
    """Return the alerts that match none of `ALERTS`."""
    names = {"who": f"(?:You|{other})", "other": other}
    allowed = re.compile("|".join(pattern.format(**names) for pattern in ALERTS))
    return [line for line in lines if not allowed.fullmatch(line)]
