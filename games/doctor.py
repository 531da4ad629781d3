"""Looking at what a site needs, part by part, with what to do where something is wrong.

Nothing that is said holds a password, a key, or what a server answered.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.exceptions import ImproperlyConfigured
from django.db import Error as DatabaseError
from django.db import connection
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.db.migrations.executor import MigrationExecutor

MOST_SECONDS_APART = 2.0
"""More between this machine's clock and the database's moves the ends of people's time."""

SHORTEST_KEY = 50
"""Characters of a secret key, as Django's own check asks."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        part: what it is.
        state: what was found, in a few words.
        advice: what to do; empty where it is well, or nothing has to be done.
        ill: whether the site cannot do without it.
    """

    part: str
    state: str
    advice: str = ""
    ill: bool = False


def examine() -> Iterator[Finding]:
    """Look at every part; what depends on one that is ill is not looked at."""
    database = _database()
    yield database
    if not database.ill:
        yield _migrations()
        yield _clock()
    yield _redis()
    yield _secret_key()
    yield _names()
    yield _messages()
    yield _static_files()
    yield _tables()


def _database() -> Finding:
    kind = "PostgreSQL" if connection.vendor == "postgresql" else "SQLite"
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        advice = (
            "Start it, and look at host, port, name, user and password in DATABASE_URL."
            if kind == "PostgreSQL"
            else "See that the folder of DATABASE_URL's file is there and can be written to."
        )
        return Finding("database", f"{kind}: {type(error).__name__}", advice, ill=True)
    if kind == "SQLite" and settings.REDIS_URL:
        advice = "Several processes want PostgreSQL: DATABASE_URL=postgresql://..."
        return Finding("database", "SQLite with Redis", advice)
    return Finding("database", kind)


def _migrations() -> Finding:
    try:
        executor = MigrationExecutor(connection)
        missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except InconsistentMigrationHistory:
        advice = "The database is of other code: restore the backup that belongs to this code."
        return Finding("migrations", "do not fit the database", advice, ill=True)
    if missing:
        return Finding("migrations", f"{missing} missing", "Run manage.py migrate.", ill=True)
    return Finding("migrations", "all there")


def _clock() -> Finding:
    if connection.vendor != "postgresql":
        return Finding("clock", "the database has this machine's")
    with connection.cursor() as cursor:
        before = time.monotonic()
        cursor.execute("SELECT EXTRACT(EPOCH FROM clock_timestamp())")
        theirs = float(cursor.fetchone()[0])
        took = time.monotonic() - before
    apart = abs(datetime.now(UTC).timestamp() - took / 2 - theirs)
    if apart > MOST_SECONDS_APART:
        advice = "Have both machines keep time by NTP: timedatectl set-ntp true."
        return Finding("clock", f"{apart:.1f} s from the database's", advice, ill=True)
    return Finding("clock", f"{apart:.2f} s from the database's")


def _redis() -> Finding:
    if not settings.REDIS_URL:
        return Finding("redis", "none: right for one process alone")
    import redis

    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=3, socket_connect_timeout=3
        ) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        advice = (
            "Start it, and look at REDIS_URL; until then each process goes on alone and "
            "players in different processes wait for each other's moves."
        )
        return Finding("redis", type(error).__name__, advice, ill=True)
    return Finding("redis", "answers")


def _secret_key() -> Finding:
    key = settings.SECRET_KEY
    if len(key) < SHORTEST_KEY or len(set(key)) < 5:
        advice = (
            "Set SECRET_KEY to 50 characters or more of chance: python -c "
            "'import secrets; print(secrets.token_urlsafe(50))'. Name the old one in "
            "SECRET_KEY_FALLBACKS, so that nobody is logged out."
        )
        return Finding("secret key", "too easy to guess", advice, ill=settings.PRODUCTION)
    return Finding("secret key", "long enough")


def _names() -> Finding:
    hosts = settings.ALLOWED_HOSTS
    if "*" in hosts:
        advice = "Name the site's own host names in ALLOWED_HOSTS; * lets any page use them."
        return Finding("host names", "any", advice, ill=True)
    for origin in settings.CSRF_TRUSTED_ORIGINS:
        parts = urlsplit(origin)
        if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path:
            advice = "CSRF_TRUSTED_ORIGINS has whole origins: https://cribbage.example"
            return Finding("host names", f"{origin!r} is no origin", advice, ill=True)
    if settings.PRODUCTION and not settings.BEHIND_PROXY:
        advice = (
            "Behind a proxy with TLS that overwrites X-Forwarded-Proto set BEHIND_PROXY=1; "
            "without it every page sends the browser round in circles."
        )
        return Finding("host names", f"{', '.join(hosts)}; no proxy", advice)
    return Finding("host names", ", ".join(hosts))


def _messages() -> Finding:
    from games import push

    if not settings.VAPID_PRIVATE_KEY:
        return Finding("messages", f"links lead to {settings.SITE_URL}; no web push")
    try:
        push.application_key()
    except ImproperlyConfigured as error:
        advice = "Set VAPID_PRIVATE_KEY to what manage.py make_vapid_key prints, or leave it out."
        return Finding("messages", str(error), advice, ill=True)
    return Finding("messages", f"links lead to {settings.SITE_URL}; web push has a key")


def _static_files() -> Finding:
    if not settings.PRODUCTION:
        return Finding("static files", "served from where they are written")
    advice = "Run manage.py collectstatic --noinput, and start the processes anew."
    known: dict[str, str] = getattr(staticfiles_storage, "hashed_files", {})
    root = Path(settings.STATIC_ROOT)
    if not known:
        return Finding("static files", f"none collected in {root}", advice, ill=True)
    ours = {path for finder in get_finders() for path, _ in finder.list([])}
    missing = [path for path in ours if not (root / known.get(path, "-")).is_file()]
    if missing:
        state = f"{len(missing)} of {len(ours)} not collected, {min(missing)} among them"
        return Finding("static files", state, advice, ill=True)
    return Finding("static files", f"{len(ours)} collected")


def _tables() -> Finding:
    from games.analysis import tables
    from games.bots import levels

    files = sorted(tables.FOLDER.glob("*.table"))
    bad = [file.name for file in files if not _fine(partial(tables.load, file.stem))]
    advice = "Take the files of games/analysis/tables from the release anew."
    if not files or bad:
        state = f"cannot be read: {', '.join(bad)}" if bad else "none there"
        return Finding("computers' tables", state, advice, ill=True)
    state = f"{len(files)} read, for {len(levels())} computer players"
    return Finding("computers' tables", state)


def _fine(work: Callable[[], object]) -> bool:
    from games.analysis.tables import TableError

    try:
        work()
    except (TableError, OSError, ValueError):
        return False
    return True
