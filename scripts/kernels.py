"""Compile the kernels of the computers into an extension module, for a site without Numba.

    python -m scripts.kernels

This needs Numba, setuptools, a C++ compiler and Python's headers; the result needs none of them. It
runs on every processor of this machine's architecture, with this version of Python.

The warm-up calls each kernel that a site calls, so the kernels and the types of their arguments are
read from what Numba has compiled by then. Numba's ahead-of-time compiler is a private interface and
due for deprecation, so its version is pinned (tests/site/test_libraries.py).
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import sys
import sysconfig
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

ANY_PROCESSOR = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
"""Numba reads this on import. Without it, inner functions would be optimised for this machine."""


class CannotBuild(Exception):
    """The reason why the extension module cannot be built."""


def used() -> dict[str, Any]:
    """Return the kernels that this process has compiled for calls from Python, by their keys."""
    from numba.core.dispatcher import Dispatcher

    from games.analysis import kernels
    from games.analysis.kernels import built

    found = {}
    for each in pkgutil.iter_modules(kernels.__path__, f"{kernels.__name__}."):
        module = importlib.import_module(each.name)
        for value in vars(module).values():
            own = isinstance(value, Dispatcher) and value.__module__ == module.__name__
            if own and signatures(value):
                found[built.key_of(value)] = value
    return found


def signatures(kernel: Any) -> list[Any]:
    """Return a kernel's compiled signatures, except those for literals, which only kernels use."""
    from numba import types

    compiled = [overload.signature for overload in kernel.overloads.values()]
    return [one for one in compiled if not any(isinstance(of, types.Literal) for of in one.args)]


def kind_of(argument: Any) -> str:
    """Return how `built.checker` describes an argument of this Numba type."""
    from numba import types

    if isinstance(argument, types.Array):
        if argument.layout != "C" or not argument.aligned:
            raise CannotBuild(f"arrays must be C-contiguous and aligned: {argument}")
        return f"{'' if argument.mutable else 'const '}{argument.dtype}[{argument.ndim}]"
    if str(argument) not in {"int64", "float64", "bool"}:
        raise CannotBuild(f"unsupported type of an argument: {argument}")
    return str(argument)


def build(kernels: Mapping[str, Any], folder: Path) -> Path:
    """Build an extension module from kernels that are already compiled; return its path.

    Raises:
        CannotBuild: if a kernel was called with several types, or there is no working C++ compiler.
    """
    from setuptools.errors import BaseError, CCompilerError

    from games.analysis.kernels import built

    compiler = importlib.import_module("numba.pycc.compiler")
    pycc = importlib.import_module("numba.pycc")

    def flags() -> Any:
        """Return compiler flags that make kernels release the GIL, as Numba's own do."""
        made = importlib.import_module("numba.core.compiler").Flags()
        made.release_gil = True
        return made

    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        raise CannotBuild("install Python's headers (Debian: apt install python3-dev)")
    folder.mkdir(parents=True, exist_ok=True)
    name, listed = built.module_name(), {}
    for key, kernel in kernels.items():
        if len(called := signatures(kernel)) != 1:
            raise CannotBuild(f"{key} must always be called with the same types: {called}")
        listed[key] = [kind_of(argument) for argument in called[0].args]
    with tempfile.TemporaryDirectory(dir=folder) as unfinished:
        try:
            made = pycc.CC(name)
            made.output_dir = unfinished
            for key, kernel in kernels.items():
                made.export(built.symbol_of(key), signatures(kernel)[0])(kernel.py_func)
            with patch.object(compiler, "Flags", flags):
                made.compile()
        except (BaseError, CCompilerError, RuntimeError) as error:
            advice = "install a C++ compiler (Debian: apt install g++)"
            said = str(error).partition("\n")[0]
            raise CannotBuild(f"{advice}: {said}") from error
        for old in folder.glob("kernels_*"):
            old.unlink()
        (folder / f"{name}.json").write_text(json.dumps(listed, indent=1) + "\n")
        return Path(unfinished, made.output_file).rename(folder / made.output_file)


def compile_all() -> None:
    """Let Numba compile all kernels of the site, including those that only other kernels call.

    Those would not be compiled if their callers were found in a cache, so the cache is empty.
    """
    os.environ.update(ANY_PROCESSOR)
    importlib.import_module("games.analysis.kernels.compiled")  # names another cache
    config = importlib.import_module("numba.core.config")
    from games.bots.warmup import warm_up

    with tempfile.TemporaryDirectory() as empty, patch.object(config, "CACHE_DIR", empty):
        warm_up()


def main() -> int:
    """Build what the site needs, and print where it is."""
    from games.analysis.kernels import built

    print("Compiling the loops of the computers ahead of time (a minute or two) ...", flush=True)
    try:
        compile_all()
        path = build(used(), built.FOLDER)
    except CannotBuild as reason:
        print(f"cribbage: {reason}", file=sys.stderr)
        return 1
    print(f"{path}: {path.stat().st_size / 2**20:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
