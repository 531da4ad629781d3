"""Score race: each seat's score hand by hand, with the skunk lines."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.engine.scorekeeping import SKUNK_LINES
from games.engine.state import Ruleset
from games.pages.charts.drawing import Drawing

MOST_LABELS = 12
"""Maximum number of hands that are numbered one by one."""
APART = 0.085
"""Minimum distance between the scores at the end, as a share of the height."""

FAR_DOWN = 0.4
"""A skunk line further down, as a share of the height, has its name on the right."""


def score_race(
    scores: Sequence[Sequence[int]],
    *,
    names: Sequence[str],
    rules: Ruleset,
    start: Sequence[int] | None = None,
) -> SafeString:
    """Draw a game's race.

    Args:
        scores: each hand's scores at its end, by seat.
        names: of the seats, for the text alternative.
        rules: for the target and the skunk lines.
        start: the scores before the first hand; None for 0.
    """
    drawing, hands = Drawing("race"), len(scores)
    _draw_levels(drawing, rules)
    every = 1 if hands <= MOST_LABELS else 2
    for number in range(1, hands + 1, every):
        drawing.tick(number / hands, str(number))
    rows = [start or [0] * len(names), *scores]
    last = [_height(score, rules) for score in rows[-1]]
    labels = _spread(last)
    for seat in reversed(range(len(names))):
        points = [(at / hands, _height(row[seat], rules)) for at, row in enumerate(rows)]
        drawing.line(points, f"line-{seat}")
        for x, y in points[1:-1]:
            drawing.dot(x, y, 2.5, f"point line-{seat}")
        drawing.dot(1, last[seat], 5, f"end line-{seat}")
        drawing.text(
            str(rows[-1][seat]), 1, labels[seat], f"score line-{seat}", anchor="start", dx=10, dy=5
        )
    ends = ", ".join(f"{name} {score}" for name, score in zip(names, rows[-1], strict=True))
    return drawing.picture(
        _("The race to %(target)d. At the end: %(scores)s.")
        % {"target": rules.target, "scores": ends}
    )


def _draw_levels(drawing: Drawing, rules: Ruleset) -> None:
    drawing.level(0, str(rules.target), "goal")
    drawing.level(1, "0")
    single, double = SKUNK_LINES.get(rules.target, (0, 0))
    if not rules.skunks:
        return
    for points, label in ((single, _("skunk line")), (double, _("double skunk line"))):
        if not points:
            continue
        height = _height(points, rules)
        drawing.level(height, str(points), "skunk")
        # Where the races are not: they begin below a high line on the left, and end above a low one
        # on the right.
        if height < FAR_DOWN:
            drawing.text(label, 0, height, "note", anchor="start", dx=6, dy=-5)
        else:
            drawing.text(label, 1, height, "note", anchor="end", dx=-6, dy=14)


def _height(score: int, rules: Ruleset) -> float:
    return 1 - score / rules.target


def _spread(heights: Sequence[float]) -> list[float]:
    """Return the heights moved apart so that labels there do not overlap."""
    found = list(heights)
    order = sorted(range(len(heights)), key=lambda at: heights[at])
    for above, below in itertools.pairwise(order):
        found[below] = max(found[below], found[above] + APART)
    return found
