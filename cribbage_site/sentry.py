"""Errors reported to Sentry, where SENTRY_DSN names a place: no card, no cookie, no address.

`sentry-sdk` is an extra of the package (`pip install sentry-sdk`); without SENTRY_DSN it is not
looked for.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from cribbage_site.logs import without_cards
from games.trail import MATCH, PLAYER

SECRET_PARTS = ("cookies", "headers", "data", "query_string", "env")
"""Parts of a request that a report does not have."""


def start(dsn: str, *, environment: str) -> None:
    """Begin to report.

    Raises:
        ImproperlyConfigured: when `sentry-sdk` is not installed.
    """
    try:
        import sentry_sdk
    except ImportError as error:
        raise ImproperlyConfigured(
            "SENTRY_DSN is set and sentry-sdk is not installed: pip install sentry-sdk"
        ) from error
    sentry_sdk.init(
        dsn=dsn,
        environment=environment,
        send_default_pii=False,
        # A variable of a frame may be a hand.
        include_local_variables=False,
        max_request_body_size="never",
        traces_sample_rate=0.0,
        before_send=before_send,
        before_breadcrumb=lambda crumb, _hint: cleaned(crumb),
    )


def before_send(event: Any, _hint: dict[str, Any]) -> Any:
    """Return the report with match and player, and without what nobody is to read."""
    for part in SECRET_PARTS:
        event.get("request", {}).pop(part, None)
    tags = {"match": MATCH.get(), "player": PLAYER.get()}
    event["tags"] = {**event.get("tags", {}), **{key: tag for key, tag in tags.items() if tag}}
    return cleaned(event)


def cleaned(value: Any) -> Any:
    """Return a value, and all that is in it, with cards struck out of its texts."""
    if isinstance(value, str):
        return without_cards(value)
    if isinstance(value, dict):
        return {key: cleaned(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(part) for part in value]
    return value
