"""What a page sends along so that nothing of it is waited for twice."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.template import Context, Template

from games import bundles
from games.bundles import NoSuchFile, fresh_bundles, graph_of, imports_of, sheets_of
from tests.servers import ROOT

TABLE, LOOK = "js/table.js", "css/pages/table.css"


@pytest.fixture
def dist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the folder of a public site's static files, with a bundle of two sources."""
    monkeypatch.setattr("django.conf.settings.PRODUCTION", True)
    monkeypatch.setattr("games.bundles.finders.find", lambda name: str(tmp_path / name))
    for name, text in {"js/table.js": "1;", "css/pages/table.css": '@import "../a.css";'}.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True)
        file.write_text(text)
    (tmp_path / "dist").mkdir()
    pages = {
        TABLE: {"file": "dist/table.js", "needs": ["dist/shared.js"]},
        LOOK: {"file": "dist/table.css", "needs": []},
    }
    record = {"pages": pages, "inputs": [LOOK, TABLE], "hash": bundles.hash_of([LOOK, TABLE])}
    (tmp_path / bundles.RECORD).write_text(json.dumps(record))
    bundles.forget()
    yield tmp_path
    bundles.forget()


def page_of(tag: str) -> str:
    return Template("{% load modules %}{% " + tag + " %}").render(Context())


def test_every_module_of_the_table_is_named_once_with_all_that_it_needs() -> None:
    graph = graph_of(TABLE)
    assert {"js/app.js", "js/motion.js", "js/loop.js", "vendor/preact/preact.js"} <= set(graph)
    assert len(graph) == len(set(graph))
    assert {name for module in graph for name in imports_of(module)} <= {*graph, TABLE}


def test_where_a_site_is_made_a_page_loads_the_sources() -> None:
    page = page_of(f'page_script "{TABLE}"')
    assert page.count('rel="modulepreload"') == len(graph_of(TABLE))
    assert 'href="/static/js/app.js"' in page
    assert '<script type="module" src="/static/js/table.js"></script>' in page
    styles = page_of(f'page_styles "{LOOK}"')
    assert re.findall(r'href="/static/([^"]+)"', styles) == list(sheets_of(LOOK))


def test_a_public_site_loads_the_bundle_of_these_sources(dist: Path) -> None:
    page = page_of(f'page_script "{TABLE}"')
    assert re.findall(r'(?:src|href)="/static/([^"]+)"', page) == [
        "dist/table.js",
        "dist/shared.js",
    ]
    assert 'href="/static/dist/table.css"' in page_of(f'page_styles "{LOOK}"')


def test_a_bundle_of_other_sources_is_not_served(dist: Path) -> None:
    (dist / TABLE).write_text("2;")
    assert fresh_bundles() == {}
    assert 'src="/static/js/table.js"' in page_of(f'page_script "{TABLE}"')


def test_the_record_names_the_sources_that_pages_ask_for() -> None:
    record = json.loads((ROOT / "static" / bundles.RECORD).read_text())
    asked = {
        found
        for template in (ROOT / "templates").rglob("*.html")
        for found in re.findall(r'{% page_(?:script|styles) "([^"]+)" %}', template.read_text())
    }
    assert asked == set(record["pages"])


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(NoSuchFile, match=r"js/nothing\.js"):
        graph_of("js/nothing.js")


def test_the_pips_of_the_page_are_those_of_the_deck() -> None:
    deck = (ROOT / "static/cards/deck.svg").read_text()
    page = (ROOT / "templates/games/_pips.html").read_text()
    symbols = re.findall(r"<symbol .*?</symbol>", page, re.DOTALL)
    assert [re.findall(r'id="([^"]+)"', symbol)[0] for symbol in symbols] == [
        "pip-C", "pip-D", "pip-H", "pip-S", "back",
    ]  # fmt: skip
    assert all(symbol in deck for symbol in symbols)
