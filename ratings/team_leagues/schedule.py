"""Schedule of a team league: who meets whom in each round. Pure."""

from __future__ import annotations

from ratings.clubs.pairing import Pair, draw


def rounds(*, number: int, double: bool) -> list[list[Pair]]:
    """Return the fixtures of each round of teams 0 .. number - 1; the home team is in front.

    Everyone meets everyone once, or with ``double`` once at home and once away. With an odd number
    one team is free in each round. Home and away alternate as evenly as possible.

    Raises:
        ValueError: for fewer than 2 teams.
    """
    whole = number + number % 2
    drawn = draw(number=whole, games=max(whole - 1, 1))
    first = [[pair for pair in pairs if max(pair) < number] for pairs in drawn]
    if not double:
        return first
    return [*first, *([(away, home) for home, away in pairs] for pairs in first)]
