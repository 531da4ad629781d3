"""Table files: a JSON header with the table's origin, then the measured numbers.

The header is padded to `HEADER` bytes so that the numbers can be memory-mapped: processes on one
machine share them, and pages are read on demand. ``manage.py make_tables`` writes the files.
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
"""Size of the header in bytes."""
FORMAT = 1
Array = NDArray[Any]


class TableError(RuntimeError):
    """A table file is missing, truncated or in another format; the message names the file."""


def path_of(name: str, folder: Path = FOLDER) -> Path:
    """Return the path of the table ``name``."""
    return folder / f"{name}.table"


def save(
    name: str, array: Array, *, seed: int, seconds: float, note: str, folder: Path = FOLDER
) -> Path:
    """Write a table with its header: seed, CPU seconds spent, size in bytes and a note."""
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
        TableError: if the file is missing or not a table in this format.
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
    """Return a table shipped with the project, memory-mapped and read-only.

    Raises:
        TableError: if the file is missing, truncated or in another format.
    """
    return read(name, FOLDER)


def read(name: str, folder: Path) -> Array:
    """Return a table from a folder, memory-mapped and read-only.

    Raises:
        TableError: if the file is missing, truncated or in another format.
    """
    found = header(name, folder)
    path = path_of(name, folder)
    if path.stat().st_size != HEADER + found["bytes"]:
        raise TableError(f"{path.name} is truncated: its header says {found['bytes']} bytes")
    return np.memmap(
        path, dtype=np.dtype(found["dtype"]), mode="r", offset=HEADER, shape=tuple(found["shape"])
    )
