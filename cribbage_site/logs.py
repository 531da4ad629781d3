"""Lines of the log: for people, or as JSON; each names the match and the player it is about.

No line ever names a card. Nothing that is logged should hold one; here it is struck out where a
message, an exception's text or a traceback holds one all the same.
"""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime
from typing import Any

from games.trail import MATCH, PLAYER

_CARDS = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:[A2-9TJQK]|10)[CDHS])+(?![A-Za-z0-9])"
    r"|\b(?:ace|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king) of "
    r"(?:clubs|diamonds|hearts|spades)\b"
)


def without_cards(text: str) -> str:
    """Return the text with each card's name struck out."""
    return _CARDS.sub("[card]", text)


class Line(logging.Formatter):
    """One line for people: when, how bad, where, what; and match and player, if any."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, a traceback after it."""
        about = [f"{name} {value}" for name, value in _about(record).items() if value]
        text = super().format(record)
        if about:
            first, end, rest = text.partition("\n")
            text = f"{first} [{', '.join(about)}]{end}{rest}"
        return without_cards(text)


class Json(logging.Formatter):
    """One JSON object: `at`, `level`, `logger`, `process`, `message`, `match`, `player`, `trace`.

    Of a web request also `method`, `path` and `status`.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the object, in one line."""
        said: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "process": record.process,
            "message": without_cards(record.getMessage()),
            **_about(record),
        }
        request = getattr(record, "request", None)
        if request is not None and hasattr(request, "method"):
            said["method"] = request.method
            said["path"] = without_cards(request.path)
            said["status"] = getattr(record, "status_code", None)
        if record.exc_info:
            said["trace"] = without_cards(self.formatException(record.exc_info))
        return json.dumps({key: value for key, value in said.items() if value not in {"", None}})


def _about(record: logging.LogRecord) -> dict[str, str]:
    """Return match and player, by the ids that addresses have: the task's, or the request's."""
    match, player = MATCH.get(), PLAYER.get()
    request = getattr(record, "request", None)
    found = getattr(request, "resolver_match", None)
    if found is not None and found.url_name in {"table", "match", "record"}:
        match = match or str(found.kwargs.get("public_id", ""))
    # Asking a request for its user would go to the database; who was asked for is here already.
    user = getattr(request, "_cached_user", None)
    return {"match": match, "player": player or str(getattr(user, "public_id", ""))}
