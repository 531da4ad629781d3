"""Golden playthroughs: the same log gives the same events, for every kind of ending."""

import pytest

from games.engine.rules import fold, steps
from games.engine.state import Phase
from tests.support.notation import read_match
from tests.support.playthroughs import FOLDER, PLAYTHROUGHS, ending, render


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_playthrough_has_not_changed(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text()
    assert render(*read_match(text)).split("\n") == text.split("\n")


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_playthrough_ends_as_its_name_says(name: str) -> None:
    ruleset, moves = read_match((FOLDER / f"{name}.txt").read_text())
    assert ruleset == PLAYTHROUGHS[name][0]
    assert fold(ruleset, moves).phase is Phase.OVER
    events = [event for step in steps(ruleset, moves) for event in step.events]
    assert ending(events) == PLAYTHROUGHS[name][1]


def test_every_file_is_tested() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(PLAYTHROUGHS)
