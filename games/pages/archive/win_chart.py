"""Line of a player's chance to win, hand by hand."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString

from games.pages.charts.drawing import Drawing

MOST_LABELS = 12
"""Maximum number of hands that are numbered one by one."""


def win_chart(chances: Sequence[float], swing: int, *, says: str) -> SafeString:
    """Draw the chances (0..1) before each hand and at the end; ``swing`` is the hand to mark."""
    drawing, hands = Drawing("win"), max(1, len(chances) - 1)
    for level in (0.0, 0.5, 1.0):
        drawing.level(1 - level, f"{100 * level:.0f}")
    for at in range(0, hands, 1 if hands <= MOST_LABELS else 2):
        drawing.tick((at + 0.5) / hands, str(at + 1))
    drawing.line([(at / hands, 1 - chance) for at, chance in enumerate(chances)], "chance")
    for at in (swing - 1, swing):
        drawing.dot(at / hands, 1 - chances[at], 5, "swing")
    return drawing.picture(says)
