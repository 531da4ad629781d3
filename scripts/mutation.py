"""Mutation testing: run a sample of mutants, and report how many the tests kill (`make mutation`).

cosmic-ray lists every mutant of the code in `TARGETS`. A fixed random sample is run in a copy of
the tree, each mutant against the tests of its package only, and the survivors are listed.
``MUTANTS=400 make mutation`` takes a larger sample, ``MUTATION_SEED=7`` a different one, and
``python -m scripts.mutation wire`` only that target.
"""

from __future__ import annotations

import ast
import compileall
import os
import random
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from py_compile import PycInvalidationMode
from tempfile import TemporaryDirectory

from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkItem, WorkResult

from tests.support import migrated

ROOT = Path(__file__).resolve().parent.parent
GOAL = 0.85
QUICK = "not slow and not browser and not servers"
OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "-m", QUICK)
"""The tests that run for each mutant: the quick ones, as in `make test-quick`. A mutant that only
another test would kill survives."""

PATIENCE = 6.0
"""A mutant's time limit, as a multiple of the time without it. One that hangs counts as killed: a
slow machine must not make the others look so."""

MIGRATED = "migrated.sqlite3"
"""The file with the migrated database that the tests of all mutants copy."""

COPIED = (
    "benchmarks", "cribbage_site", "docs", "games", "locale", "ratings", "scripts", "static",
    "templates", "tests",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Target:
    """Code to mutate, and the tests that should kill the mutants."""

    name: str
    paths: tuple[str, ...]
    tests: tuple[str, ...]


TARGETS = (
    Target("engine", ("games/engine",), ("tests/engine",)),
    Target("rating model", ("ratings/model",), ("tests/ratings/model",)),
    Target(
        "access rules",
        (
            "games/archive/access.py",
            "games/archive/sharing.py",
            "ratings/standard/access.py",
            "ratings/standard/consent.py",
        ),
        ("tests/archive/test_access.py", "tests/ratings/standard/test_access.py"),
    ),
    Target("wire", ("games/wire",), ("tests/wire",)),
    Target(
        "permissions",
        (
            "games/live/commands.py",
            "games/live/social_commands.py",
            "games/sockets/consumers.py",
        ),
        (
            "tests/live/test_permissions.py",
            "tests/live/test_absence.py",
            "tests/live/test_chat_feed.py",
            "tests/live/test_friends_live.py",
            "tests/live/test_offers.py",
            "tests/correspondence/test_correspondence.py",
            "tests/correspondence/test_vacations.py",
            "tests/sockets/test_answers.py",
            "tests/sockets/test_greetings.py",
            "tests/sockets/test_hello.py",
            "tests/sockets/test_resent_requests.py",
            "tests/sockets/test_unexpected_errors.py",
        ),
    ),
)


def main() -> int:
    """Run the sample; return 1 if the share of killed mutants is below the goal."""
    named = sys.argv[1:] or [target.name for target in TARGETS]
    targets = [target for target in TARGETS if target.name in named]
    if len(targets) < len(named):
        print(f"a target is one of: {', '.join(target.name for target in TARGETS)}")
        return 2
    number = int(os.environ.get("MUTANTS", "160"))
    seed = int(os.environ.get("MUTATION_SEED", "1"))
    with TemporaryDirectory(prefix="mutants-") as folder:
        tree = Path(folder) / "tree"
        _copy(tree)
        counts = [_run(target, tree, number // len(TARGETS), seed) for target in targets]
    killed, tried = (sum(column) for column in zip(*counts, strict=True))
    print(f"all: {killed} of {tried} mutants killed, {killed / tried:.0%} (goal {GOAL:.0%})")
    return 0 if killed >= GOAL * tried else 1


def _copy(tree: Path) -> None:
    """Copy what the tests need, so that the working tree is never mutated.

    The modules are compiled once: the interpreter compares each with the hash of its source, and
    compiles again only the one that a mutant has changed.
    """
    for name in COPIED:
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    checked = PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(tree, quiet=1, invalidation_mode=checked)
    files = ("pyproject.toml", "manage.py", "Makefile", "README.md", "requirements-dev.lock")
    for name in files:
        shutil.copy(ROOT / name, tree / name)


def _run(target: Target, tree: Path, number: int, seed: int) -> tuple[int, int]:
    """Run a target's sample and print the survivors; return the numbers killed and tried."""
    config, session = tree / "mutation.toml", tree / f"{target.name.replace(' ', '-')}.sqlite"
    paths = ", ".join(f'"{path}"' for path in target.paths)
    command = [sys.executable, "-m", "pytest", *OPTIONS, *target.tests]
    for _ in range(2):  # the first run also makes what the others find made
        begun = time.monotonic()
        subprocess.run(command, cwd=tree, env=_environment(tree), check=True)  # noqa: S603 - our own
        _keep_database(tree)
    config.write_text(
        "[cosmic-ray]\n"
        f"module-path = [{paths}]\n"
        f"timeout = {PATIENCE * (time.monotonic() - begun)}\n"
        "excluded-modules = []\n"
        f'test-command = "{shlex.join(command)}"\n'
        '[cosmic-ray.distributor]\nname = "local"\n'
    )
    _cosmic_ray(tree, "init", config.name, session.name)
    _keep_sample(session, number, seed)
    _cosmic_ray(tree, "exec", config.name, session.name)
    with use_db(session, WorkDB.Mode.open) as database:
        results = list(database.completed_work_items)
    survivors = [item for item, result in results if _survived(result)]
    print(f"{target.name}: {len(results) - len(survivors)} of {len(results)} mutants killed")
    for line in _lines(survivors):
        print(f"  survived: {line}")
    return len(results) - len(survivors), len(results)


def _keep_database(tree: Path) -> None:
    """Keep the migrated database that the tests have made: mutants would each make it again."""
    for made in (tree / ".local" / "migrated").glob("*.sqlite3"):
        shutil.copy(made, tree / MIGRATED)


def _keep_sample(session: Path, number: int, seed: int) -> None:
    with use_db(session, WorkDB.Mode.open) as database:
        items = sorted(
            (item for item in database.work_items if not _is_annotation(session.parent, item)),
            key=lambda item: _lines([item])[0],
        )
        database.clear()
        random.Random(seed).shuffle(items)
        changed = (item for item in items if _is_python(session.parent, item))
        database.add_work_items(list(islice(changed, number)))


def _is_python(tree: Path, item: WorkItem) -> bool:
    """Return whether a mutant is valid Python; any test would kill one that is not."""
    (spec,) = item.mutations
    operator = get_operator(spec.operator_name)(**spec.operator_args)
    source = (tree / spec.module_path).read_text()
    try:
        compile(mutate_code(source, operator, spec.occurrence), spec.module_path, "exec")
    except SyntaxError:
        return False
    return True


def _is_annotation(tree: Path, item: WorkItem) -> bool:
    """Return whether a mutant changes an annotation: never evaluated, or only on import."""
    return any(
        start <= spec.start_pos < end
        for spec in item.mutations
        for start, end in _annotations(tree / spec.module_path)
    )


@cache
def _annotations(path: Path) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return where the annotations of a module's functions start and end: lines and columns."""
    found: list[ast.expr | None] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(node.returns)
        elif isinstance(node, ast.arg | ast.AnnAssign):
            found.append(node.annotation)
    return [
        ((each.lineno, each.col_offset), (each.end_lineno or 0, each.end_col_offset or 0))
        for each in found
        if each is not None
    ]


def _survived(result: WorkResult) -> bool:
    return bool(result.test_outcome == TestOutcome.SURVIVED)


def _lines(items: Iterable[WorkItem]) -> list[str]:
    return sorted(
        f"{spec.module_path}:{spec.start_pos[0]} {spec.operator_name} #{spec.occurrence}"
        for item in items
        for spec in item.mutations
    )


def _cosmic_ray(tree: Path, *arguments: str) -> None:
    command = [str(Path(sys.executable).parent / "cosmic-ray"), *arguments]
    subprocess.run(command, cwd=tree, env=_environment(tree), check=True)  # noqa: S603 - our own


def _environment(tree: Path) -> dict[str, str]:
    given = {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    if (tree / MIGRATED).exists():
        given[migrated.GIVEN] = str(tree / MIGRATED)
    return {**os.environ, **given}


if __name__ == "__main__":
    sys.exit(main())
