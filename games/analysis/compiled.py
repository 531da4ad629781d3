"""Compiled loops: Numba, kept on disk so that only the first process ever waits for it.

Import this, and whatever uses it, inside the function that needs it: importing Numba takes most of
a second, and a site that nobody plays the computer on need not pay for it.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import ParamSpec, TypeVar

from numba import config, njit

P = ParamSpec("P")
T = TypeVar("T")

HERE = Path(__file__).parent


def _digest() -> str:
    """Return a short digest of every kernel's source.

    Numba's cache looks only at the file of the outermost function; a folder for each state of the
    sources keeps it from running a stale inner one.
    """
    sources = sorted(HERE.glob("*kernel*.py"))
    return sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]


def _cache_in(folder: Path) -> None:
    """Keep compiled code below ``folder`` where it can be written; else where Numba likes."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return
    config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # made from the environment


_cache_in(HERE / "__pycache__" / _digest())


def compiled(function: Callable[P, T]) -> Callable[P, T]:
    """Compile ``function`` on its first call; it must do without Python objects."""
    made: Callable[P, T] = njit(cache=True, nogil=True)(function)
    return made


def compiled_afresh(function: Callable[P, T]) -> Callable[P, T]:
    """Compile ``function`` in each process anew: one that calls itself does not survive a cache."""
    made: Callable[P, T] = njit(nogil=True)(function)
    return made
