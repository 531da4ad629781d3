"""Wishes for a rematch that reach different processes."""

from __future__ import annotations

import pytest

from games.cluster import announce
from games.live.runtime import runtime
from games.models import Match
from tests.support.people import Wire, make_match, run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(("other", "wish"), [("same", "wanted"), ("swapped", "swapped")])
def test_equal_wishes_at_the_same_moment_in_two_processes_make_the_rematch(
    other: str, wish: str
) -> None:
    """Neither process knows the other wish when it gets its own."""
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
        there.send({"t": "resign", "d": {}, "id": "b-1"})
        while (await here.hear("steps"))["view"]["phase"] != "over":
            pass
        await there.hang_up()
        assert (await here.ask("rematch"))["t"] == "ok"
        parts, told = runtime(), f"rematch 1 {other}"
        # Outside of this task, as from Redis: a socket's own task only queues its messages.
        parts.loop.call_soon(parts._heard, announce.channel(match.pk), told)
        while True:
            shown = (await here.hear("table"))["rematch"]
            if 1 in shown[wish] and bool(shown["match"]) is (other == "same"):
                break
        await here.hang_up()

    run(scenario())
    assert Match.objects.count() == (2 if wish == "wanted" else 1)
