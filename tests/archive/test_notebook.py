"""The notebook in docs reads the sample of the open data, and draws its three pictures."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from games.engine.record import read_record
from tests.support.servers import ROOT

NOTEBOOK = ROOT / "docs" / "open-data.ipynb"
MOST_BYTES = 20_000


def cells() -> list[str]:
    found: list[dict[str, Any]] = json.loads(NOTEBOOK.read_text())["cells"]
    return ["".join(cell["source"]) for cell in found if cell["cell_type"] == "code"]


def test_every_cell_runs_and_three_pictures_show_data(monkeypatch: pytest.MonkeyPatch) -> None:
    # Imported here, since each worker imports this file, and only one runs the test.
    import matplotlib as mpl
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    monkeypatch.chdir(ROOT / "docs")
    monkeypatch.delitem(os.environ, "CRIBBAGE_FILE", raising=False)
    with mpl.rc_context():
        plt.switch_backend("agg")
        plt.close("all")
        scope: dict[str, Any] = {}
        for cell in cells():
            exec(compile(cell, str(NOTEBOOK), "exec"), scope)
        figures = [plt.figure(number) for number in plt.get_fignums()]
        axes = [figure.axes[0] for figure in figures]
        assert len(axes) == 3
        assert all(each.get_title() and (each.patches or each.lines) for each in axes)
        bars = [bar.get_height() for bar in axes[0].patches if isinstance(bar, Rectangle)]
        assert sum(bars) == pytest.approx(300, abs=3)
        plt.close("all")
    assert len(scope["for_two"]) == 40
    assert all(read_record(game).difference is None for game in scope["for_two"])


def test_the_notebook_is_stored_without_outputs() -> None:
    text = Path(NOTEBOOK).read_text()
    assert all(not cell.get("outputs") for cell in json.loads(text)["cells"])
    assert len(text) < MOST_BYTES
