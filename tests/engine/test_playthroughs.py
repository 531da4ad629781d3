"""Golden playthroughs: the same log gives the same events, for every kind of ending."""

import pytest

from games.engine.notation import read_match
from games.engine.rules import steps
from games.engine.state import Phase
from tests.support.playthroughs import FOLDER, PLAYTHROUGHS, ending, render


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_playthrough_has_not_changed(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text()
    read = read_match(text)
    assert read.error is None
    assert render(read.ruleset, read.moves).split("\n") == text.split("\n")


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_playthrough_ends_as_its_name_says(name: str) -> None:
    ruleset, wanted = PLAYTHROUGHS[name]
    read = read_match((FOLDER / f"{name}.txt").read_text())
    assert read.ruleset == ruleset
    assert read.state.phase is Phase.OVER
    events = [event for step in steps(ruleset, read.moves) for event in step.events]
    assert ending(events) == wanted


def test_every_file_is_tested() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(PLAYTHROUGHS)
