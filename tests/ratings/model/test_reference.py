"""The full fit against the published exact solution of three leagues."""

import numpy as np
import pytest

from benchmarks.ratings.folders import NAMES, PAR, PLAIN, Folder, read_folders
from ratings.model.constants import Constants
from ratings.model.fit import fit


@pytest.fixture(scope="module")
def folders() -> dict[str, Folder]:
    return {folder.name: folder for folder in read_folders()}


@pytest.mark.parametrize("constants", [PLAIN, PAR], ids=["no par", "par"])
@pytest.mark.parametrize("name", NAMES)
def test_the_fit_agrees_with_the_reference_solution(
    folders: dict[str, Folder], name: str, constants: Constants
) -> None:
    rating, rd = folders[name].solution(constants)
    found = fit(folders[name].results, constants)
    assert np.abs(found.rating - rating).max() < 0.01
    assert np.abs(found.rd / rd - 1.0).max() < 0.001
