"""The Python snippet in docs/fair-deals.md works as described."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from ratings.standard import decks
from tests.support.servers import ROOT


def test_the_documented_snippet_prints_the_commitment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = re.search(r"```python\n(.*?)```", (ROOT / "docs/fair-deals.md").read_text(), re.DOTALL)
    assert found is not None
    lines = found.group(1)
    assert len(list(filter(None, lines.splitlines()))) == 3
    packs, salt = decks.new_packs(), decks.new_salt()
    (tmp_path / "deals.txt").write_bytes(decks.canonical(salt, packs).encode("ascii"))
    monkeypatch.chdir(tmp_path)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(lines, {})
    assert said.getvalue().strip() == decks.commitment(salt, packs)
    other = decks.commitment(salt, [*packs[:-1], decks.new_packs(1)[0]])
    assert other != said.getvalue().strip()
