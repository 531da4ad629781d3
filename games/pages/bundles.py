"""Static files of a page: its sources, or the bundle built from them.

``make bundle`` writes static/dist with a manifest: the file for each entry, its sources, and their
hash. With the setting ``BUNDLES`` (the default of a public site) the bundle is served if the hash
matches the sources; otherwise the sources are, so that nothing served is stale.
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
    """A page names a file that is not below static/."""


@dataclass(frozen=True)
class Loaded:
    """The file that a page loads for an entry, and the files to preload with it."""

    file: str
    needs: tuple[str, ...] = ()


def read(name: str) -> str:
    """Return the text of a file below static/. Raises NoSuchFile."""
    return _file(name).read_text()


def _file(name: str) -> Path:
    found = finders.find(name)
    if found is None:
        raise NoSuchFile(f"{name!r} is not a static file")
    return Path(found)


_found = lru_cache(maxsize=512)(_file)


def _matches(pattern: re.Pattern[str], name: str) -> tuple[str, ...]:
    return _matches_at(pattern, name, _changed(name))


def _changed(name: str) -> int:
    """Return when a file was changed; it is looked for where it was the last time."""
    try:
        return _found(name).stat().st_mtime_ns
    except FileNotFoundError:
        _found.cache_clear()
        return _file(name).stat().st_mtime_ns


@lru_cache(maxsize=512)
def _matches_at(pattern: re.Pattern[str], name: str, _changed: int) -> tuple[str, ...]:
    """Return what `_matches` does; a file that has changed since is read again."""
    folder = posixpath.dirname(name)
    return tuple(
        posixpath.normpath(posixpath.join(folder, path)) for path in pattern.findall(read(name))
    )


def imports_of(name: str) -> tuple[str, ...]:
    """Return the modules imported by a module below static/, by path."""
    return _matches(IMPORT, name)


def graph_of(entry: str) -> tuple[str, ...]:
    """Return all modules that ``entry`` imports, directly or indirectly, nearest first."""
    found: dict[str, None] = {entry: None}
    waiting = [entry]
    while waiting:
        fresh = [name for name in imports_of(waiting.pop(0)) if name not in found]
        found.update(dict.fromkeys(fresh))
        waiting += fresh
    return tuple(found)[1:]


def sheets_of(entry: str) -> tuple[str, ...]:
    """Return the style sheets imported by an entry, in order."""
    return _matches(STYLE_IMPORT, entry)


def hash_of(inputs: Iterable[str]) -> str:
    """Return the hash of these sources, computed as in scripts/bundle.mjs. Raises NoSuchFile."""
    digest = hashlib.sha256()
    for name in inputs:
        digest.update(f"{name}\n{read(name)}".encode())
    return digest.hexdigest()


def fresh_bundles() -> dict[str, Loaded]:
    """Return the bundle of each entry; empty if the sources have changed since the build."""
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
def _cached_bundles() -> dict[str, Loaded]:
    bundles = fresh_bundles()
    if not bundles:
        log.warning("static/dist was built from other sources; serving the sources instead")
    return bundles


def bundle_of(entry: str) -> Loaded | None:
    """Return the bundle to serve for an entry and its imports; None to serve the sources."""
    return _cached_bundles().get(entry) if settings.BUNDLES else None


_cached_graph = lru_cache(maxsize=16)(graph_of)
_cached_sheets = lru_cache(maxsize=16)(sheets_of)


def forget() -> None:
    """Clear the caches, for tests that change files."""
    for cached in (_cached_bundles, _cached_graph, _cached_sheets, _found, _matches_at):
        cached.cache_clear()


def script_of(entry: str) -> Loaded:
    """Return the module file of an entry and the modules to preload."""
    graph = _cached_graph if settings.PRODUCTION else graph_of
    return bundle_of(entry) or Loaded(entry, graph(entry))


def styles_of(entry: str) -> tuple[str, ...]:
    """Return the style sheets to load for an entry."""
    bundle = bundle_of(entry)
    if bundle:
        return (bundle.file,)
    return (_cached_sheets if settings.PRODUCTION else sheets_of)(entry)
