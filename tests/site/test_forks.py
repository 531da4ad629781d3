"""The tests' forked processes: they read their settings anew, and have the kernels loaded."""

import ast
import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from numba import config

from scripts import kernels
from tests.support.fork_jobs import READ_AT_IMPORT
from tests.support.forked_process import AT_START, SITE, kernels_are_compiled
from tests.support.launcher import ROOT, Script
from tests.support.servers import site_environment, sqlite_url

SETTINGS = {"SESSION_COOKIE_NAME": "SITE_MODE"}
"""The settings that are read while modules are imported, with the variables they come from."""

SAME_EVERYWHERE = {"AUTH_USER_MODEL"}
"""Settings that no variable changes."""


def read_at_import(node: ast.AST) -> Iterator[str]:
    """Yield the settings that a module reads outside its functions."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        defaults = (*node.args.defaults, *filter(None, node.args.kw_defaults))
        for part in (*defaults, *getattr(node, "decorator_list", ())):
            yield from read_at_import(part)
        return
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.value.id == "settings":
            yield node.attr
        elif node.value.id == "os" and node.attr in {"environ", "getenv"}:
            yield "os.environ"
    for part in ast.iter_child_nodes(node):
        yield from read_at_import(part)


def sources() -> Iterator[Path]:
    for name in SITE:
        for file in (ROOT / name).rglob("*.py"):
            module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            if module not in {AT_START, "cribbage_site.settings"}:
                yield file


def test_imports_read_only_the_settings_that_tell_forks_apart() -> None:
    found = {
        f"{name} in {file.relative_to(ROOT)}"
        for file in sources()
        for name in read_at_import(ast.parse(file.read_text()))
        if name not in SAME_EVERYWHERE and SETTINGS.get(name) not in READ_AT_IMPORT
    }
    assert not found


def test_a_fork_begins_with_the_kernels_of_the_computers_loaded(tmp_path: Path) -> None:
    if not kernels_are_compiled():
        assert not os.environ.get("CI"), "`make kernels` has compiled nothing"
        pytest.skip("`make kernels` compiles them")
    script = (
        "from games.analysis.kernels.search import rate_plays\nprint(len(rate_plays.signatures))"
    )
    said = Script(["-c", script], site_environment(sqlite_url(tmp_path))).finish()
    assert int(said) > 0


def test_kernels_of_which_one_is_missing_are_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The launcher would compile that one, and everyone who asks it for a process would wait."""
    importlib.import_module("games.analysis.kernels.compiled")  # names the folder, once
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    assert not kernels_are_compiled()
    *others, last = kernels.listed()
    for key in others:
        (tmp_path / f"{key}-1.py311.nbi").touch()
    assert not kernels_are_compiled()
    (tmp_path / f"{last}-1.py311.nbi").touch()
    assert kernels_are_compiled()


def test_a_launcher_that_no_one_asks_ends_without_importing_the_libraries(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    command = ["-X", "importtime", "-m", "tests.support.forks", str(folder / "launcher")]
    ended = subprocess.run(
        [sys.executable, *command],
        check=False,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stdout) == (0, "ready\n"), ended.stderr
    imported = ended.stderr
    assert "tests.support.shared_postgres" in imported and "twisted" not in imported
    assert not folder.exists()
