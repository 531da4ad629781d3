"""Diagnosis of an installation: checks of each part, with advice for problems.

`manage.py doctor` runs all checks. `manage.py check --deploy` runs those of the settings as Django
system checks. `/readyz` counts missing migrations with the same function. The findings never
contain passwords, keys or replies of servers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core import checks
from django.core.checks.security.base import check_secret_key
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import get_connection
from django.db import Error as DatabaseError
from django.db import connection
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.db.migrations.executor import MigrationExecutor

from games.ops import true_time

if TYPE_CHECKING:
    import redis

PROBE = "cribbage:doctor"
"""A key, and a channel to which no process listens."""

QUIET_LOG = {
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "log_min_duration_sample": "-1",
    "log_transaction_sample_rate": "0",
}
"""The settings with which PostgreSQL logs neither statements nor rows; the first two differ from
its defaults."""


REFUSALS = {
    "NOREPLICAS": (
        "Too few of its replicas are connected: start them, or lower min-replicas-to-write in its "
        "configuration."
    ),
    "MISCONF": (
        "It cannot save its data: free disk space, and check that its folder (dir in its "
        "configuration) is writable; its log names the reason."
    ),
}
"""Remedies when Redis refuses commands, by the code of its reply."""

REFUSED_OTHERWISE = "Give it more memory, or let its user set keys and publish."


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check.

    Attributes:
        part: the part that was checked.
        state: the result in a few words.
        advice: what to do; empty if nothing.
        is_problem: whether the site cannot run like this.
    """

    part: str
    state: str
    advice: str = ""
    is_problem: bool = False


def examine(*, before_start: bool = False) -> Iterator[Finding]:
    """Yield the findings for all parts; checks that depend on a failed one are skipped.

    ``before_start`` leaves out the workers, which are started later.
    """
    database = _database()
    yield database
    if not database.is_problem:
        migrations = _migrations()
        yield migrations
        yield _clock()
        yield _database_log()
        if not migrations.is_problem:
            if not before_start:
                yield _workers()
            yield _jobs()
    yield _redis()
    yield _secret_key()
    yield _names()
    yield _messages()
    yield _static_files()
    yield _tables()
    yield _kernels()


SETTINGS_CHECKS: dict[str, Callable[[], Finding]] = {}
"""Checks that need only the settings, by the id of their system check."""


def settings_check(ident: str) -> Callable[[Callable[[], Finding]], Callable[[], Finding]]:
    """Return a decorator that makes ``manage.py check --deploy`` run a check too, under this id."""

    def keep(check: Callable[[], Finding]) -> Callable[[], Finding]:
        SETTINGS_CHECKS[ident] = check
        return check

    return keep


def check_settings(app_configs: object, **_options: object) -> list[checks.CheckMessage]:
    """Return an error for each failed check of the settings; this is a Django system check."""
    found = [(ident, check()) for ident, check in SETTINGS_CHECKS.items()]
    return [
        checks.Error(f"{finding.part}: {finding.state}", hint=finding.advice, id=ident)
        for ident, finding in found
        if finding.is_problem
    ]


def missing_migrations() -> int:
    """Return the number of migrations that have not been applied.

    Raises:
        InconsistentMigrationHistory: if a migration is applied but one that it needs is not.
        django.db.Error: if the database cannot be queried.
    """
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _database() -> Finding:
    kind = "PostgreSQL" if connection.vendor == "postgresql" else "SQLite"
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        advice = (
            "Start it, and check host, port, name, user and password in DATABASE_URL."
            if kind == "PostgreSQL"
            else "Check that the folder of DATABASE_URL's file exists and is writable."
        )
        return Finding("database", f"{kind}: {type(error).__name__}", advice, is_problem=True)
    if kind == "SQLite" and settings.REDIS_URL:
        advice = "Several processes need PostgreSQL: DATABASE_URL=postgresql://..."
        return Finding("database", "SQLite with Redis", advice)
    return Finding("database", kind)


def _migrations() -> Finding:
    try:
        missing = missing_migrations()
    except InconsistentMigrationHistory:
        advice = "The database belongs to other code: restore the backup made with this code."
        return Finding("migrations", "do not match the database", advice, is_problem=True)
    if missing:
        return Finding(
            "migrations", f"{missing} missing", "Run manage.py migrate.", is_problem=True
        )
    return Finding("migrations", "all there")


def _clock() -> Finding:
    if connection.vendor != "postgresql":
        return Finding("clock", "the database uses this machine's")
    apart = abs(true_time.seconds_ahead())
    if apart > true_time.MOST_APART:
        advice = "Synchronize both machines by NTP: timedatectl set-ntp true."
        return Finding("clock", f"{apart:.1f} s from the database's", advice, is_problem=True)
    return Finding("clock", f"{apart:.2f} s from the database's")


def _database_log() -> Finding:
    """Check that PostgreSQL's own log cannot quote cards, which statements and errors name."""
    if connection.vendor != "postgresql":
        return Finding("database's log", "there is none")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [list(QUIET_LOG)]
        )
        found = dict(cursor.fetchall())
    loud = [name for name, quiet in QUIET_LOG.items() if found.get(name, quiet) != quiet]
    if not loud:
        return Finding("database's log", "quotes no statement")
    wanted = ", ".join(f"{name} = {QUIET_LOG[name]}" for name in loud)
    advice = f"Set {wanted} in PostgreSQL, as docs/deployment.md describes."
    return Finding("database's log", "may quote cards of running games", advice)


def _workers() -> Finding:
    from games.jobs.overview import workers_alive

    number = workers_alive()
    if not number:
        advice = (
            "Start manage.py worker: without it there are no mails, reviews, ratings and cleaning."
        )
        return Finding("workers", "none runs", advice)
    return Finding("workers", f"{number} at work")


def _jobs() -> Finding:
    from games.jobs.queue import KEPT_FAILED, failed_jobs

    failed = failed_jobs()
    if not failed:
        return Finding("jobs", "none has failed")
    names = ", ".join(f"{name} {number}" for name, number in sorted(failed.items()))
    advice = "See Task results in the admin, where they can be tried again, and the worker's log."
    return Finding("jobs", f"failed in the last {KEPT_FAILED.days} days: {names}", advice)


def _redis() -> Finding:
    if not settings.REDIS_URL:
        return Finding("redis", "not used: fine for a single process")
    import redis

    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=3, socket_connect_timeout=3
        ) as client:
            client.ping()
            client.set(PROBE, "", px=1)
            client.publish(PROBE, "")
    except redis.ReadOnlyError:
        advice = "REDIS_URL leads to a replica; set the address of the server that it follows."
        return Finding("redis", "takes no changes", advice, is_problem=True)
    except redis.ResponseError as error:
        return _refusing(error)
    except (redis.RedisError, ValueError) as error:
        advice = (
            "Start it, and check REDIS_URL; until then each process works alone, and players in "
            "different processes see each other's moves late."
        )
        return Finding("redis", type(error).__name__, advice, is_problem=True)
    return Finding("redis", "answers")


def _refusing(error: redis.ResponseError) -> Finding:
    """Return the finding for a Redis that answers but refuses; its reply begins with a code."""
    known = next((code for code in REFUSALS if str(error).startswith(code)), None)
    advice = REFUSALS[known] if known else REFUSED_OTHERWISE
    advice += " Until then each process counts by itself for limits."
    state = f"refuses commands ({known or type(error).__name__})"
    return Finding("redis", state, advice, is_problem=True)


def _secret_key() -> Finding:
    # Not a `settings_check`: `check --deploy` already runs Django's own check, used here.
    if check_secret_key(None):
        advice = (
            "Set SECRET_KEY to 50 or more random characters: python -c "
            "'import secrets; print(secrets.token_urlsafe(50))'. Add the old one to "
            "SECRET_KEY_FALLBACKS, so that nobody is logged out."
        )
        return Finding("secret key", "too easy to guess", advice, is_problem=settings.PRODUCTION)
    return Finding("secret key", "long enough")


@settings_check("cribbage.E001")
def _names() -> Finding:
    hosts = settings.ALLOWED_HOSTS
    if "*" in hosts:
        advice = "Set ALLOWED_HOSTS to the site's own host names; * accepts any."
        return Finding("host names", "any", advice, is_problem=True)
    for host in hosts:
        if "/" in host or (":" in host and not host.startswith("[")):
            advice = "ALLOWED_HOSTS needs names without scheme and port: cribbage.example"
            return Finding("host names", f"{host!r} is not a name", advice, is_problem=True)
    for origin in settings.CSRF_TRUSTED_ORIGINS:
        parts = urlsplit(origin)
        if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path:
            advice = "CSRF_TRUSTED_ORIGINS needs whole origins: https://cribbage.example"
            return Finding("host names", f"{origin!r} is not an origin", advice, is_problem=True)
    if settings.PRODUCTION and not settings.BEHIND_PROXY:
        advice = (
            "Behind a proxy with TLS that overwrites X-Forwarded-Proto, set BEHIND_PROXY=1; "
            "without it every page redirects to itself."
        )
        return Finding("host names", f"{', '.join(hosts)}; no proxy", advice)
    return Finding("host names", ", ".join(hosts))


@settings_check("cribbage.E002")
def _messages() -> Finding:
    from games.correspondence import push

    try:
        get_connection()
    except (ImportError, ValueError) as error:
        advice = "Set EMAIL_BACKEND=django.core.mail.backends.smtp.EmailBackend, to send mails."
        return Finding("messages", f"EMAIL_BACKEND: {error}", advice, is_problem=True)
    if settings.PRODUCTION and settings.EMAIL_BACKEND.endswith("console.EmailBackend"):
        advice = (
            "Set EMAIL_BACKEND and EMAIL_HOST: nobody can reset a forgotten password until then."
        )
        return Finding("messages", "mails are printed, and not sent", advice)
    if not settings.VAPID_PRIVATE_KEY:
        return Finding("messages", f"links lead to {settings.SITE_URL}; no web push")
    try:
        push.application_key()
    except ImproperlyConfigured as error:
        advice = "Set VAPID_PRIVATE_KEY to what manage.py make_vapid_key prints, or unset it."
        return Finding("messages", str(error), advice, is_problem=True)
    return Finding("messages", f"links lead to {settings.SITE_URL}; web push has a key")


def _static_files() -> Finding:
    if not settings.PRODUCTION:
        return Finding("static files", "served from the source folders")
    advice = "Run manage.py collectstatic --noinput, and restart the processes."
    known: dict[str, str] = getattr(staticfiles_storage, "hashed_files", {})
    root = Path(settings.STATIC_ROOT)
    if not known:
        return Finding("static files", f"none collected in {root}", advice, is_problem=True)
    ours = {path for finder in get_finders() for path, _ in finder.list([])}
    missing = [path for path in ours if not (root / known.get(path, "-")).is_file()]
    if missing:
        state = f"{len(missing)} of {len(ours)} not collected, for example {min(missing)}"
        return Finding("static files", state, advice, is_problem=True)
    return Finding("static files", f"{len(ours)} collected")


def _tables() -> Finding:
    from games.analysis import tables
    from games.bots import levels

    files = sorted(tables.FOLDER.glob("*.table"))
    bad = [file.name for file in files if not _fine(partial(tables.load, file.stem))]
    advice = "Copy the files of games/analysis/tables from the release again."
    if not files or bad:
        state = f"cannot be read: {', '.join(bad)}" if bad else "none found"
        return Finding("computers' tables", state, advice, is_problem=True)
    state = f"{len(files)} read, for {len(levels())} computer players"
    return Finding("computers' tables", state)


def _kernels() -> Finding:
    from games.analysis.kernels import built

    if built.HAS_NUMBA:
        return Finding("computers' kernels", "compiled by Numba")
    try:
        _, listed = built.load()
    except ImportError as error:
        return Finding("computers' kernels", "cannot be loaded", str(error), is_problem=True)
    return Finding("computers' kernels", f"{len(listed)} built ahead of time")


def _fine(work: Callable[[], object]) -> bool:
    from games.analysis.tables import TableError

    try:
        work()
    except (TableError, OSError, ValueError):
        return False
    return True
