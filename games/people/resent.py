"""Forms that arrive twice: a double click, a reload, the Back button, a lost connection.

What was just made from the same form stands for the second one. A form carries nothing for this:
its content says whether it is the same. Call `made_already` while a lock lets the sender's requests
wait for each other, as `games.people.player_lock.locked_player` does.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TypeVar

from django.db.models import Model, QuerySet
from django.utils import timezone

RESENT_WITHIN = timedelta(minutes=10)
"""Time for which a form with the same content is taken for the same form."""

CLICKED_WITHIN = timedelta(seconds=10)
"""The same for things of which people want several that are equal."""

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
    if newest is None or getattr(newest, at) <= timezone.now() - within:
        return None
    same = all(getattr(newest, name) == value for name, value in content.items())
    return newest if same else None
