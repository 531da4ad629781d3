"""Matches that were played on from the analysis board, on their pages."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from games.engine import rules
from games.engine.moves import Resign
from games.learn import analysis_board
from games.log import store, summaries
from games.log.store import Entry
from games.models import Match
from tests.pages.test_board import PLAY, THROW, text_of
from tests.support.letters import state_of

pytestmark = pytest.mark.django_db


def resign(match: Match) -> None:
    """Let the player of a match give it up."""
    before, now = state_of(match), timezone.now()
    store.write_all([Entry(match.pk, before.sequence, 0, "0 resign", "a-1", now)])
    change = summaries.effects(match.pk, before, rules.apply(before, Resign(0)).state, now)
    assert change is not None
    summaries.write([change])


@pytest.mark.parametrize("data", [THROW, PLAY])
def test_a_match_from_the_board_leads_back_to_the_position(
    client: Client, data: dict[str, str]
) -> None:
    client.post("/analysis/play/", {**data, "level": "poppy"})
    match = Match.objects.get()
    address = f"/matches/{match.public_id}/"
    assert "See the position" not in text_of(client.get(address)), "its cards are in play"
    resign(match)
    link = re.search(r'href="([^"]+)">See the position', text_of(client.get(address)))
    assert link is not None
    query = parse_qs(urlsplit(client.get(link[1])["Location"]).query)
    back = analysis_board.read({name: values[0] for name, values in query.items()})
    begun = analysis_board.read(data)
    for field in ("dealer", "scores", "cards", "starter", "plays"):
        assert getattr(back, field) == getattr(begun, field)
