"""Which files a page loads: its sources as they are written, or the bundle that was made of them.

``make bundle`` writes static/dist, and into its record which page's entry became which file, of
which sources, and a hash of those. A public site serves the bundle where the sources are still
those; anything else serves the sources, which are therefore never out of date.
"""

from __future__ import annotations

import hashlib
import json
import logging
import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders

log = logging.getLogger(__name__)

RECORD = "dist/bundles.json"
IMPORT = re.compile(r'^(?:import|export)\b[^;]*?"(\.[^"]+)";', re.MULTILINE)
STYLE_IMPORT = re.compile(r'^@import "([^"]+)";', re.MULTILINE)


class NoSuchFile(LookupError):
    """A file that a page names is not below static/."""


@dataclass(frozen=True)
class Loaded:
    """What a page loads for one of its entries: a file, and those that the file needs at once."""

    file: str
    needs: tuple[str, ...] = ()


def read(name: str) -> str:
    """Return the text of a file below static/; raise NoSuchFile where it is none."""
    found = finders.find(name)
    if found is None:
        raise NoSuchFile(f"{name!r} is not among the static files.")
    return Path(found).read_text()


def _written(pattern: re.Pattern[str], name: str) -> list[str]:
    folder = posixpath.dirname(name)
    return [
        posixpath.normpath(posixpath.join(folder, path)) for path in pattern.findall(read(name))
    ]


def imports_of(name: str) -> list[str]:
    """Return the modules that a module below static/ imports, by their paths there."""
    return _written(IMPORT, name)


def graph_of(entry: str) -> tuple[str, ...]:
    """Return every module that ``entry`` needs, nearest first, without itself."""
    found: dict[str, None] = {entry: None}
    waiting = [entry]
    while waiting:
        fresh = [name for name in imports_of(waiting.pop(0)) if name not in found]
        found.update(dict.fromkeys(fresh))
        waiting += fresh
    return tuple(found)[1:]


def sheets_of(entry: str) -> tuple[str, ...]:
    """Return the style sheets that a page's list imports, in their order."""
    return tuple(_written(STYLE_IMPORT, entry))


def hash_of(inputs: Iterable[str]) -> str:
    """Return the hash of these sources, as scripts/bundle.mjs makes it; raise NoSuchFile."""
    seen = hashlib.sha256()
    for name in inputs:
        seen.update(f"{name}\n{read(name)}".encode())
    return seen.hexdigest()


def fresh_bundles() -> dict[str, Loaded]:
    """Return the bundle of each entry, or nothing where the sources are not those recorded."""
    try:
        record: dict[str, Any] = json.loads(read(RECORD))
        fresh = hash_of(record["inputs"]) == record["hash"]
    except NoSuchFile:
        return {}
    if not fresh:
        return {}
    pages = record["pages"].items()
    return {entry: Loaded(page["file"], tuple(page["needs"])) for entry, page in pages}


@lru_cache(maxsize=1)
def _kept_bundles() -> dict[str, Loaded]:
    bundles = fresh_bundles()
    if not bundles:
        log.warning("static/dist is not made of these sources; they are served themselves.")
    return bundles


def bundle_of(entry: str) -> Loaded | None:
    """Return what is served instead of an entry and all it imports, or None for itself."""
    return _kept_bundles().get(entry) if settings.PRODUCTION else None


_kept_graph = lru_cache(maxsize=16)(graph_of)
_kept_sheets = lru_cache(maxsize=16)(sheets_of)


def forget() -> None:
    """Look at the files anew: for tests, which change them."""
    for kept in (_kept_bundles, _kept_graph, _kept_sheets):
        kept.cache_clear()


def script_of(entry: str) -> Loaded:
    """Return what is loaded for a page's module, with all modules that it needs at once."""
    graph = _kept_graph if settings.PRODUCTION else graph_of
    return bundle_of(entry) or Loaded(entry, graph(entry))


def styles_of(entry: str) -> tuple[str, ...]:
    """Return the style sheets that are loaded for a page's list of them."""
    bundle = bundle_of(entry)
    if bundle:
        return (bundle.file,)
    return (_kept_sheets if settings.PRODUCTION else sheets_of)(entry)
