"""The table of measured figures in docs/scaling.md: made from the files of results."""

from pathlib import Path

import pytest

from benchmarks import newest
from benchmarks.figures import Figure

OLD = (
    f"```\nuvicorn, one process\n{Figure('a socket', 1.5, 'ms')}\n{Figure('wide', 1234, '')}\n```\n"
)
NEW = f"```\nuvicorn, one process\n{Figure('a socket', 2.25, 'ms', at_most=1.5)}\nload: 3\n```\n"


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(newest, "RESULTS", tmp_path)
    (tmp_path / "2026-01-01-0000.md").write_text(OLD)
    (tmp_path / "2026-01-02-0000.md").write_text(NEW + NEW)
    return tmp_path


@pytest.mark.usefixtures("results")
def test_the_newest_file_that_has_a_figure_gives_it() -> None:
    assert newest.newest(newest.Row("", "a socket")) == ("2.25 ms, 2.25 ms", "2026-01-02-0000")
    assert newest.newest(newest.Row("", "wide")) == ("1,234", "2026-01-01-0000")
    assert newest.newest(newest.Row("", "a socket", run="uvicorn")) is not None
    assert newest.newest(newest.Row("", "a socket", run="daphne")) is None
    assert newest.newest(newest.Row("", "never printed")) is None


def test_the_page_has_the_newest_figures() -> None:
    assert newest.table() in newest.PAGE.read_text("utf-8"), "run python -m benchmarks.newest"
