"""The page of all texts shows editors everything, and exists only in development."""

from __future__ import annotations

import re

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import translation

from games.models import Match, Notice, Player
from games.text.sources.reading import all_texts
from games.wire.refusals import SENTENCES

pytestmark = pytest.mark.django_db


def test_a_site_without_debug_has_no_such_page(client: Client) -> None:
    assert client.get("/style/").status_code == 404
    assert client.get("/style/mail/?name=your_turn").status_code == 404


def test_the_page_shows_mails_dialogs_empty_lists_errors_and_all_texts(
    client: Client, settings: LazySettings
) -> None:
    settings.DEBUG = True
    answer = client.get("/style/")
    shown = answer.context
    assert {each.name for each in shown["letters"]} >= {
        "your_turn", "accepted", "reminder", "password_reset_key",
    }  # fmt: skip
    assert all(each.subject and each.text for each in shown["letters"])
    assert any("Bob" in each.title for each in shown["pushes"])
    assert {each.kind for each in shown["pushes"]} == {*Notice.Kind.values, "reminder", "begun"}
    assert (Player.objects.count(), Match.objects.count()) == (0, 0)
    errors = {line.key: line.said for group in shown["errors"] for line in group.lines}
    assert errors.keys() >= SENTENCES.keys() | {"club_full"}
    assert "static/js/table/dialogs.js" in {group.name for group in shown["dialogs"]}
    assert shown["empties"]
    assert sum(area.number for area in shown["areas"]) == len(set(all_texts()))
    page = answer.content.decode()
    assert page.count("<li>") > len(set(all_texts()))
    assert not re.search(r"%\(\w+\)s", page), "placeholders are shown by their names"


def test_the_language_can_be_chosen(client: Client, settings: LazySettings) -> None:
    settings.DEBUG = True
    Player.objects.create_user("Ann")  # as the player of the samples
    page = client.get("/style/?language=fr").content.decode()
    assert '<html lang="fr"' in page
    with translation.override("fr"):
        assert translation.gettext("clubs") in page
    assert page.count('lang="en"') > 1000, "the English stands below"
    assert '<html lang="en"' in client.get("/style/?language=xx").content.decode()
