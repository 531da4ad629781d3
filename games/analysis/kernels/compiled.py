"""Decorators that compile kernels with Numba and cache them on disk.

Import this module and the kernels inside the functions that need them: importing Numba takes most
of a second, a cost that sites without games against the computer should not pay.
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
    """Return a short digest of the source of all kernels.

    Numba's cache checks only the file of the outermost function. A separate folder for each
    version of the sources prevents stale inner functions.
    """
    sources = sorted(HERE.glob("*.py"))
    return sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]


def _cache_in(folder: Path) -> None:
    """Cache compiled code in ``folder`` if it is writable, otherwise in Numba's default folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return
    config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # Numba defines it at run time


_cache_in(HERE / "__pycache__" / _digest())


def compiled(function: Callable[P, T]) -> Callable[P, T]:
    """Compile ``function`` on its first call; it must not use Python objects."""
    made: Callable[P, T] = njit(cache=True, nogil=True)(function)
    return made


def compiled_uncached(function: Callable[P, T]) -> Callable[P, T]:
    """Compile ``function`` in each process: Numba cannot cache recursive functions."""
    made: Callable[P, T] = njit(nogil=True)(function)
    return made
