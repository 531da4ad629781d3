"""The file of rated puzzles that the site ships: compressed lines of kind, theme, rating, position.

Only positions are in it: what is best there is computed when an answer is judged.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable, Iterator
from pathlib import Path

from games.learn.puzzle_making import Made
from games.learn.puzzle_themes import KINDS, THEMES

PATH = Path(__file__).with_name("puzzles.txt.xz")


def write(made: Iterable[Made], path: Path = PATH) -> int:
    """Write puzzles in order of kind and theme, which compresses best; return the file's bytes."""
    lines = sorted(f"{one.kind} {one.theme} {one.rating} {one.position}\n" for one in made)
    return path.write_bytes(lzma.compress("".join(lines).encode("ascii"), preset=9))


def read(path: Path = PATH) -> Iterator[Made]:
    """Yield the puzzles of a file.

    Raises:
        ValueError: if a line is not a puzzle; it is quoted.
    """
    kinds, themes = {str(kind): kind for kind in KINDS}, {str(theme): theme for theme in THEMES}
    for line in lzma.decompress(path.read_bytes()).decode("ascii").splitlines():
        try:
            kind, theme, rating, position = line.split(" ", 3)
            yield Made(kinds[kind], themes[theme], int(rating), position)
        except (KeyError, ValueError) as cause:
            raise ValueError(f"not a puzzle: {line!r}") from cause
