"""Compile the kernels of the computers into an extension module, for a site without Numba.

    python -m scripts.kernels
    python -m scripts.kernels --built
    python -m scripts.kernels --list

This needs Numba, setuptools, a C++ compiler and Python's headers; the result needs none of them. It
runs on every processor of this machine's architecture, with this version of Python.

The second command only tells, by its status, whether that has been done for these sources.

`scripts/kernels.json` lists the kernels that a site calls, with the types of their arguments and
results. After a change of the kernels, the third command writes it: the warm-up calls all of them,
so the types are read from what Numba has compiled by then. Numba's ahead-of-time compiler is a
private interface and due for deprecation, so its version is pinned (tests/site/test_libraries.py).
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

ANY_PROCESSOR = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
"""Numba reads this on import. Without it, the kernels would be optimised for this machine."""

LIST = Path(__file__).with_suffix(".json")


class CannotBuild(Exception):
    """The reason why the extension module cannot be built."""


class Signature(NamedTuple):
    """The kinds of a kernel's arguments, as `built.checker` reads them, and of its result."""

    arguments: list[str]
    result: str


def listed() -> dict[str, Signature]:
    """Return the kernels that a site calls from Python, by their keys."""
    return {key: Signature(**one) for key, one in json.loads(LIST.read_text()).items()}


def used() -> dict[str, Signature]:
    """Return the kernels that this process has compiled, or loaded from Numba's cache.

    Those that only other kernels call are among them only if their callers were compiled.

    Raises:
        CannotBuild: if a kernel was called with several types, or with one that is not supported.
    """
    from numba.core.dispatcher import Dispatcher

    from games.analysis import kernels
    from games.analysis.kernels import built

    found = {}
    for each in pkgutil.iter_modules(kernels.__path__, f"{kernels.__name__}."):
        module = importlib.import_module(each.name)
        for value in vars(module).values():
            own = isinstance(value, Dispatcher) and value.__module__ == module.__name__
            if own and (compiled := _signatures(value)):
                key = built.key_of(value)
                if len(compiled) != 1:
                    raise CannotBuild(
                        f"{key} must always be called with the same types: {compiled}"
                    )
                arguments = [_kind_of(argument) for argument in compiled[0].args]
                found[key] = Signature(arguments, str(compiled[0].return_type))
    return found


def _signatures(kernel: Any) -> list[Any]:
    """Return a kernel's compiled signatures, except those for literals, which only kernels use."""
    from numba import types

    compiled = [overload.signature for overload in kernel.overloads.values()]
    return [one for one in compiled if not any(isinstance(of, types.Literal) for of in one.args)]


def _kind_of(argument: Any) -> str:
    """Return how `built.checker` describes an argument of this Numba type."""
    from numba import types

    if isinstance(argument, types.Array):
        if argument.layout != "C" or not argument.aligned:
            raise CannotBuild(f"arrays must be C-contiguous and aligned: {argument}")
        return f"{'' if argument.mutable else 'const '}{argument.dtype}[{argument.ndim}]"
    if str(argument) not in {"int64", "float64", "bool"}:
        raise CannotBuild(f"unsupported type of an argument: {argument}")
    return str(argument)


def _type_of(kind: str) -> Any:
    """Return the Numba type of an argument or a result of this kind."""
    from numba import types

    name, _, dimensions = kind.removeprefix("const ").rstrip("]").partition("[")
    number = getattr(types, {"bool": "boolean"}.get(name, name))
    if not dimensions:
        return number
    return types.Array(number, int(dimensions), "C", readonly=kind.startswith("const "))


def build(kernels: Mapping[str, Signature], folder: Path) -> Path:
    """Build an extension module of these kernels; return its path.

    Raises:
        CannotBuild: if there are no headers of Python, or no working C++ compiler.
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
    name = built.module_name()
    with tempfile.TemporaryDirectory(dir=folder) as unfinished:
        try:
            made = pycc.CC(name)
            made.output_dir = unfinished
            for key, (arguments, result) in kernels.items():
                module, _, function = key.partition(".")
                kernel = getattr(
                    importlib.import_module(f"games.analysis.kernels.{module}"), function
                )
                signature = _type_of(result)(*map(_type_of, arguments))
                made.export(built.symbol_of(key), signature)(kernel.py_func)
            with patch.object(compiler, "Flags", flags):
                made.compile()
        except (BaseError, CCompilerError, RuntimeError) as error:
            advice = "install a C++ compiler (Debian: apt install g++)"
            said = str(error).partition("\n")[0]
            raise CannotBuild(f"{advice}: {said}") from error
        for old in folder.glob("kernels_*"):
            old.unlink()
        arguments_of = {key: one.arguments for key, one in kernels.items()}
        (folder / f"{name}.json").write_text(json.dumps(arguments_of, indent=1) + "\n")
        return Path(unfinished, made.output_file).rename(folder / made.output_file)


def is_built() -> bool:
    """Return whether what the site needs has been built from these sources, for this Python."""
    from games.analysis.kernels import built

    try:
        _, arguments_of = built.load()
    except ImportError:
        return False
    return arguments_of == {key: one.arguments for key, one in listed().items()}


def write_list() -> None:
    """Write which kernels a site calls, after a process before this one has filled the cache."""
    from games.bots.warmup import warm_up

    subprocess.run([sys.executable, "-m", "games.bots.warmup"], check=True)
    warm_up()
    kernels = {key: one._asdict() for key, one in sorted(used().items())}
    LIST.write_text(json.dumps(kernels, indent=1) + "\n")


def main() -> int:
    """Build what the site needs, and print where it is; or tell whether it is, or list it."""
    from games.analysis.kernels import built

    if sys.argv[1:] == ["--built"]:
        return 0 if is_built() else 1
    if sys.argv[1:] == ["--list"]:
        write_list()
        return 0
    os.environ.update(ANY_PROCESSOR)
    importlib.import_module("games.analysis.kernels.compiled")  # names Numba's cache
    config = importlib.import_module("numba.core.config")
    try:
        with tempfile.TemporaryDirectory() as empty, patch.object(config, "CACHE_DIR", empty):
            path = build(listed(), built.FOLDER)
    except CannotBuild as reason:
        print(f"cribbage: {reason}", file=sys.stderr)
        return 1
    print(f"{path}: {path.stat().st_size / 2**20:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
