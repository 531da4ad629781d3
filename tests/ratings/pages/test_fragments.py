"""Rating fragments on the pages of games."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.template import Context, Template

from games import hooks


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> dict[hooks.Place, list[hooks.Fragment]]:
    fragments: dict[hooks.Place, list[hooks.Fragment]] = {}
    monkeypatch.setattr(hooks, "_fragments", fragments)
    return fragments


def render(place: str, **page: object) -> str:
    template = Template(f'{{% load fragments %}}{{% fragments "{place}" %}}')
    return template.render(Context(page))


def test_a_place_without_registered_fragments_is_empty(
    registered: dict[hooks.Place, list[hooks.Fragment]],
) -> None:
    assert render("match") == ""


def test_a_fragment_is_rendered_once_in_its_place_with_the_pages_context(
    registered: dict[hooks.Place, list[hooks.Fragment]],
) -> None:
    def link(page: Mapping[str, Any]) -> str:
        return f"to {page['match']}"

    hooks.on_fragment("match", link)
    hooks.on_fragment("match", link)
    assert render("match", match="m1") == "to m1"
    assert render("player", match="m1") == ""


def test_a_fragment_not_marked_safe_is_escaped(
    registered: dict[hooks.Place, list[hooks.Fragment]],
) -> None:
    hooks.on_fragment("player", lambda page: str(page["shown"]))
    assert render("player", shown="<b>") == "&lt;b&gt;"


def test_ratings_register_fragments_in_every_place() -> None:
    places = {"table", "match", "recap", "player-head", "player", "case", "landing", "home"}
    assert set(hooks._fragments) == places
