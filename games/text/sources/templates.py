"""The texts of Django templates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.template import Engine, Node, NodeList, Template
from django.template.base import TextNode, VariableNode
from django.template.defaulttags import ForNode
from django.template.loader_tags import BlockNode, IncludeNode
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

from games.text.sources.markup import EMPTY, mark, with_kinds
from games.text.sources.texts import Found

_ARGUMENT = re.compile(r"""\b_\(["']([^"'\\]+)["']\)""")
_EMPTY = re.compile(
    r"(?:No|You're not in)\b.*\b(?:yet|right now|found|planned|today|recently|open tables"
    r"|these filters)\b|.*\bappears? here\b"
)
"""Text of an empty list: it may be in a branch of a condition instead of `{% empty %}`."""


def texts_of_template(path: Path, name: str) -> list[Found]:
    """Return the texts of a template in their order, with their kinds.

    Args:
        path: the template.
        name: its path from the root of the project.
    """
    source = path.read_text()
    reader = _Reader(name)
    template = Template(source, engine=Engine.get_default())
    markup = "".join(reader.markup(template.nodelist))
    # A text in the argument of a filter is compiled into its translation.
    arguments = [Found(name, text) for text in _ARGUMENT.findall(source)]
    return [*map(_empty_by_its_words, with_kinds(markup, reader.found)), *arguments]


def _empty_by_its_words(found: Found) -> Found:
    """Return a text, as that of an empty list if its words say so and nothing else its kind."""
    empty = found.kind == "text" and _EMPTY.match(found.text)
    return replace(found, kind="empty") if empty else found


class _Reader:
    """Turns the nodes of a template into markup with marks.

    Attributes:
        found: the texts, by the numbers of their marks.
        named: variable -> the mark of the text that it holds.
        own: False in an included template, whose own texts are read by themselves.
    """

    def __init__(self, name: str, named: dict[str, str] | None = None, own: bool = True) -> None:
        self.name = name
        self.found: list[Found] = []
        self.named = named or {}
        self.own = own

    def markup(self, nodes: NodeList | list[Node]) -> Iterator[str]:
        """Yield the markup of nodes; all branches of a condition follow one another."""
        for node in nodes:
            if isinstance(node, TextNode):
                yield node.s
            elif isinstance(node, TranslateNode):
                yield self._noted(self._simple(node), node.asvar)
            elif isinstance(node, BlockTranslateNode):
                yield self._noted(self._block(node), node.asvar)
            elif isinstance(node, VariableNode):
                # A text that was kept in a variable, and is shown here.
                yield self.named.get(str(node.filter_expression.var), "")
            elif isinstance(node, IncludeNode):
                yield from self._included(node)
            else:
                yield from self._inner(node)

    def _included(self, node: IncludeNode) -> Iterator[str]:
        """Yield the markup of an included template that shows texts of this one."""
        given = {} if node.isolated_context else dict(self.named)
        for name, value in node.extra_context.items():
            given[name] = self.named.get(str(value.var), "")
        if any(given.values()) and isinstance(node.template.var, str):
            template = Engine.get_default().get_template(node.template.var)
            yield from _Reader(self.name, given, own=False).markup(template.nodelist)

    def _inner(self, node: Node) -> Iterator[str]:
        if isinstance(node, BlockNode):
            yield f"<x-block-{node.name}>"
        for attribute in node.child_nodelists:
            inner = getattr(node, attribute, None)
            if not inner:
                continue
            empty = isinstance(node, ForNode) and attribute == "nodelist_empty"
            if empty:
                yield f"<{EMPTY}>"
            yield from self.markup(inner)
            if empty:
                yield f"</{EMPTY}>"
        if isinstance(node, BlockNode):
            yield f"</x-block-{node.name}>"

    def _noted(self, found: Found, asvar: str | None) -> str:
        if not self.own:
            return ""
        self.found.append(found)
        text = mark(len(self.found) - 1)
        if asvar is None:
            return text
        self.named[asvar] = text
        return ""

    def _simple(self, node: TranslateNode) -> Found:
        text = node.filter_expression.var
        return Found(self.name, getattr(text, "literal", str(text)).strip("\"'"),
                     context=_context(node))  # fmt: skip

    def _block(self, node: BlockTranslateNode) -> Found:
        text, _names = node.render_token_list(node.singular)
        plural, _names = node.render_token_list(node.plural) if node.plural else ("", [])
        return Found(self.name, text, plural, context=_context(node))


def _context(node: Any) -> str:
    context = node.message_context
    return str(context.resolve({})) if context else ""
