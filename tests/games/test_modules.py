"""What the table page sends along so that nothing of it is waited for twice."""

import re

import pytest
from django.template import Context, Template, TemplateSyntaxError

from games.templatetags.modules import graph_of, imports_of
from tests.servers import ROOT


def test_every_module_of_the_table_is_named_once_with_all_that_it_needs() -> None:
    graph = graph_of("js/table.js")
    assert {"js/app.js", "js/motion.js", "js/loop.js", "vendor/preact/preact.js"} <= set(graph)
    assert len(graph) == len(set(graph))
    assert {name for module in graph for name in imports_of(module)} <= {*graph, "js/table.js"}


def test_each_becomes_a_preload() -> None:
    page = Template('{% load modules %}{% preload_modules "js/table.js" %}').render(Context())
    assert page.count('rel="modulepreload"') == len(graph_of("js/table.js"))
    assert 'href="/static/js/app.js"' in page


def test_a_module_that_is_not_there_is_named() -> None:
    with pytest.raises(TemplateSyntaxError, match=r"js/nothing\.js"):
        graph_of("js/nothing.js")


def test_the_pips_of_the_page_are_those_of_the_deck() -> None:
    deck = (ROOT / "static/cards/deck.svg").read_text()
    page = (ROOT / "templates/games/_pips.html").read_text()
    symbols = re.findall(r"<symbol .*?</symbol>", page, re.DOTALL)
    assert [re.findall(r'id="([^"]+)"', symbol)[0] for symbol in symbols] == [
        "pip-C", "pip-D", "pip-H", "pip-S", "back",
    ]  # fmt: skip
    assert all(symbol in deck for symbol in symbols)
