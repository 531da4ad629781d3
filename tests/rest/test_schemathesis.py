"""The API against its own description: generated requests, each answered as described."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, settings

from games.models import Player
from games.people.tokens import create_data_token
from games.rest.api import api

EXAMPLES = 20
"""Random requests for each endpoint, besides those that follow from its description."""

if TYPE_CHECKING:
    from schemathesis import Case

pytestmark = pytest.mark.django_db


SAME = settings(
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
"""Settings of all requests, which are the same ones in each run."""

DESCRIPTION = api.get_openapi_schema(path_prefix="/api/v1/")
ENDPOINTS = [
    (path, method)
    for path, methods in DESCRIPTION["paths"].items()
    for method in sorted({"get", "put", "post", "delete", "patch"} & set(methods))
]

each_endpoint = pytest.mark.parametrize(
    ("path", "method"), ENDPOINTS, ids=[f"{method.upper()} {path}" for path, method in ENDPOINTS]
)


@pytest.fixture(scope="module")
def described() -> Any:
    """Return the API's description, with the application that answers."""
    import schemathesis

    schema = schemathesis.openapi.from_dict(DESCRIPTION)
    schema.app = _local(get_wsgi_application())
    return schema


def ask(described: Any, path: str, method: str, check: Callable[[Case[Any]], None]) -> None:
    """Check the answers to an endpoint's requests.

    The requests are made here and not by `schema.parametrize`, which makes them when tests are
    collected: three seconds in each worker, of which only one runs this file. So the imports are
    here, too.
    """
    from schemathesis.checks import load_all_checks
    from schemathesis.generation.feedback import FeedbackSources
    from schemathesis.pytest._test_builder import build_operation_test
    from schemathesis.python._constants.orchestrator import make_constants_value_source

    load_all_checks()
    build_operation_test(
        config=described.config,
        operation=described[path][method],
        test_func=check,
        given_kwargs={},
        feedback=FeedbackSources(constants_value_source=make_constants_value_source(described)),
    )()


def _local(application: Any) -> Any:
    """Return the application, asked from this machine: the client names no address."""

    def asked(environ: dict[str, Any], start_response: Any) -> Any:
        return application({**environ, "REMOTE_ADDR": "127.0.0.1"}, start_response)

    return asked


def validate(case: Case[Any], answer: Any) -> None:
    """Check an answer against the description, but for two checks that cannot hold.

    No schema says which cards make a hand, or which players there are; `tests/rest/test_rest.py`
    tests wrong tokens.
    """
    from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

    case.validate_response(answer, excluded_checks=[ignored_auth, positive_data_acceptance])


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


@each_endpoint
def test_every_answer_is_as_described(described: Any, path: str, method: str, token: str) -> None:
    @settings(SAME, max_examples=EXAMPLES)
    def check(case: Case[Any]) -> None:
        validate(case, case.call(headers={"Authorization": f"Bearer {token}"}))

    ask(described, path, method, check)


@each_endpoint
def test_visitors_get_answers_as_described(described: Any, path: str, method: str) -> None:
    @settings(SAME, max_examples=EXAMPLES // 4)
    def check(case: Case[Any]) -> None:
        validate(case, case.call())

    ask(described, path, method, check)
