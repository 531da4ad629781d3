"""Decorators for kernels: Numba compiles them and caches them on disk.

Where Numba is not installed, as in the image, they return what was built ahead of time.

Import this module and the kernels inside the functions that need them: importing Numba takes most
of a second, a cost that sites without games against the computer should not pay.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from games.analysis.kernels import built

P = ParamSpec("P")
T = TypeVar("T")


def _cache_in(folder: Path) -> None:
    """Cache compiled code in ``folder`` if it is writable, otherwise in Numba's default folder.

    Numba's cache checks only the file of the outermost function. A separate folder for each
    version of the sources prevents stale inner functions.
    """
    from numba import config

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return
    config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # Numba defines it at run time


if built.HAS_NUMBA:
    _cache_in(built.HERE / "__pycache__" / built.digest())


def compiled(function: Callable[P, T]) -> Callable[P, T]:
    """Compile ``function`` on its first call; it must not use Python objects."""
    return _compile(function, cache=True) if built.HAS_NUMBA else built.kernel(function)


def compiled_uncached(function: Callable[P, T]) -> Callable[P, T]:
    """Compile ``function`` in each process: Numba cannot cache recursive functions."""
    return _compile(function) if built.HAS_NUMBA else built.kernel(function)


def _compile(function: Callable[P, T], **options: Any) -> Callable[P, T]:
    from numba import njit

    made: Callable[P, T] = njit(nogil=True, **options)(function)
    return made
