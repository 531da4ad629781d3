"""The log of a match with several games: clients can request earlier games."""

import json
from collections.abc import Iterator

import pytest

from games.engine.events import Event, GameWon
from games.live import messages
from games.live.match_state import MatchState
from games.log import store
from games.log.match_meta import load
from games.models import Match
from games.wire.serializers import event_json
from tests.support.people import make_match
from tests.support.played import play_on

pytestmark = pytest.mark.django_db


def steps(live: MatchState, match: Match) -> Iterator[tuple[Event, ...]]:
    """Follow a match's log, and yield the events of each entry as clients receive them."""
    for entry in store.whole(match.pk):
        live.apply_entry(entry)
        told = live.events_since(live.version - 1)
        assert told is not None
        yield told[0]


@pytest.mark.parametrize("players", [2, 3])
def test_earlier_games_are_sent_with_the_events_first_broadcast(players: int) -> None:
    match, _ = make_match(players=players, target=61, games=3)
    play_on(match.public_id)
    meta = load(public_id=match.public_id)
    assert meta is not None
    live = MatchState(meta)
    told: list[list[Event]] = [[]]
    for events in steps(live, match):
        told[-1] += events
        if any(isinstance(event, GameWon) for event in events):
            told.append([])
    assert "earlier" not in json.loads(messages.view(live, None))["d"]
    answers = [json.loads(messages.history(live, game, "a")) for game in (1, 2)]
    plain = [[json.loads(json.dumps(event_json(event))) for event in game] for game in told]
    assert [answer["d"]["events"] for answer in answers] == plain[:2]
