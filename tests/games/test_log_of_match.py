"""The log of a match with several games: whoever comes back is told of all of them."""

import json
from collections.abc import Iterator

import pytest

from games import frames, store
from games.engine.events import Event, GameWon
from games.headers import load
from games.live import Live
from games.models import Match
from games.wire import event_json
from tests.games.people import make_match
from tests.games.played import play_on

pytestmark = pytest.mark.django_db


def steps(live: Live, match: Match) -> Iterator[tuple[Event, ...]]:
    """Follow a match's log, and yield the events of each entry as listeners are told them."""
    for entry in store.whole(match.pk):
        live.take(entry)
        told = live.since(live.version - 1)
        assert told is not None
        yield told[0]


@pytest.mark.parametrize("players", [2, 3])
def test_a_view_tells_every_game_as_it_was_told_when_it_happened(players: int) -> None:
    match, _ = make_match(players=players, target=61, games=3)
    play_on(match.public_id)
    header = load(public_id=match.public_id)
    assert header is not None
    live = Live(header)
    told: list[list[Event]] = [[]]
    for events in steps(live, match):
        told[-1] += events
        if any(isinstance(event, GameWon) for event in events):
            told.append([])
    data = json.loads(frames.view(live, None))["d"]
    assert len(data["earlier"]) == 2
    plain = [[json.loads(json.dumps(event_json(event))) for event in game] for game in told]
    assert data["earlier"] == plain[:2]
