"""The documentation of the JSON API: every path, and examples like the real answers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games.models import Player
from games.people.tokens import create_data_token
from tests.rest.test_rest import ROOT, ask, seated

pytestmark = pytest.mark.django_db


def test_the_api_page_describes_every_path_without_external_scripts() -> None:
    page = Client().get(f"{ROOT}/").content.decode()
    schema = Client().get(f"{ROOT}/openapi.json").json()
    assert len(schema["paths"]) >= 9
    for path in schema["paths"]:
        assert path in page
    loaded = re.findall(r'(?:src|href)="(https?:[^"]+|//[^"]+)"', page)
    assert loaded == []
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)


def test_every_path_is_documented_in_api_md() -> None:
    text = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
    for path in Client().get(f"{ROOT}/openapi.json").json()["paths"]:
        assert f"`GET {path.removeprefix(ROOT)}`" in text


def test_the_documented_examples_match_the_answers() -> None:
    """Each documented curl request is made; the answer must have the shape printed below it."""
    text = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
    ann = Player.objects.create_user("Ann", password="fifteen-two-4")
    _, token = create_data_token(player=ann, name="phone")
    match = seated(ann)
    examples = re.findall(
        r'```\ncurl (-H "Authorization: Bearer \$TOKEN" )?"\$SITE(/[^"]+)"\n```\n\n'
        r"```json\n(.*?)```",
        text,
        re.DOTALL,
    )
    assert len(examples) >= 6
    for bearer, path, shown in examples:
        asked = path.replace("k7m2p9x4qd", match.public_id)
        asked = asked.replace("b4n8w2r6tz", ann.public_id)
        headers: dict[str, Any] = {"authorization": f"Bearer {token}"} if bearer else {}
        told = ask(Client(), asked.removeprefix(ROOT), **headers)
        said = json.loads(shown)
        assert shape(told) == shape(said), path


def shape(value: Any) -> Any:
    """Return a JSON value's keys without the values; for a list those of its first element."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return None
