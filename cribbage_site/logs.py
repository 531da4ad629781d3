"""Log formatters, plain and JSON, and filters of tracebacks and of repeated lines.

The formatters add the ids of match, player and job, and remove cards: no code should log one, but a
message, an exception or a traceback may contain it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from datetime import UTC, datetime
from typing import Any
from weakref import WeakSet

from games.ops.availability import is_outage
from games.ops.log_context import JOB, MATCH, PLAYER

OUTAGE_EVERY = 60.0
"""Seconds between two lines of one kind about a database that is away."""

POOL = "psycopg.pool"
"""The logger of the connections; its warnings are all about lost ones."""

DEBUG_LINES_OF = ("asyncio", "django.template", "numba", "PIL", "urllib3", "websockets")
"""Loggers of libraries whose lines at DEBUG only help to work on them; some write thousands."""

_CARDS = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:[A2-9TJQK]|10)[CDHS])+(?![A-Za-z0-9])"
    r"|\b(?:ace|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king) of "
    r"(?:clubs|diamonds|hearts|spades)\b"
)


def without_cards(text: str) -> str:
    """Return the text with the names of cards replaced by "[card]"."""
    return _CARDS.sub("[card]", text)


def quiet_libraries(level: str) -> dict[str, dict[str, str]]:
    """Return the settings of the libraries' loggers, where lines from a level on are logged."""
    own = "INFO" if level in {"DEBUG", "NOTSET"} else "NOTSET"
    return {name: {"level": own} for name in DEBUG_LINES_OF}


class RefusalsWithoutTrace(logging.Filter):
    """Filter that drops the tracebacks of refused requests: anyone can send many."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass, refused requests (4xx) without their traceback.

        Django logs those that it calls suspicious as errors, by their kind.
        """
        refused = record.name == "django.request" and record.levelno < logging.ERROR
        if refused or record.name.startswith("django.security."):
            record.exc_info = record.exc_text = None
        return True


class OutagesBriefly(logging.Filter):
    """Filter of what loops log while the database is away: one line of each kind per minute.

    The lines have no traceback: where a loop was when it missed the database explains nothing.
    """

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[tuple[str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is logged; shorten it if it is about the database's absence."""
        error = _outage(record)
        if error is None and record.name != POOL:
            return True
        kind, now = (record.name, str(record.msg)), time.monotonic()
        if now - self._last.get(kind, -OUTAGE_EVERY) < OUTAGE_EVERY:
            return False
        self._last[kind] = now
        if record.exc_info:
            cause = str(error).partition("\n")[0]
            record.msg = f"{record.getMessage()} ({type(error).__name__}: {cause})"
            record.args = record.exc_info = record.exc_text = None
        return True


class CutOffsOnce(logging.Filter):
    """Filter that lets Daphne say only once that it has cut off a connection's application.

    It tries again, and says so, each second, while an application ends only after something slow:
    a move that the database is storing.
    """

    def __init__(self) -> None:
        super().__init__()
        self._told: WeakSet[asyncio.Future[Any]] = WeakSet()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is logged."""
        values = record.args if isinstance(record.args, tuple) else ()
        application = values[0] if values and record.name == "daphne.server" else None
        if not isinstance(application, asyncio.Future):
            return True
        new = application not in self._told
        self._told.add(application)
        return new


def _outage(record: logging.LogRecord) -> Exception | None:
    """Return the error that says that the database is away; None if the record is about others."""
    if record.exc_info:
        errors: tuple[object, ...] = (record.exc_info[1],)
    else:
        errors = record.args if isinstance(record.args, tuple) else ()
    outages = (each for each in errors if isinstance(each, Exception) and is_outage(each))
    return next(outages, None)


class Line(logging.Formatter):
    """Formatter of lines for people: time, level, logger, message; match, player, job, if any."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, followed by a traceback if there is one."""
        about = [f"{name} {value}" for name, value in _about(record).items() if value]
        text = super().format(record)
        if about:
            first, end, rest = text.partition("\n")
            text = f"{first} [{', '.join(about)}]{end}{rest}"
        return without_cards(text)


class Json(logging.Formatter):
    """Formatter of JSON objects, one per line.

    Keys: `at`, `level`, `logger`, `process`, `message`, `match`, `player`, `job`, `trace`; for a
    web request also `method`, `path` and `status`. Unknown values are left out.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the object on one line."""
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
    """Return the ids of match, player and job, from the task's context or from the request."""
    match, player = MATCH.get(), PLAYER.get()
    request = getattr(record, "request", None)
    found = getattr(request, "resolver_match", None)
    if found is not None and found.url_name in {"table", "match", "record"}:
        match = match or str(found.kwargs.get("public_id", ""))
    # `request.user` would query the database; `_cached_user` is set if it was already loaded.
    user = getattr(request, "_cached_user", None)
    return {
        "match": match,
        "player": player or str(getattr(user, "public_id", "")),
        "job": JOB.get(),
    }
