"""Read settings from the environment, each with a default and a clear complaint."""

import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off", ""})


def text(name: str, default: str = "") -> str:
    """Return the variable, or `default` where it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool) -> bool:
    """Return the variable as a truth value; raise ImproperlyConfigured for any other word."""
    value = os.environ.get(name)
    if value is None:
        return default
    word = value.strip().lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise ImproperlyConfigured(f"{name}={value!r} is neither yes nor no (1 or 0).")


def number(name: str, default: int) -> int:
    """Return the variable as a whole number; raise ImproperlyConfigured where it is none."""
    value = text(name)
    if not value:
        return default
    try:
        return int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name}={value!r} is not a whole number.") from None


def words(name: str) -> list[str]:
    """Return the variable's comma-separated parts, without blanks."""
    return [word.strip() for word in text(name).split(",") if word.strip()]


def secret_key_file(path: Path) -> str:
    """Return the key kept in `path`, making it (readable by its owner alone) at first use.

    Two processes that start at once agree: only one can create the file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    with os.fdopen(handle, "w", encoding="ascii") as file:
        key = secrets.token_urlsafe(50)
        file.write(key)
    return key


SQLITE_OPTIONS: dict[str, Any] = {
    # A write takes its lock at the start of the transaction, so that two writers queue
    # (up to `timeout` seconds) where a later upgrade of the lock would fail at once.
    "transaction_mode": "IMMEDIATE",
    "timeout": 10,
    # FULL: a commit that was acknowledged survives a loss of power.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
}


def database(url: str, *, base: Path, pool_size: int) -> dict[str, Any]:
    """Return Django's settings for one database address.

    `sqlite:///relative.sqlite3`, `sqlite:////absolute.sqlite3` (relative to `base`), or
    `postgresql://user:password@host:port/name?option=value`; a host in the query may name
    the folder of a socket. `pool_size` is the most connections one process holds.
    Raise ImproperlyConfigured for any other address, without quoting its password.
    """
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        path = unquote(parts.path[1:])
        if not path:
            raise ImproperlyConfigured("DATABASE_URL names no file: sqlite:///db.sqlite3")
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(base / path),
            "OPTIONS": dict(SQLITE_OPTIONS),
        }
    if parts.scheme in {"postgres", "postgresql"}:
        return _postgresql(url, pool_size)
    raise ImproperlyConfigured(
        f"DATABASE_URL begins with {parts.scheme!r}; sqlite:// and postgresql:// are known."
    )


def _postgresql(url: str, pool_size: int) -> dict[str, Any]:
    parts = urlsplit(url)
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    host = options.pop("host", None) or parts.hostname or ""
    if pool_size:
        # Under ASGI each request has a thread of its own, so that a connection kept by its
        # thread would be opened anew for each of them: a pool keeps them instead.
        options["pool"] = {"min_size": 1, "max_size": pool_size, "timeout": 10}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path[1:]),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(host),
        "PORT": str(parts.port or ""),
        "OPTIONS": options,
        # A connection that the server has dropped is found out before it is used.
        "CONN_HEALTH_CHECKS": True,
    }
