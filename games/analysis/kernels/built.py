"""Kernels compiled ahead of time, for installations without Numba.

`python -m scripts.kernels` writes an extension module and a list of its kernels' arguments. The
names of both contain the digest of the sources, so that nothing built from others is ever loaded.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable
from functools import cache, wraps
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from numbers import Real
from pathlib import Path
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
T = TypeVar("T")

HERE = Path(__file__).parent
FOLDER = HERE / "built"
HAS_NUMBA = find_spec("numba") is not None
"""Whether kernels are compiled here; what was built ahead of time is then not used."""


class NotBuilt(ImportError):
    """Numba is not installed, and there is no extension module with this kernel."""


@cache
def digest() -> str:
    """Return a short digest of the source of all kernels."""
    sources = sorted(HERE.glob("*.py"))
    return sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]


def module_name() -> str:
    """Return the name of the extension module that is built from these sources."""
    return f"kernels_{digest()}"


def key_of(function: Callable[..., object]) -> str:
    """Return a kernel's name in the list: its module's last part and its own name."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


def symbol_of(key: str) -> str:
    """Return the name of a kernel in the extension module."""
    return key.replace(".", "__")


def kernel(function: Callable[P, T]) -> Callable[P, T]:
    """Return the built form of a kernel, which checks its arguments.

    Kernels that only make tables and measurements are not built, and raise `NotBuilt` when called.

    Raises:
        NotBuilt: if no extension module was built from these sources for this Python.
    """
    module, listed = load()
    key = key_of(function)
    native = getattr(module, symbol_of(key)) if key in listed else None
    wanted = listed.get(key, [])
    names = function.__code__.co_varnames
    checks = [checker(f"{key}: {name}", kind) for name, kind in zip(names, wanted, strict=False)]

    @wraps(function)
    def call(*arguments: P.args, **_: P.kwargs) -> T:
        if native is None:
            raise NotBuilt(f"{key} was not built ahead of time, and Numba is not installed")
        if len(arguments) != len(checks):
            raise TypeError(f"{key} takes {len(checks)} arguments, not {len(arguments)}")
        given = [check(argument) for check, argument in zip(checks, arguments, strict=True)]
        found: T = native(*given)
        return found

    return call


@cache
def load() -> tuple[ModuleType, dict[str, list[str]]]:
    """Return the extension module, and the kinds of arguments of each of its kernels."""
    name = module_name()
    found = [path for end in EXTENSION_SUFFIXES if (path := FOLDER / f"{name}{end}").is_file()]
    spec = spec_from_file_location(name, found[0]) if found else None
    if spec is None or spec.loader is None:
        others = len(list(FOLDER.glob("kernels_*.json")))
        raise NotBuilt(
            f"Numba is not installed, and there is no {name} for this Python in {FOLDER}"
            f"{', only one built from other sources' if others else ''}."
            " Run make run, install requirements.lock, or see docs/deployment.md."
        )
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, json.loads((FOLDER / f"{name}.json").read_text())


def checker(what: str, kind: str) -> Callable[[Any], Any]:
    """Return a function that returns an argument as the extension needs it, or raises TypeError.

    The extension itself would read any array as if it were of this kind. A kind is the name of a
    number's type; for an array the number of dimensions follows in brackets, and `const` stands
    before it if the kernel only reads it.
    """
    parts = re.fullmatch(r"(const )?(\w+?)(?:\[(\d)\])?", kind)
    if parts is None:
        raise ValueError(f"unknown kind of argument: {kind}")
    if parts[3] is None:
        return {"int64": _integer, "float64": _real, "bool": _boolean}[parts[2]](what)
    return _array(what, kind, np.dtype(parts[2]), int(parts[3]), writes=parts[1] is None)


def _integer(what: str) -> Callable[[Any], int]:
    def convert(value: Any) -> int:
        try:
            return operator.index(value)
        except TypeError:
            raise TypeError(f"{what} must be a whole number, not {value!r}") from None

    return convert


def _real(what: str) -> Callable[[Any], float]:
    def convert(value: Any) -> float:
        if type(value) is float:
            return value
        if not isinstance(value, Real):
            raise TypeError(f"{what} must be a number, not {value!r}")
        return float(value)

    return convert


def _boolean(what: str) -> Callable[[Any], bool]:
    def convert(value: Any) -> bool:
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{what} must be True or False, not {value!r}")
        return bool(value)

    return convert


def _array(
    what: str, kind: str, dtype: np.dtype[Any], dimensions: int, *, writes: bool
) -> Callable[[Any], Any]:
    def convert(value: Any) -> Any:
        if (
            isinstance(value, np.ndarray)
            and value.dtype == dtype
            and value.ndim == dimensions
            and (flags := value.flags).c_contiguous
            and flags.aligned
            and (flags.writeable or not writes)
        ):
            return value
        given = getattr(value, "dtype", type(value).__name__)
        shape = f" of shape {value.shape}" if isinstance(value, np.ndarray) else ""
        raise TypeError(f"{what} must be a C-contiguous array {kind}, not {given}{shape}")

    return convert
