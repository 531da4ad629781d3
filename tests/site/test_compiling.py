"""`make run` compiles the computers' loops, and keeps Numba only where it must."""

import os
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.support.servers import ROOT
from tests.support.waiting import wait_for

INTERRUPTIBLE = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Run a command that Ctrl-C ends, also if a shell runs the tests in the background."""

LOCKED = f"*metadata*) echo {version('numba')}; exit ;;"
"""A fake Python that has Numba in the version of the lock file."""


def prepare(tmp_path: Path, python: str, *, compiler: bool = True) -> list[str]:
    """Copy the script, with a Python that notes its calls; return the script's command."""
    for name in ("compile_kernels.sh", "venv.sh", "kernels.lock"):
        script = tmp_path / "scripts" / name
        script.parent.mkdir(exist_ok=True)
        script.write_text((ROOT / "scripts" / name).read_text())
        script.chmod(0o755)
    folder = tmp_path / ".venv" / "bin"
    folder.mkdir(parents=True)
    (folder / "pip").touch(mode=0o755)
    fake = folder / "python"
    fake.write_text(
        '#!/bin/sh\ncase "$*" in\n'
        f"*get_path*) echo {tmp_path}; exit ;;\n"
        f'{python}\n-c*) exit 0 ;;\nesac\necho "${{PYTHONPATH:--}} $*" >> asked\n'
    )
    fake.chmod(0o755)
    if compiler:
        (tmp_path / "Python.h").touch()
        (tmp_path / "c++").touch(mode=0o755)
    return ["bash", str(tmp_path / "scripts" / "compile_kernels.sh")]


def compiled(tmp_path: Path, python: str, *, compiler: bool = True, status: int = 0) -> list[str]:
    """Run the script; return what it asked Python for."""
    done = subprocess.run(
        prepare(tmp_path, python, compiler=compiler),
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        check=False,
        capture_output=True,
    )
    assert done.returncode == status
    assert not (tmp_path / ".local" / "kernel-tools").exists()
    assert (tmp_path / ".venv" / ".compiled").exists() == (status == 0)
    asked = tmp_path / "asked"
    return asked.read_text().splitlines() if asked.exists() else []


def test_with_a_compiler_they_are_built_and_numba_is_not_kept(tmp_path: Path) -> None:
    download, build, play = compiled(tmp_path, "*find_spec*) exit 1 ;;")
    assert "--target .local/kernel-tools -r scripts/kernels.lock" in download
    assert build == ".local/kernel-tools -m scripts.kernels"
    assert play == "- -m games.bots.warmup"


def compiled_before(
    tmp_path: Path, python: str, *, lock: str = "", compiler: bool = True
) -> list[str]:
    """Run the script where it has built with a lock file, by default today's, and files are new."""
    command = prepare(tmp_path, f"*find_spec*) exit 1 ;;\n{python}", compiler=compiler)
    lock = lock or (tmp_path / "scripts" / "kernels.lock").read_text()
    (tmp_path / ".venv" / ".compiled").write_text(lock)
    subprocess.run(command, env={"PATH": f"{tmp_path}:{os.environ['PATH']}"}, check=True)
    return (tmp_path / "asked").read_text().splitlines()


@pytest.mark.parametrize("compiler", [True, False])
def test_what_is_built_from_the_same_sources_stays(compiler: bool, tmp_path: Path) -> None:
    """After a fresh checkout only the times of the files differ; the compiler may be gone."""
    assert compiled_before(tmp_path, "", compiler=compiler) == ["- -m scripts.kernels --built"]


@pytest.mark.parametrize(
    ("python", "lock"), [("*--built*) exit 1 ;;", ""), ("", "numba==0.1 \\\n")]
)
def test_other_sources_or_another_numba_are_built_anew(
    tmp_path: Path, python: str, lock: str
) -> None:
    download, build, play = compiled_before(tmp_path, python, lock=lock)
    assert "-r scripts/kernels.lock" in download
    assert build == ".local/kernel-tools -m scripts.kernels"
    assert play == "- -m games.bots.warmup"


def test_without_a_compiler_numba_is_installed(tmp_path: Path) -> None:
    asked = compiled(tmp_path, "*find_spec*) exit 1 ;;", compiler=False)
    assert "-r requirements.lock" in asked[0]
    assert asked[1:] == ["- -m games.bots.warmup"]


def test_if_they_cannot_be_built_numba_is_installed(tmp_path: Path) -> None:
    failing = "*find_spec*) exit 1 ;;\n*scripts.kernels*) exit 1 ;;"
    asked = compiled(tmp_path, failing)
    assert "-r requirements.lock" in asked[1]
    assert asked[2:] == ["- -m games.bots.warmup"]


def test_where_numba_is_installed_it_compiles_them(tmp_path: Path) -> None:
    assert compiled(tmp_path, LOCKED) == ["- -m games.bots.warmup"]


def test_a_numba_that_a_pull_has_left_behind_is_replaced(tmp_path: Path) -> None:
    asked = compiled(tmp_path, "*metadata*) echo 0.1; exit ;;")
    assert "-r requirements.lock" in asked[0]
    assert asked[1:] == ["- -m games.bots.warmup"]


@pytest.mark.parametrize("compiler", [True, False])
def test_without_a_network_the_site_starts_and_the_next_run_tries_again(
    tmp_path: Path, compiler: bool
) -> None:
    offline = "*find_spec*) exit 1 ;;\n*pip*) exit 1 ;;"
    assert not compiled(tmp_path, offline, compiler=compiler, status=3)


def test_ctrl_c_ends_it(tmp_path: Path) -> None:
    """An interrupted pip exits with 1, as one that fails; nothing else is tried then."""
    slow = (
        "*pip*) [ -e asked ] && echo again >> asked && exit 1; trap 'exit 1' INT; echo pip > asked"
    )
    script = prepare(tmp_path, f"*find_spec*) exit 1 ;;\n{slow}; while :; do sleep 0.1; done ;;")
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, *script],
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        start_new_session=True,
    ) as running:
        wait_for(lambda: (tmp_path / "asked").exists() and (tmp_path / "asked").read_text())
        os.killpg(running.pid, signal.SIGINT)
    assert running.returncode == 130
    assert (tmp_path / "asked").read_text() == "pip\n"
