"""Warming up: kernels are compiled on request, and not on import."""

import ast
import json
import signal
import subprocess
import sys
from pathlib import Path

from scripts import kernels
from scripts.kernels import Signature
from tests.support.servers import ROOT

GAMES = ROOT / "games"
KERNELS = GAMES / "analysis" / "kernels"
OFFLINE = {
    GAMES / "analysis" / name
    for name in ("build_tables.py", "build_tables_three.py", "deal_values.py")
}
"""Modules whose kernels make tables and measurements; they need Numba."""


def test_importing_the_bots_does_not_import_numba() -> None:
    code = "import sys, games.bots; print('numba' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert found.stdout.strip() == "False"


INTERRUPTED = """
import os, runpy, signal
from games.analysis import arena

def play_game(*_arguments, **_more):
    os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
arena.play_game = play_game
runpy.run_module("games.bots.warmup", run_name="__main__")
"""


def test_ctrl_c_ends_the_warm_up_without_a_traceback() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


USED = """
import json
from games.bots.warmup import warm_up
from scripts import kernels

warm_up()
print(json.dumps({key: one._asdict() for key, one in kernels.used().items()}))
"""


def test_the_warm_up_calls_every_kernel_of_the_site_with_the_listed_types() -> None:
    """In a process of its own: other tests may have compiled a kernel for other arguments.

    What is built ahead of time has exactly these kernels, for these arguments. If this fails after
    a change of the kernels, `python -m scripts.kernels --list` writes the list again.
    """
    found = subprocess.run(
        [sys.executable, "-c", USED], cwd=ROOT, check=True, capture_output=True, text=True
    )
    used = {key: Signature(**one) for key, one in json.loads(found.stdout).items()}
    listed = kernels.listed()
    called = called_by_the_site()
    assert {"search.rate_plays", "three_belief.rate_believed", "endgames.rank_of"} <= called
    assert called <= listed.keys()
    assert {key: used.get(key) for key in listed} == listed


def called_by_the_site() -> set[str]:
    """Return the keys of all kernels that modules outside their package use."""
    found = set()
    for path in GAMES.rglob("*.py"):
        if path not in OFFLINE and path.parent != KERNELS:
            found |= names_in(path)
    return found & {f"{path.stem}.{name}" for path in KERNELS.glob("*.py") for name in loops(path)}


def loops(path: Path) -> set[str]:
    """Return the names of the functions of a module that a decorator compiles."""
    return {
        node.name
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(each).startswith("compiled") for each in node.decorator_list)
    }


def names_in(path: Path) -> set[str]:
    """Return what a module takes from modules of the kernels, as `module.name`."""
    package = "games.analysis.kernels"
    tree = ast.parse(path.read_text())
    found: set[str] = set()
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == package:
            modules |= {each.asname or each.name: each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{package}."):
            module = (node.module or "").rpartition(".")[2]
            found |= {f"{module}.{each.name}" for each in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = modules.get(node.value.id, "")
            found.add(f"{module}.{node.attr}")
    return found
