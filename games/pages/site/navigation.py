"""The site's menus: what stands in the header, in the bottom tabs on phones, and in the footer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.models import Player


@dataclass(frozen=True, slots=True)
class Link:
    """A line of a menu; ``here`` if it leads to the page that shows the menu."""

    label: str
    address: str
    here: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Lines of a menu under a title; the title is empty if the menu has one group."""

    title: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu, or with a single link that link itself.

    ``key`` names its icon; ``here`` if the page belongs to it, although no line may lead there.
    """

    key: str
    label: str
    groups: tuple[Group, ...]
    here: bool

    @property
    def links(self) -> tuple[Link, ...]:
        """Return the lines of all groups."""
        return tuple(link for group in self.groups for link in group.links)

    @property
    def address(self) -> str:
        """Return where a menu of one link leads; empty for others."""
        return self.links[0].address if len(self.links) == 1 else ""


_SECTIONS: dict[str, tuple[str, ...]] = {
    "play": ("/lobby/", "/t/", "/join/"),
    "daily": ("/daily/",),
    "ranked": ("/ranked/", "/standard/", "/ratings/"),
    "practise": (
        "/learn/",
        "/count/",
        "/discards/",
        "/analysis/",
        "/explorer/",
        "/puzzle/",
        "/puzzles/",
        "/drills/",
        "/insights/",
        "/rules/",
    ),
    "people": ("/friends/", "/clubs/", "/tournaments/", "/challenge/", "/records/", "/players/"),
}
"""The beginnings of the addresses of each menu's pages."""


def place_of(path: str) -> str:
    """Return what the menus depend on of the address of a page.

    Most pages are in no menu, and those of a section have the same menus.
    """
    if path in _known_addresses():
        return path
    begins = [begin for each in _SECTIONS.values() for begin in each if path.startswith(begin)]
    return max(begins, key=len) + "?" if begins else ""  # no address of a page has "?"


@cache
def _known_addresses() -> frozenset[str]:
    menus = [*main_menus("", own=True), *site_map("")]
    return frozenset(link.address for menu in menus for link in menu.links)


def main_menus(path: str, *, own: bool = False) -> list[Menu]:
    """Return the menus of the header and of the bottom tabs, for the page at ``path``.

    With ``own``, they also lead to the reader's own rating and ranked games.
    """
    labels = {
        "play": pgettext("navigation", "Play"),
        "daily": pgettext("navigation", "Daily"),
        "ranked": pgettext("navigation", "Ranked"),
        "practise": pgettext("navigation", "Practise"),
        "people": pgettext("navigation", "People"),
    }
    lines = _lines()
    if own:
        lines["ranked"][1:1] = [
            (_("My rating"), _address("ratings:me")),
            (_("My ranked games"), _address("ratings:games")),
        ]
    groups: dict[str, tuple[Group, ...]] = {
        key: (Group("", _links(each, path)),) for key, each in lines.items()
    }
    groups["practise"] = tuple(Group(title, _links(each, path)) for title, each in _practice())
    return [Menu(key, label, groups[key], _is_in(key, path)) for key, label in labels.items()]


def own_links(player: Player, path: str) -> tuple[Link, ...]:
    """Return the lines of the reader's own menu, without those to log in or out."""
    lines = [
        (_("My profile"), reverse("games:player", args=[player.public_id])),
        (pgettext("navigation", "My matches"), _address("games:matches")),
        (_("My rating"), _address("ratings:me")),
        (_("Settings and account"), _address("games:account")),
    ]
    if player.is_staff and player.has_perm("games.add_moderationentry"):
        lines.append((_("Moderation"), _address("games:moderation")))
    return _links(lines, path)


def site_map(path: str) -> list[Menu]:
    """Return the columns of the footer: the menus, and what stands in none of them."""
    more = [
        (_("Help"), _address("games:help")),
        (_("How the comparison works"), _address("ratings:how")),
        (_("Import a game"), _address("games:import")),
        (_("Enter a game"), _address("games:enter")),
        (_("Programs that play"), _address("games:programs")),
        (_("API"), _address("api-v1:openapi-view")),
        (_("Open data"), _address("games:open_data")),
        (_("Privacy"), _address("games:privacy")),
    ]
    menus = main_menus(path)
    played = Group("", menus[0].links + menus[1].links + menus[2].links[:2])
    return [
        Menu("play", menus[0].label, (played,), here=False),
        *menus[3:],
        Menu("more", _("More"), (Group("", _links(more, path)),), here=False),
    ]


def _lines() -> dict[str, list[tuple[str, str]]]:
    return {
        "play": [
            (_("Play the computer"), _address("games:landing") + "#play"),
            (_("Invite a friend"), _address("games:landing") + "#invite"),
            (_("Open tables"), _address("games:lobby")),
        ],
        "daily": [(_("Daily"), _address("ratings:daily"))],
        "ranked": [
            (_("Play ranked"), _address("ratings:ranked")),
            (_("Leaderboard"), _address("ratings:leaderboard")),
            (_("Seasons"), _address("ratings:seasons")),
            (_("How it works"), _address("ratings:how")),
        ],
        "people": [
            (_("Friends"), _address("games:friends")),
            (_("Clubs"), _address("ratings:clubs")),
            (_("Tournaments"), _address("ratings:events")),
            (_("Challenges"), _address("ratings:challenge_new")),
            (_("Records"), _address("games:records")),
        ],
    }


def _practice() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the lines of the longest menu, with the titles of its groups."""
    return [
        (
            pgettext("navigation", "Learn"),
            [
                (_("Learn to play"), _address("games:learn")),
                (_("How to play"), _address("games:rules")),
                (_("Learn to count"), _address("games:counting")),
                (_("Discard course"), _address("games:course", "throwing")),
                (_("Pegging course"), _address("games:course", "pegging")),
            ],
        ),
        (
            pgettext("navigation", "Train"),
            [
                (_("Puzzles"), _address("games:puzzles")),
                (_("Discard puzzle"), _address("games:puzzle")),
                (_("Practise my mistakes"), _address("games:drills")),
                (_("Insights"), _address("games:insights")),
            ],
        ),
        (
            pgettext("navigation", "Tools"),
            [
                (_("Hand counter"), _address("games:counter")),
                (_("Discard helper"), _address("games:discards")),
                (_("Analysis board"), _address("games:board")),
                (_("Explorer"), _address("games:explorer")),
            ],
        ),
    ]


@cache
def _address(name: str, *args: str) -> str:
    """Return the address of a page; every page of the site asks for forty of them."""
    return reverse(name, args=args)


def _links(lines: Iterable[tuple[str, str]], path: str) -> tuple[Link, ...]:
    return tuple(Link(label, address, address == path) for label, address in lines)


def _is_in(key: str, path: str) -> bool:
    return path.startswith(_SECTIONS[key])
