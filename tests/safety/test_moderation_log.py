"""The pages of the moderation log."""

from __future__ import annotations

import pytest

from games.models import ModerationEntry
from games.pages.moderation import views
from games.people.accounts import create_guest
from tests.support.moderators import a_moderator, as_player

pytestmark = pytest.mark.django_db


def test_older_pages_lead_back_to_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "LOG_PAGE", 1)
    bea, max_ = create_guest(name="Bea"), a_moderator("Max")
    for reason in ("One.", "Two.", "Three."):
        ModerationEntry.objects.create(player=bea, moderator=max_, action="warn", reason=reason)
    client = as_player(max_)
    pages = [client.get(f"/moderation/log/?page={n}").content.decode() for n in (1, 2, 3)]
    newest = 'href="/moderation/log/">Newest</a>'
    assert [newest in page for page in pages] == [False, False, True]
