"""The texts of Python modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from games.text.sources.texts import Found, Kind

_GETTEXT = {
    "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "pgettext",
    "pgettext_lazy", "npgettext", "npgettext_lazy", "_",
}  # fmt: skip
_ERRORS = ("refusals", "errors", "faults", "fault_sentences")
_NOTICES = ("notice_texts", "mails")
_CALLS: dict[str, Kind] = {
    "ValidationError": "error",
    "BadInput": "error",
    "CommandError": "command",
    "success": "notice",
    "info": "notice",
    "warning": "notice",
    "error": "notice",
}
_KEYWORDS: dict[str, Kind] = {"label": "label", "button": "button", "subject": "heading"}


def texts_of_module(path: Path, name: str) -> list[Found]:
    """Return the texts of a Python module in their order, with their kinds.

    The texts in a table of sentences, a dictionary at the top of a module, have their keys.

    Args:
        path: the module.
        name: its path from the root of the project.
    """
    source = path.read_text()
    if "gettext" not in source:
        return []
    return list(_texts(ast.parse(source), Found(name, "", kind=_kind_of_file(name))))


def _kind_of_file(name: str) -> Kind:
    path = Path(name)
    if "management" in path.parts:
        return "command"
    if path.stem == "admin":
        return "admin"
    if path.stem.endswith(_ERRORS):
        return "error"
    return "notice" if path.stem.endswith(_NOTICES) else "text"


def _texts(node: ast.AST, place: Found) -> Iterator[Found]:
    """Yield the texts below a node, which is at a `place` whose text is not known yet."""
    if isinstance(node, ast.Call):
        found = _text_of(node, place)
        if found is not None:
            yield found
            return
        kind = _CALLS.get(_name_of(node.func))
        place = replace(place, kind=kind) if kind else place
    elif isinstance(node, ast.Dict):
        yield from _texts_of_table(node, place)
        return
    elif isinstance(node, ast.keyword):
        place = replace(place, kind=_KEYWORDS.get(node.arg or "", place.kind))
    elif isinstance(node, ast.Assign | ast.AnnAssign) and node.col_offset == 0:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        place = replace(place, table=_name_of(target))
    for child in ast.iter_child_nodes(node):
        yield from _texts(child, place)


def _texts_of_table(node: ast.Dict, place: Found) -> Iterator[Found]:
    for key, value in zip(node.keys, node.values, strict=True):
        name = key.value if isinstance(key, ast.Constant) else ""
        yield from _texts(value, replace(place, key=name) if isinstance(name, str) else place)


def _text_of(node: ast.Call, place: Found) -> Found | None:
    """Return the text of a call of gettext; None for other calls."""
    name = _name_of(node.func)
    if name not in _GETTEXT:
        return None
    words = [one.value for one in node.args if isinstance(one, ast.Constant)]
    texts = [word for word in words if isinstance(word, str)]
    if not texts:
        return None
    context = texts.pop(0) if "p" in name.partition("gettext")[0] else ""
    plural = texts[1] if name.startswith("n") else ""
    return replace(place, text=texts[0], plural=plural, context=context)


def _name_of(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
