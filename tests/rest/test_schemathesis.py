"""The API against its own description: generated requests, each answered as described."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from games.models import Player
from games.people.tokens import create_data_token
from games.rest.api import api

EXAMPLES = 20
"""Requests for each endpoint; the same ones in each run."""

pytestmark = pytest.mark.django_db


def described() -> Any:
    """Return the API's description, with the application that answers."""
    schema = schemathesis.openapi.from_dict(api.get_openapi_schema(path_prefix="/api/v1/"))
    schema.app = _local(get_wsgi_application())
    return schema


def _local(application: Any) -> Any:
    """Return the application, asked from this machine: the client names no address."""

    def asked(environ: dict[str, Any], start_response: Any) -> Any:
        return application({**environ, "REMOTE_ADDR": "127.0.0.1"}, start_response)

    return asked


schema = described()

BEYOND_SCHEMAS = [ignored_auth, positive_data_acceptance]
"""Checks that cannot hold: no schema says which cards make a hand, or which players there are, and
`tests/rest/test_rest.py` tests wrong tokens."""


@pytest.fixture(autouse=True)
def _one_connection() -> Iterator[None]:
    """Keep the test's connection open between requests, as Django's own test client does."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture(autouse=True)
def _no_limits(settings: Any) -> None:
    """Hundreds of requests in a minute come from one address."""
    settings.LIMITS = dict.fromkeys(settings.LIMITS, (0, 60))


@pytest.fixture
def token() -> str:
    ann = Player.objects.create_user("Ann", password="fifteen-two-4")
    return create_data_token(player=ann, name="tests")[1]


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_as_described(case: Case, token: str) -> None:
    answer = case.call(headers={"Authorization": f"Bearer {token}"})
    case.validate_response(answer, excluded_checks=BEYOND_SCHEMAS)


@schema.parametrize()
@settings(
    max_examples=EXAMPLES // 4,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_visitors_get_answers_as_described(case: Case) -> None:
    answer = case.call()
    case.validate_response(answer, excluded_checks=BEYOND_SCHEMAS)
