"""All texts in the sources of the site."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.conf import settings

from games.text.sources.modules import texts_of_module
from games.text.sources.scripts import texts_of_script
from games.text.sources.templates import texts_of_template
from games.text.sources.texts import Found

_READERS = {".py": texts_of_module, ".html": texts_of_template, ".txt": texts_of_template,
            ".js": texts_of_script}  # fmt: skip
_FOLDERS = ("cribbage_site", "games", "ratings", "static/js", "templates")


@cache
def all_texts() -> tuple[Found, ...]:
    """Return all texts of the modules, templates and browser modules, by file.

    They are read once in a process, in a second or two.
    """
    root = Path(settings.BASE_DIR)
    return tuple(found for path in _files(root) for found in _texts_of(path, root))


def _files(root: Path) -> Iterator[Path]:
    for folder in _FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in _READERS and "migrations" not in path.parts:
                yield path


def _texts_of(path: Path, root: Path) -> list[Found]:
    return _READERS[path.suffix](path, path.relative_to(root).as_posix())
