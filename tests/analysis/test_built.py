"""Kernels built ahead of time: they answer as Numba's do, and never silently otherwise.

Which of them are built, with which types of arguments, is a matter of the warm-up
(tests/bots/test_warmup.py).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.analysis.kernels import built
from tests.support.proxies import compiler
from tests.support.servers import ROOT

SOLVED = """
import hashlib, sys
import numpy as np

def deals(number):
    rng = np.random.default_rng(5)
    made = np.full((number, 8), -1)
    made[:, :7] = rng.integers(0, 9, (number, 7)) + 32 * rng.integers(0, 2, (number, 7))
    return made

def solved(solve, number):
    out = np.full((121, 121), np.nan)
    solve(deals(number), 0, out)
    return hashlib.sha256(out.tobytes()).hexdigest()
"""
"""Chances to win from invented deals, as `winning.solve` computes them."""

BUILD = f"""{SOLVED}
import os
from pathlib import Path
from typing import Any
from scripts import kernels
os.environ.update(kernels.ANY_PROCESSOR)
from games.analysis.kernels import winning

print(solved(winning.solve, 50))
try:
    kernels.build({{"winning.solve": kernels.used()["winning.solve"]}}, Path(sys.argv[1]))
except kernels.CannotBuild as reason:
    print(reason)
"""

WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
from pathlib import Path
from typing import Any
from games.analysis.kernels import built
built.FOLDER = Path(sys.argv[1])
"""

ANSWERS = f"""{WITHOUT_NUMBA}{SOLVED}
from games.analysis.kernels import winning
print(solved(winning.solve, 50))
"""

BESIDE_IT = f"""{WITHOUT_NUMBA}{SOLVED}
import threading
from games.analysis.kernels import winning
half_filled = False
for _ in range(20):  # a busy machine may not run this thread beside the other at once
    out = np.full((121, 121), np.nan)
    working = threading.Thread(target=winning.solve, args=(deals(2000), 0, out))
    working.start()
    while working.is_alive() and not half_filled:
        half_filled = 0 < np.count_nonzero(~np.isnan(out)) < out.size
    working.join()
    if half_filled:
        break
print(half_filled)
"""

REFUSED = f"""{WITHOUT_NUMBA}{SOLVED}
from games.analysis.kernels import winning
for call in (
    lambda: winning.solve(deals(2).astype(np.int32), 0, np.zeros((121, 121))),
    lambda: winning.solve(deals(2), 0, np.zeros((242, 242))[::2, ::2]),
    lambda: winning.solve(deals(2), 0.5, np.zeros((121, 121))),
    lambda: winning.solve(deals(2), 0),
    lambda: winning.tilt(np.ones(3), 1.0, np.ones(3)),
):
    try:
        call()
    except (TypeError, built.NotBuilt) as error:
        print(type(error).__name__, error)
"""


IS_BUILT = f"""{WITHOUT_NUMBA}
from scripts import kernels
folder, built.FOLDER = built.FOLDER, built.FOLDER / "none"
print(kernels.is_built())
built.FOLDER = folder
print(kernels.is_built())
known = {{key: kernels.Signature(kinds, "none") for key, kinds in built.load()[1].items()}}
kernels.listed = lambda: known
print(kernels.is_built())
"""


def run(code: str, folder: Path, **environment: str) -> list[str]:
    """Run Python with a folder as its argument; return the lines that it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Build a kernel; return the folder, and what Numba's own form of it answers."""
    compiler()
    folder = tmp_path_factory.mktemp("built")
    (answer,) = run(BUILD, folder)
    return folder, answer


@pytest.mark.slow
class TestOneKernel:
    """`winning.solve`, built by the same script as all kernels of the image."""

    def test_it_answers_as_numbas_does_to_the_bit(self, made: tuple[Path, str]) -> None:
        folder, answer = made
        assert run(ANSWERS, folder) == [answer]

    def test_other_threads_go_on_while_it_runs(self, made: tuple[Path, str]) -> None:
        """Another thread sees its array half filled: it did not have to wait for the GIL."""
        assert run(BESIDE_IT, made[0]) == ["True"]

    def test_it_is_known_whether_all_kernels_of_the_list_are_built(
        self, made: tuple[Path, str]
    ) -> None:
        assert run(IS_BUILT, made[0]) == ["False", "False", "True"]

    def test_it_refuses_what_it_would_misread(self, made: tuple[Path, str]) -> None:
        said = run(REFUSED, made[0])
        assert said[0].startswith("TypeError winning.solve: deals must be a C-contiguous array int")
        assert said[1].startswith("TypeError winning.solve: out must be")
        assert said[2:] == [
            "TypeError winning.solve: least must be a whole number, not 0.5",
            "TypeError winning.solve takes 3 arguments, not 2",
            "NotBuilt winning.tilt was not built ahead of time, and Numba is not installed",
        ]

    def test_it_is_not_used_once_the_sources_have_changed(self, made: tuple[Path, str]) -> None:
        code = f"{WITHOUT_NUMBA}built.digest = lambda: 'of-others'\ntry:\n    built.load()\n"
        said = run(f"{code}except built.NotBuilt as error:\n    print(error)", made[0])
        assert "only one built from other sources" in said[0]
        assert "docs/deployment.md" in said[0]


@pytest.mark.slow
def test_without_a_compiler_one_is_asked_for(tmp_path: Path) -> None:
    compiler()
    said = run(BUILD, tmp_path, CC="no-such-program", CXX="no-such-program")
    assert said[1].startswith("install a C++ compiler (Debian: apt install g++): ")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_calculated_without_numba_and_without_what_was_built(tmp_path: Path) -> None:
    code = "try:\n    import games.analysis.kernels.show\nexcept built.NotBuilt as error:\n"
    said = run(f"{WITHOUT_NUMBA}{code}    print(error)", tmp_path)
    assert said[0].startswith("Numba is not installed, and there is no kernels_")
    assert "other sources" not in said[0]


@pytest.mark.parametrize(
    ("kind", "taken"),
    [
        ("int64", (3, np.int64(3), True)),
        ("float64", (0.5, np.float64(0.5), 1, np.int64(1))),
        ("bool", (True, np.bool_(False))),
        ("int64[2]", (np.zeros((2, 3), dtype=np.int64),)),
        ("const int16[1]", (np.zeros(2, dtype=np.int16), np.frombuffer(b"1234", dtype=np.int16))),
    ],
)
def test_arguments_that_fit_are_taken(kind: str, taken: tuple[Any, ...]) -> None:
    check = built.checker("an argument", kind)
    for value in taken:
        assert np.array_equal(check(value), value)


@pytest.mark.parametrize(
    ("kind", "refused"),
    [
        ("int64", (3.0, "3", None)),
        ("float64", ("0.5", None, 1j)),
        ("bool", (1, None, "yes")),
        (
            "int64[2]",
            (
                np.zeros((2, 3)),
                np.zeros(6, dtype=np.int64),
                np.zeros((2, 3), dtype=np.int64).T,
                np.zeros((2, 3), dtype=">i8"),
                [[1, 2], [3, 4]],
            ),
        ),
        ("int16[1]", (np.frombuffer(b"1234", dtype=np.int16),)),
    ],
)
def test_arguments_that_would_be_misread_are_refused(
    kind: str, refused: tuple[object, ...]
) -> None:
    check = built.checker("an argument", kind)
    for value in refused:
        with pytest.raises(TypeError, match="an argument must be"):
            check(value)
