"""Draw the board of the landing page: python scripts/draw_board.py > static/img/board.svg.

It has two tracks, out along the top and back along the bottom, with 60 holes each way in groups of
five. The start holes are on the left, and the game hole is at the end of the way back. The pegs
show a game in progress.
"""

from __future__ import annotations

from collections.abc import Iterator

PITCH = 13.2  # distance between the holes of a group, in picture units
GAP = 7.0  # additional distance between groups of five
LEFT = 90.0
ROWS = {0: (62.0, 178.0), 1: (88.0, 152.0)}  # track -> y of the way out and of the way back
WIDTH, HEIGHT = 1000, 240
RED, BLUE = ("#c23a2f", "#7d1d17", "#f2a79c"), ("#2f67b8", "#1a3d73", "#a9c8f2")
PEGS = ((0, 47, RED), (0, 39, RED), (1, 72, BLUE), (1, 60, BLUE))
"""The pegs: track, hole, colours."""


def across(step: int) -> float:
    """Return the x coordinate of the step-th hole (0 to 59) of a row."""
    return LEFT + step * PITCH + step // 5 * GAP


def place(track: int, hole: int) -> tuple[float, float]:
    """Return the position (x, y) of a hole from 1 to 120."""
    out, back = ROWS[track]
    return (across(hole - 1), out) if hole <= 60 else (across(120 - hole), back)


def holes() -> Iterator[tuple[float, float]]:
    """Yield the positions of all holes: tracks, start holes, game hole."""
    for track in ROWS:
        for hole in range(1, 121):
            yield place(track, hole)
        for step in (1, 2):
            yield LEFT - step * PITCH - GAP, ROWS[track][0]
    yield LEFT - PITCH - GAP, HEIGHT / 2 + 45


def circles() -> str:
    """Return all holes as one path: dark wells with a light lower rim."""
    wells = "".join(f"M{x - 3:.1f} {y:.1f}a3 3 0 1 0 6 0a3 3 0 1 0-6 0" for x, y in holes())
    rims = "".join(f"M{x - 3:.1f} {y + 0.4:.1f}a3 3.4 0 0 0 6 0" for x, y in holes())
    return (
        f'<path d="{rims}" fill="none" stroke="#fff3d6" stroke-opacity=".55" stroke-width="1.3"/>'
        f'<path d="{wells}" fill="#4a2f16"/>'
    )


def peg(track: int, hole: int, colours: tuple[str, str, str]) -> str:
    """Return a peg seen from above, with its shadow."""
    x, y = place(track, hole)
    body, dark, light = colours
    return (
        f'<ellipse cx="{x + 5:.1f}" cy="{y + 6:.1f}" rx="9.5" ry="8" fill="#2a1608" opacity=".35"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="{dark}"/>'
        f'<circle cx="{x - 0.5:.1f}" cy="{y - 0.8:.1f}" r="7.6" fill="{body}"/>'
        f'<circle cx="{x - 2.3:.1f}" cy="{y - 2.8:.1f}" r="2.1" fill="{light}"/>'
    )


def skunk_lines() -> str:
    """Return the skunk lines: between 60 and 61 (the turn), and between 90 and 91."""
    x = (place(0, 90)[0] + place(0, 91)[0]) / 2
    end = across(59) + PITCH - 2
    return (
        f'<path d="M{x:.1f} 139V191M{end:.1f} 50V190" stroke="#7a4a22" stroke-width="1.6"'
        ' stroke-dasharray="4 3"/>'
    )


def grain() -> str:
    """Return the grain of the wood."""
    lines = []
    for at in range(14):
        y = 26 + at * 14.3
        bend = 7 * (-1) ** at
        lines.append(f"M22 {y:.1f}C300 {y + bend:.1f} 640 {y - bend:.1f} 978 {y + bend / 2:.1f}")
    return f'<path d="{"".join(lines)}" fill="none" stroke="#a9753b" stroke-opacity=".2"/>'


def inlay() -> str:
    """Return the inlays of darker wood under the two tracks."""
    end = across(59) + 8
    return (
        f'<path d="M66 75H{end:.0f}M78 165H{end:.0f}" stroke="#b07f45" stroke-opacity=".38"'
        ' stroke-width="46" stroke-linecap="round"/>'
    )


def drawing() -> str:
    """Return the picture as SVG."""
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
            '<defs><linearGradient id="w" x2="0" y2="1"><stop stop-color="#e9c893"/>',
            '<stop offset=".5" stop-color="#dcb67c"/><stop offset="1" stop-color="#c2955a"/>',
            "</linearGradient></defs>",
            '<rect x="10" y="14" width="980" height="220" rx="34" fill="#7c4d25"/>',
            '<rect x="10" y="8" width="980" height="216" rx="34" fill="url(#w)"/>',
            '<rect x="17" y="15" width="966" height="202" rx="28" fill="none" stroke="#fff0cf"',
            ' stroke-opacity=".45" stroke-width="2"/>',
            grain(),
            inlay(),
            skunk_lines(),
            circles(),
            *(peg(*one) for one in PEGS),
            "</svg>\n",
        )
    )


if __name__ == "__main__":
    print(drawing(), end="")
