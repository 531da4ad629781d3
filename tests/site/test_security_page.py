"""The threat model and the table of faults name existing tests."""

from __future__ import annotations

import ast
import re

import pytest

from tests.support.servers import ROOT

NAMED = re.compile(r"`(tests/[\w/]+\.py)((?:::\w+)*)`")


def names_in(path: str) -> set[str]:
    """Return every test of a file as `::Class::test` or `::test`, and every class as `::Class`."""
    found = set()
    for node in ast.parse((ROOT / path).read_text()).body:
        if isinstance(node, ast.ClassDef):
            found.add(f"::{node.name}")
            found |= {
                f"::{node.name}::{item.name}"
                for item in node.body
                if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))
            }
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.add(f"::{node.name}")
    return found


@pytest.mark.parametrize(("page", "at_least"), [("security.md", 40), ("scaling.md", 15)])
def test_every_test_named_on_the_pages_exists(page: str, at_least: int) -> None:
    named = NAMED.findall((ROOT / "docs" / page).read_text())
    assert len(named) > at_least
    missing = [
        path + name
        for path, name in named
        if not (ROOT / path).exists() or (name and name not in names_in(path))
    ]
    assert missing == []


def test_every_row_of_the_threat_model_names_a_test() -> None:
    text = (ROOT / "docs" / "security.md").read_text()
    rows = re.findall(r"^\| to .*$", text, re.MULTILINE)
    assert len(rows) > 25
    assert [row for row in rows if not NAMED.search(row)] == []
