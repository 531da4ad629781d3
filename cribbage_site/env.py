"""Settings from the environment: typed, with defaults and clear error messages."""

import logging
import os
import re
import secrets
from collections.abc import Collection
from email.utils import getaddresses
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off"})


def text(name: str, default: str = "") -> str:
    """Return a variable; `default` if it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool) -> bool:
    """Return a variable as a boolean; raise ImproperlyConfigured if it is none."""
    value = text(name)
    word = value.lower()
    if not word:
        return default
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise ImproperlyConfigured(f"{name}={value!r} is not a boolean: set 1 or 0.")


NOT_NEGATIVE = range(2**31)


def number(name: str, default: int, allowed: range = NOT_NEGATIVE) -> int:
    """Return a variable as a whole number; or raise ImproperlyConfigured."""
    value = text(name)
    if not value:
        return default
    try:
        found = int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name}={value!r} is not a whole number.") from None
    if found not in allowed:
        bounds = f"{allowed[0]} to {allowed[-1]}"
        raise ImproperlyConfigured(f"{name}={value!r} is not allowed: set {bounds}.")
    return found


def words(name: str) -> list[str]:
    """Return a variable's comma-separated parts, without surrounding spaces and empty parts."""
    return [word.strip() for word in text(name).split(",") if word.strip()]


def level(name: str, default: str) -> str:
    """Return a variable as a level of log lines; or raise ImproperlyConfigured."""
    found = text(name, default).upper()
    known = logging.getLevelNamesMapping()
    if found not in known:
        raise ImproperlyConfigured(f"{name}={found!r} is not a level: set DEBUG, INFO or WARNING.")
    return found


def zone(name: str, default: str) -> str:
    """Return a variable as the name of a time zone; or raise ImproperlyConfigured."""
    found = text(name, default)
    try:
        ZoneInfo(found)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        hint = "is not a time zone: set one like Europe/Vienna"
        raise ImproperlyConfigured(f"{name}={found!r} {hint}.") from None
    return found


def networks(name: str, default: list[str]) -> list[str]:
    """Return a variable's addresses and networks; or raise ImproperlyConfigured."""
    try:
        return [str(ip_network(word, strict=False)) for word in words(name) or default]
    except ValueError as error:
        hint = "set addresses or networks like 10.0.0.0/8"
        raise ImproperlyConfigured(f"{name}: {error}: {hint}.") from None


def address(name: str, schemes: Collection[str]) -> str:
    """Return a variable as a URL with one of these schemes; "" if it is unset.

    Raises:
        ImproperlyConfigured: for anything else; the message quotes no password.
    """
    value = text(name)
    scheme, separator, rest = value.partition("://")
    if value and not (scheme in schemes and separator and rest.strip("/")):
        begins = " or ".join(f"{each}://" for each in schemes)
        raise ImproperlyConfigured(f"{name} is not a whole address: it begins with {begins}.")
    return value


def sender(name: str, default: str) -> str:
    """Return a variable as the sender of mails, `a@b.org` or `Name <a@b.org>`.

    Raises:
        ImproperlyConfigured: if no mail could be sent with it.
    """
    value = text(name, default)
    addresses = [address for _, address in getaddresses([value])]
    if len(addresses) != 1 or not re.fullmatch(r"[^@\s]+@[^@\s]+", addresses[0]):
        hint = 'quote a name with punctuation, as in "Ann, Bob" <a@b.org>'
        raise ImproperlyConfigured(f"{name}={value!r} is not a mail address: {hint}.")
    return value


def secret_key_file(path: Path) -> str:
    """Return the key stored in `path`; on first use, create it, readable only by its owner.

    If two processes start at the same time, only one creates the file, and both use its key.

    Raises:
        ImproperlyConfigured: if the file cannot be created or read.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return _stored_key(path)
    except OSError as error:
        reason = error.strerror or error
        hint = "Set SECRET_KEY, or run the site where it may write."
        raise ImproperlyConfigured(f"no key can be kept in {path}: {reason}. {hint}") from error


def _stored_key(path: Path) -> str:
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
    # (up to `timeout` seconds); upgrading the lock later would fail at once.
    "transaction_mode": "IMMEDIATE",
    "timeout": 10,
    # FULL: a commit that was acknowledged survives a loss of power.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
}


POOL_TIMEOUT = 10
"""Seconds that a request waits for a connection, and for which its pool tries to open one."""


HALF_OPEN = {
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""Options that end a connection to PostgreSQL whose other side is gone, within about ten seconds.

Behind a NAT gateway or after a failover it can swallow all data without an error; by default the
system would go on sending for a quarter of an hour, while no move is stored. `tcp_user_timeout` is
in milliseconds, the others are in seconds.
"""


def database(url: str, *, base: Path, pool_size: int) -> dict[str, Any]:
    """Return Django's settings for a database URL.

    Args:
        url: `sqlite:///relative.sqlite3`, `sqlite:////absolute.sqlite3`, or
            `postgresql://user:password@host:port/name?option=value`; a `host` option may name the
            folder of a socket.
        base: the folder that relative paths start from.
        pool_size: maximum number of connections of a process; 0 for no pool.

    Raises:
        ImproperlyConfigured: for any other URL; the message does not quote its password.
    """
    try:
        parts = urlsplit(url)
        port = str(parts.port or "")
    except ValueError:
        hint = "a port is a number, and in a password %40 stands for @, %2F for / and %23 for #"
        raise ImproperlyConfigured(f"DATABASE_URL cannot be read: {hint}.") from None
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
        return _postgresql(parts, port, pool_size)
    raise ImproperlyConfigured(
        f"DATABASE_URL begins with {parts.scheme!r}; only sqlite:// and postgresql:// are known."
    )


def _postgresql(parts: SplitResult, port: str, pool_size: int) -> dict[str, Any]:
    if not parts.path.strip("/"):
        raise ImproperlyConfigured("DATABASE_URL names no database: postgresql://.../name")
    options: dict[str, Any] = {**HALF_OPEN, **dict(parse_qsl(parts.query))}
    host = options.pop("host", None) or parts.hostname or ""
    if pool_size:
        from cribbage_site.postgresql.pooled import PooledConnection  # not for SQLite

        # Under ASGI each request has its own thread, so a persistent connection per thread
        # would be opened again for every request: a pool keeps connections instead.
        options["pool"] = {
            "min_size": 1,
            "max_size": pool_size,
            "timeout": POOL_TIMEOUT,
            # The pauses between attempts to connect double. By default they grow for five minutes,
            # so that pages would fail for as long again once a server takes connections again.
            "reconnect_timeout": POOL_TIMEOUT,
            "connection_class": PooledConnection,
        }
    return {
        "ENGINE": "cribbage_site.postgresql",
        "NAME": unquote(parts.path[1:]),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(host),
        "PORT": port,
        "OPTIONS": options,
        # Detect connections that the server has dropped before using them.
        "CONN_HEALTH_CHECKS": True,
    }
