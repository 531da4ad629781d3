"""Forms that are sent twice: a double click, a reload, the Back button, a lost connection.

The second form gets what the first one made. Forms carry no token for this: forms with the same
content count as the same. Call `made_already` while a lock lets the sender's requests
wait for each other, as `games.people.player_lock.locked_player` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TypeVar

from django.db.models import Model, QuerySet

from games.ops import true_time

RESENT_WITHIN = timedelta(minutes=10)
"""The time within which a form with the same content counts as the same form."""

CLICKED_WITHIN = timedelta(seconds=10)
"""The same for things of which people may want several alike."""

Row = TypeVar("Row", bound=Model)


def made_already(
    rows: QuerySet[Row],
    *,
    at: str = "made_at",
    within: timedelta = RESENT_WITHIN,
    **content: object,
) -> Row | None:
    """Return the newest of the sender's rows if it was made just now with this content.

    Args:
        rows: what the sender has made of this kind.
        at: the field with the time when a row was made.
        within: how long ago that may be.
        content: fields and values that the form sets.
    """
    newest = rows.order_by("-pk").first()
    if newest is None or getattr(newest, at) <= true_time.now() - within:
        return None
    return newest if _is_same(newest, content) else None


def waits_already(
    rows: QuerySet[Row],
    *,
    at: str,
    within: timedelta = RESENT_WITHIN,
    **content: object,
) -> Row | None:
    """Return the newest of the sender's rows with this content that was made just now.

    Unlike `made_already` it looks past what the sender has made of other content since: for things
    that wait next to each other, such as tables. The arguments are the same.
    """
    recent = rows.filter(**{f"{at}__gt": true_time.now() - within}).order_by("-pk")
    return next((row for row in recent if _is_same(row, content)), None)


def _is_same(row: Model, content: Mapping[str, object]) -> bool:
    return all(getattr(row, name) == value for name, value in content.items())
