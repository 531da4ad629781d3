"""Script and style bundles, and preloading of a page's modules."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.template import Context, Template

from games.pages import bundles
from games.pages.bundles import NoSuchFile, fresh_bundles, graph_of, imports_of, sheets_of
from tests.support.servers import ROOT

TABLE, LOOK = "js/table/main.js", "css/table.css"


@pytest.fixture
def dist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make the static folder of a production site, with bundles of two sources."""
    monkeypatch.setattr("django.conf.settings.BUNDLES", True)
    monkeypatch.setattr("games.pages.bundles.finders.find", lambda name: str(tmp_path / name))
    for name, text in {"js/table/main.js": "1;", "css/table.css": '@import "./a.css";'}.items():
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


def test_the_module_graph_lists_every_import_once() -> None:
    graph = graph_of(TABLE)
    assert {
        "js/table/app.js",
        "js/table/card_motion.js",
        "js/board/loop_board.js",
        "vendor/preact/preact.js",
    } <= set(graph)
    assert len(graph) == len(set(graph))
    assert {name for module in graph for name in imports_of(module)} <= {*graph, TABLE}


def test_a_development_page_loads_the_sources() -> None:
    page = page_of(f'page_script "{TABLE}"')
    assert page.count('rel="modulepreload"') == len(graph_of(TABLE))
    assert 'href="/static/js/table/app.js"' in page
    assert '<script type="module" src="/static/js/table/main.js"></script>' in page
    styles = page_of(f'page_styles "{LOOK}"')
    assert re.findall(r'href="/static/([^"]+)"', styles) == list(sheets_of(LOOK))


def test_a_production_page_loads_the_bundle(dist: Path) -> None:
    page = page_of(f'page_script "{TABLE}"')
    assert re.findall(r'(?:src|href)="/static/([^"]+)"', page) == [
        "dist/table.js",
        "dist/shared.js",
    ]
    assert 'href="/static/dist/table.css"' in page_of(f'page_styles "{LOOK}"')


def test_an_outdated_bundle_is_not_served(dist: Path) -> None:
    (dist / TABLE).write_text("2;")
    assert fresh_bundles() == {}
    assert 'src="/static/js/table/main.js"' in page_of(f'page_script "{TABLE}"')


def test_a_module_that_has_changed_is_read_again(dist: Path) -> None:
    source = dist / TABLE
    assert imports_of(TABLE) == ()
    before = source.stat().st_mtime_ns
    source.write_text('import "./app.js";')
    os.utime(source, ns=(before + 1_000_000_000, before + 1_000_000_000))
    assert imports_of(TABLE) == ("js/table/app.js",)


def test_a_module_is_looked_for_again_only_where_it_is_gone(
    dist: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert imports_of(TABLE) == ()
    other = dist / "elsewhere.js"
    monkeypatch.setattr("games.pages.bundles.finders.find", lambda _: str(other))
    assert imports_of(TABLE) == ()
    other.write_text('import "./app.js";')
    (dist / TABLE).unlink()
    assert imports_of(TABLE) == ("js/table/app.js",)
    other.unlink()
    with pytest.raises(FileNotFoundError):
        imports_of(TABLE)


def test_the_bundle_record_covers_all_scripts_and_styles_of_the_templates() -> None:
    record = json.loads((ROOT / "static" / bundles.RECORD).read_text())
    asked = {
        found
        for template in (ROOT / "templates").rglob("*.html")
        for found in re.findall(r'{% page_(?:script|styles) "([^"]+)" %}', template.read_text())
    }
    assert asked == set(record["pages"])


def test_a_missing_file_is_reported_by_name() -> None:
    with pytest.raises(NoSuchFile, match=r"js/nothing\.js"):
        graph_of("js/nothing.js")


@pytest.mark.parametrize("copy", ["templates/games/learn/_pips.html", "static/cards/pips.svg"])
def test_the_pages_pips_are_copies_of_the_decks(copy: str) -> None:
    deck = (ROOT / "static/cards/deck.svg").read_text()
    page = (ROOT / copy).read_text()
    symbols = re.findall(r"<symbol .*?</symbol>", page, re.DOTALL)
    assert [re.findall(r'id="([^"]+)"', symbol)[0] for symbol in symbols] == [
        "pip-C", "pip-D", "pip-H", "pip-S", "back",
    ]  # fmt: skip
    assert all(symbol in deck for symbol in symbols)


def test_the_small_sprite_has_all_that_its_symbols_use() -> None:
    """A reference into the deck would be empty: the back would have no colour."""
    deck, pips = ((ROOT / f"static/cards/{name}.svg").read_text() for name in ("deck", "pips"))
    used = set(re.findall(r"url\(#([^)]+)\)", pips))
    assert used == {"back-weave"}
    for name in used:
        (weave,) = re.findall(rf'<pattern id="{name}".*?</pattern>', deck)
        assert weave in pips


def test_every_page_preloads_the_font_that_is_of_no_use_when_late() -> None:
    """With `font-display: optional`; pages such as the table replace the block of site files."""
    faces = (ROOT / "static/css/base/tokens.css").read_text().split("@font-face")
    (late,) = [face for face in faces if "font-display: optional" in face]
    found = re.search(r"vendor/fonts/[\w-]+\.woff2", late)
    assert found is not None
    head, _, _ = (ROOT / "templates/base.html").read_text().partition("{% block site_files %}")
    assert f'<link rel="preload" href="{{% static "{found[0]}" %}}"' in head
