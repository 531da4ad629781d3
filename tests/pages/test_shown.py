"""The page of privacy settings, while other requests change the player."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Player
from games.pages.archive.filter_form import ShownForm
from games.people.accounts import create_guest

pytestmark = pytest.mark.django_db


def test_saving_privacy_settings_leaves_a_new_name_alone(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = create_guest(name="Margery")
    client.force_login(player)
    is_valid = ShownForm.is_valid

    def renamed_meanwhile(form: ShownForm) -> bool:
        Player.objects.filter(pk=player.pk).update(name="Renamed")
        return is_valid(form)

    monkeypatch.setattr(ShownForm, "is_valid", renamed_meanwhile)
    client.post("/shown/", {"private": "on", "replays": "watched", "sharing": "never"})
    player.refresh_from_db()
    assert (player.name, player.private, player.sharing) == ("Renamed", True, "never")
