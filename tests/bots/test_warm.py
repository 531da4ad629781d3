"""Getting ready, and not before it is asked for."""

import subprocess
import sys

from games.analysis import (
    discard_kernel,
    par_kernel,
    search_kernel,
    three_kernel,
    three_search_kernel,
    winning_kernel,
)
from games.bots.warm import warm_up
from tests.servers import ROOT


def test_importing_the_players_imports_no_compiler() -> None:
    code = "import sys, games.bots; print('numba' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert found.stdout.strip() == "False"


def test_after_getting_ready_every_loop_is_compiled_once() -> None:
    warm_up()
    for loop in (
        discard_kernel.value_throws,
        winning_kernel.win_throws,
        search_kernel.rate_plays,
        three_kernel.value_throws,
        three_search_kernel.rate_plays,
        par_kernel.play_two,
        par_kernel.play_three,
    ):
        assert len(loop.signatures) == 1, loop  # type: ignore[attr-defined]
