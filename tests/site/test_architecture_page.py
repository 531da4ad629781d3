"""docs/architecture.md lists every room, and every path that it names exists."""

from __future__ import annotations

import re

from tests.support.servers import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text()
TOP = "benchmarks|cribbage_site|deploy|docs|games|locale|ratings|scripts|static|templates|tests"
PATHS = sorted(set(re.findall(rf"`((?:{TOP})(?:/[\w./-]+)?)`", PAGE)))
MODULES = sorted(set(re.findall(r"`((?:games|ratings|cribbage_site)\.[\w.]+)`", PAGE)))
CHANGES = 10


def rooms() -> list[str]:
    """Return the packages directly under games and ratings, without migrations."""
    return sorted(
        f"{app}/{package.parent.name}"
        for app in ("games", "ratings")
        for package in (ROOT / app).glob("*/__init__.py")
        if package.parent.name != "migrations"
    )


def section(title: str) -> str:
    """Return the text below a heading."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, title
    return found[1]


def test_every_room_is_in_the_table() -> None:
    first_cells = re.findall(r"^\| (`(?:games|ratings)/[^|]*?) \|", section("Rooms"), re.MULTILINE)
    named = [name for cell in first_cells for name in re.findall(r"`([^`]+)`", cell)]
    assert sorted(named) == rooms()


def test_every_room_is_in_the_picture() -> None:
    picture = section("Rooms").partition("```mermaid")[2].partition("```")[0]
    drawn = {name for box in re.findall(r'"([\w ·]+)"', picture) for name in box.split(" · ")}
    assert {room.partition("/")[2] for room in rooms()} <= drawn


def test_every_path_exists() -> None:
    assert len(PATHS) > 100
    assert [path for path in PATHS if not (ROOT / path).exists()] == []


def test_every_module_exists() -> None:
    files = {name: ROOT / name.replace(".", "/") for name in MODULES}
    assert files
    missing = [
        name
        for name, path in files.items()
        if not (path.is_dir() or path.with_suffix(".py").is_file())
    ]
    assert missing == []


def test_every_typical_change_lists_the_files_to_open() -> None:
    rows = re.findall(
        r"^\| ((?:add|change) [^|]+) \| (.*) \|$", section("Where do I change ...?"), re.MULTILINE
    )
    assert len(rows) >= CHANGES
    assert [change for change, files in rows if not re.search(rf"`(?:{TOP})/", files)] == []
