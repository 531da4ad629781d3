"""Measured tables: one file each, a line of JSON that says where it came from, then the numbers.

The header is padded to `HEADER` bytes, so that the numbers can be memory-mapped: processes on one
machine share them, and nothing is read before it is asked for. ``manage.py make_tables`` writes
them.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parent / "tables"
HEADER = 1024
"""Bytes before the numbers."""
FORMAT = 1
Array = NDArray[Any]


class TableError(RuntimeError):
    """A table is missing, cut short or of another format; the message names the file."""


def path_of(name: str, folder: Path = FOLDER) -> Path:
    """Return the file of the table ``name``."""
    return folder / f"{name}.table"


def save(
    name: str, array: Array, *, seed: int, seconds: float, note: str, folder: Path = FOLDER
) -> Path:
    """Write a table with its header: seed, CPU seconds spent, size in bytes and a note in words."""
    numbers = np.ascontiguousarray(array)
    header = {
        "format": FORMAT,
        "name": name,
        "note": note,
        "seed": seed,
        "seconds": round(seconds, 1),
        "bytes": numbers.nbytes,
        "dtype": numbers.dtype.str,
        "shape": list(numbers.shape),
    }
    line = json.dumps(header).encode()
    if len(line) >= HEADER:
        raise TableError(f"the header of {name!r} has {len(line)} bytes, at most {HEADER - 1}")
    path = path_of(name, folder)
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_bytes(line.ljust(HEADER - 1) + b"\n" + numbers.tobytes())
    unfinished.replace(path)
    return path


def header(name: str, folder: Path = FOLDER) -> dict[str, Any]:
    """Return the header of a table.

    Raises:
        TableError: if the file is missing or is no table of this format.
    """
    path = path_of(name, folder)
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(HEADER))
    except (OSError, ValueError) as problem:
        raise TableError(f"no table in {path.name}: {problem}") from problem
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise TableError(f"{path.name} is not of format {FORMAT}")
    return found


@cache
def load(name: str) -> Array:
    """Return a table that is shipped, memory-mapped and read-only.

    Raises:
        TableError: if the file is missing, cut short or of another format.
    """
    return read(name, FOLDER)


def read(name: str, folder: Path) -> Array:
    """Return a table of a folder, memory-mapped and read-only.

    Raises:
        TableError: if the file is missing, cut short or of another format.
    """
    found = header(name, folder)
    path = path_of(name, folder)
    if path.stat().st_size != HEADER + found["bytes"]:
        raise TableError(f"{path.name} does not hold the {found['bytes']} bytes it promises")
    return np.memmap(
        path, dtype=np.dtype(found["dtype"]), mode="r", offset=HEADER, shape=tuple(found["shape"])
    )
