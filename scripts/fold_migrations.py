"""Move indexes and constraints of the initial migrations into the operations that make tables.

    python -m scripts.fold_migrations       # with --check it only says whether any can be moved

`makemigrations` adds most of them afterwards. Each then costs a new set of models in memory, and a
constraint a new table in SQLite: together half of the first start of a site. Those of
models that get further fields later, or have the option already, stay where they are.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
APPS = ("games", "ratings")
ADDED = {"AddIndex": "indexes", "AddConstraint": "constraints"}
"""Operation -> the option of a model that says the same."""


def folded(source: str) -> str:
    """Return the source of an initial migration with its indexes and constraints moved."""
    operations = list(_operations(ast.parse(source)))
    makers = {_model(call, "name"): call for call in operations if _kind(call) == "CreateModel"}
    late = {_model(call, "model_name") for call in operations if _kind(call) == "AddField"}
    moved: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    gone: set[int] = set()
    for call in operations:
        option = ADDED.get(_kind(call))
        if option is None or (model := _model(call, "model_name")) in late or model not in makers:
            continue
        options = next(word.value for word in makers[model].keywords if word.arg == "options")
        if option in _keys(options):
            continue
        text = ast.get_source_segment(source, call.keywords[-1].value)
        moved[options.lineno][option].append(f"                    {text},\n")
        gone.update(range(call.lineno, (call.end_lineno or call.lineno) + 1))
    lines: list[str] = []
    for number, line in enumerate(source.splitlines(keepends=True), 1):
        if number not in gone:
            lines.append(line)
        for option, texts in moved[number].items():
            lines += [f"                '{option}': [\n", *texts, "                ],\n"]
    return "".join(lines)


def _operations(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "operations":
            yield from (
                call for call in ast.iter_child_nodes(node.value) if isinstance(call, ast.Call)
            )


def _kind(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _model(call: ast.Call, argument: str) -> str:
    value = next(word.value for word in call.keywords if word.arg == argument)
    return str(ast.literal_eval(value)).lower()


def _keys(node: ast.expr) -> set[str]:
    return {
        key.value
        for key in ast.iter_child_nodes(node)
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }


def main() -> None:
    """Rewrite the initial migrations; with ``--check`` exit with 1 if one would change."""
    check = "--check" in sys.argv[1:]
    for app in APPS:
        path = ROOT / app / "migrations" / "0001_initial.py"
        source = path.read_text("utf-8")
        if check and folded(source) != source:
            sys.exit(f"{path.name} of {app} can be folded: python -m scripts.fold_migrations")
        path.write_text(folded(source), "utf-8")


if __name__ == "__main__":
    main()
