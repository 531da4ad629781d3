"""Warming up: kernels are compiled on request, and not on import."""

import subprocess
import sys

from tests.support.servers import ROOT


def test_importing_the_bots_does_not_import_numba() -> None:
    code = "import sys, games.bots; print('numba' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert found.stdout.strip() == "False"


COMPILED = """
from games.analysis.kernels import (
    discard, endgames, par, search, three, three_search, winning
)
from games.bots.warmup import warm_up

warm_up()
for loop in (
    discard.value_throws,
    winning.win_throws,
    search.rate_plays,
    three.value_throws,
    three_search.rate_plays,
    par.play_two,
    par.play_three,
    endgames.grow,
    endgames.improve,
):
    print(len(loop.signatures), loop.__name__)
"""


def test_warm_up_compiles_every_kernel_once() -> None:
    """In a process of its own: other tests may have compiled a kernel for other arguments."""
    found = subprocess.run(
        [sys.executable, "-c", COMPILED], cwd=ROOT, check=True, capture_output=True, text=True
    )
    lines = found.stdout.splitlines()
    assert len(lines) == 9
    assert all(line.startswith("1 ") for line in lines), lines
