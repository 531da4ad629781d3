"""Error reports to Sentry (SENTRY_DSN), without cards, cookies or addresses.

`sentry-sdk` is optional (`pip install sentry-sdk`); without SENTRY_DSN it is not imported.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from cribbage_site.logs import without_cards
from games.ops.log_context import MATCH, PLAYER

SECRET_PARTS = ("cookies", "headers", "data", "query_string", "env")
"""Parts of a request that are removed from reports."""


def start(dsn: str, *, environment: str) -> None:
    """Start reporting errors.

    Raises:
        ImproperlyConfigured: if `sentry-sdk` is not installed, or this is no DSN.
    """
    try:
        import sentry_sdk
    except ImportError as error:
        raise ImproperlyConfigured(
            "SENTRY_DSN is set and sentry-sdk is not installed: pip install sentry-sdk"
        ) from error
    try:
        sentry_sdk.utils.Dsn(dsn)
    except ValueError:
        raise ImproperlyConfigured(
            "SENTRY_DSN is not a DSN: https://KEY@HOST/PROJECT, from the project's settings."
        ) from None
    sentry_sdk.init(
        dsn=dsn,
        environment=environment,
        send_default_pii=False,
        # Local variables of a stack frame may hold cards.
        include_local_variables=False,
        max_request_body_size="never",
        traces_sample_rate=0.0,
        before_send=before_send,
        before_breadcrumb=lambda crumb, _hint: cleaned(crumb),
    )


def before_send(event: Any, _hint: dict[str, Any]) -> Any:
    """Return the report with match and player as tags, without secrets and cards; or None.

    Requests that Django calls suspicious are refused, and anyone can send many: no reports of them.
    """
    if event.get("logger", "").startswith("django.security."):
        return None
    for part in SECRET_PARTS:
        event.get("request", {}).pop(part, None)
    tags = {"match": MATCH.get(), "player": PLAYER.get()}
    event["tags"] = {**event.get("tags", {}), **{key: tag for key, tag in tags.items() if tag}}
    return cleaned(event)


def cleaned(value: Any) -> Any:
    """Return a value with cards removed from all texts in it, recursively."""
    if isinstance(value, str):
        return without_cards(value)
    if isinstance(value, dict):
        return {key: cleaned(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(part) for part in value]
    return value
