"""Which parts of a rating change are stored one by one, and which are summed up."""

from __future__ import annotations

import pytest

from ratings.model.explain import Cause, Part
from ratings.rating import updates

OLDER = [Part(Cause.EFFECT, n, n, 5.0 - n, 0.0, 1.0) for n in range(3)]
NEW = [Part(Cause.NEW, n, n, 0.1, 0.0, 1.0) for n in (3, 4)]
GAMES = (10, 11, 12, 13, 14)


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        (3, [("new", 13, 0.1), ("new", 14, 0.1), ("effect", 10, 5.0), ("rest", None, 7.0)]),
        (1, [("new", 13, 0.1), ("new", 14, 0.1), ("rest", None, 12.0)]),
        (8, [("new", 13, 0.1), ("new", 14, 0.1), *(("effect", 10 + n, 5.0 - n) for n in range(3))]),
    ],
)
def test_new_results_are_never_summed_up(
    most: int,
    expected: list[tuple[str, int | None, float]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However small they are: by them a player's game finds the change that it made."""
    monkeypatch.setattr(updates, "MAX_STORED_PARTS", most)
    lines = updates.stored_parts([*OLDER, *NEW], GAMES, rest=0.0)
    assert [(line["cause"], line.get("game"), line["elo"]) for line in lines] == expected
