"""`manage.py doctor` finds problems, gives advice, and reveals no secrets."""

from __future__ import annotations

import shutil
from datetime import timedelta
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import redis
from django.conf import settings
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django.fixtures import Settings

from games import doctor
from games.analysis.kernels import built
from games.live.idle_computers import move_computers
from games.models import Worker
from games.ops import true_time
from tests.support.data_servers import HOST, Redis
from tests.support.servers import manage, sqlite_url

LONG_KEY = "a-key-of-this-test-alone-that-is-long-enough-0123456789-and-more"


def found(part: str) -> doctor.Finding:
    """Return the finding about one part."""
    return next(finding for finding in doctor.examine() if finding.part == part)


@pytest.mark.django_db
def test_a_healthy_site_has_no_findings() -> None:
    now, out = timezone.now(), StringIO()
    Worker.objects.create(name="one", started_at=now, seen_at=now)
    if connection.vendor == "postgresql":  # as docs/deployment.md tells
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL log_min_error_statement = panic")
            cursor.execute("SET LOCAL log_error_verbosity = terse")
    call_command("doctor", stdout=out)
    lines = out.getvalue().splitlines()
    assert len(lines) == 13
    assert all(line.startswith("ok ") for line in lines)


@pytest.mark.django_db
def test_missing_migrations_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.doctor.MigrationExecutor.migration_plan", lambda *_: [1])
    assert found("migrations").advice == "Run manage.py migrate."
    with pytest.raises(CommandError, match="can play: 1"):
        call_command("doctor", stdout=StringIO())


@pytest.mark.django_db
def test_a_site_without_a_worker_is_told_to_start_one(settings: Settings) -> None:
    assert "manage.py worker" in found("workers").advice
    now = timezone.now()
    gone = now - timedelta(seconds=settings.JOB_LEASE + 1)
    worker = Worker.objects.create(name="one", started_at=gone, seen_at=gone)
    assert found("workers").state == "none runs"
    Worker.objects.filter(pk=worker.pk).update(seen_at=now)
    assert (found("workers").state, found("workers").advice) == ("1 at work", "")


@pytest.mark.django_db
def test_before_the_start_nobody_is_told_to_start_a_worker() -> None:
    out = StringIO()
    call_command("doctor", "--before-start", stdout=out)
    assert "worker" not in out.getvalue()
    unit = Path(settings.BASE_DIR) / "deploy" / "systemd" / "cribbage-migrate.service"
    assert "doctor --before-start" in unit.read_text()


@pytest.mark.django_db
def test_failed_jobs_are_counted_by_name() -> None:
    move_computers.enqueue(1)
    assert found("jobs").advice == ""
    DBTaskResult.objects.update(status="FAILED")
    assert "move_computers 1" in found("jobs").state
    assert found("jobs").advice and not found("jobs").is_problem


@pytest.mark.django_db
def test_unreachable_redis_is_reported_without_its_password(settings: Settings) -> None:
    settings.REDIS_URL = "redis://:geheim@127.0.0.1:1/0"
    finding = found("redis")
    assert finding.is_problem
    assert "REDIS_URL" in finding.advice
    assert "geheim" not in finding.state + finding.advice


@pytest.mark.django_db
def test_a_redis_that_takes_no_changes_is_a_problem(
    settings: Settings, redis_server: Redis
) -> None:
    settings.REDIS_URL = redis_server.url
    with redis.Redis.from_url(redis_server.url) as server:
        server.config_set("maxmemory", 1)
        full = doctor._redis()
        server.config_set("maxmemory", 0)
        server.config_set("min-replicas-to-write", 1)
        alone = doctor._redis()
        server.config_set("min-replicas-to-write", 0)
        server.replicaof(HOST, 1)
        follows = doctor._redis()
        server.replicaof("NO", "ONE")
    assert full.state == "refuses commands (OutOfMemoryError)"
    assert "more memory" in full.advice
    assert alone.state == "refuses commands (NOREPLICAS)"
    assert "min-replicas-to-write" in alone.advice and "memory" not in alone.advice
    assert follows.state == "takes no changes"
    assert full.is_problem and alone.is_problem and follows.is_problem
    assert not doctor._redis().is_problem


def test_a_redis_that_cannot_save_is_given_its_own_advice() -> None:
    unsaved = doctor._refusing(redis.ResponseError("MISCONF Redis is configured to save snapshots"))
    assert unsaved.state == "refuses commands (MISCONF)"
    assert "disk" in unsaved.advice and unsaved.is_problem
    assert "limits fail" not in unsaved.advice, "each process counts for them"


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["short", "a" * 80])
@pytest.mark.parametrize("production", [False, True])
def test_a_weak_secret_key_is_a_problem_in_production(
    settings: Settings, key: str, *, production: bool
) -> None:
    settings.SECRET_KEY, settings.PRODUCTION = key, production
    finding = found("secret key")
    assert finding.is_problem is production
    assert "SECRET_KEY_FALLBACKS" in finding.advice
    settings.SECRET_KEY = LONG_KEY
    assert not found("secret key").advice


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("hosts", "origins", "ill"),
    [
        (["cribbage.example"], ["https://club.example"], False),
        (["*"], [], True),
        (["cribbage.example"], ["club.example"], True),
        (["cribbage.example"], ["https://club.example/"], True),
    ],
)
def test_host_names_and_origins_are_checked(
    settings: Settings, hosts: list[str], origins: list[str], *, ill: bool
) -> None:
    settings.ALLOWED_HOSTS, settings.CSRF_TRUSTED_ORIGINS = hosts, origins
    assert found("host names").is_problem is ill


@pytest.mark.django_db
def test_the_deployment_checks_give_the_same_advice(settings: Settings) -> None:
    settings.ALLOWED_HOSTS, settings.VAPID_PRIVATE_KEY = ["*"], "nonsense"
    settings.SECRET_KEY = "short"
    said = run_checks(include_deployment_checks=True)
    ours = {message.id: message for message in said if (message.id or "").startswith("cribbage.")}
    assert set(ours) == {"cribbage.E001", "cribbage.E002"}
    names, messages = ours["cribbage.E001"], ours["cribbage.E002"]
    assert (names.hint, messages.hint) == (found("host names").advice, found("messages").advice)
    assert names.is_serious()
    assert "security.W009" in {message.id for message in said}
    assert "cribbage.E001" not in {message.id for message in run_checks()}


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["https://cribbage.example", "cribbage.example:8000"])
def test_a_host_name_has_no_scheme_and_no_port(settings: Settings, host: str) -> None:
    settings.ALLOWED_HOSTS = ["[::1]", host]
    finding = found("host names")
    assert finding.is_problem
    assert host in finding.state


@pytest.mark.django_db
def test_a_public_site_that_sends_no_mails_is_told(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    assert found("messages").advice == ""
    settings.PRODUCTION = True
    assert "not sent" in found("messages").state
    settings.EMAIL_BACKEND = "smtp"
    assert found("messages").is_problem


@pytest.mark.django_db
def test_an_invalid_web_push_key_is_a_problem(settings: Settings) -> None:
    settings.VAPID_PRIVATE_KEY = ""
    assert "no web push" in found("messages").state
    settings.VAPID_PRIVATE_KEY = "nonsense"
    finding = found("messages")
    assert finding.is_problem
    assert "make_vapid_key" in finding.advice


@pytest.mark.django_db
def test_production_needs_its_static_files(settings: Settings, tmp_path: Path) -> None:
    settings.PRODUCTION, settings.STATIC_ROOT = True, tmp_path
    finding = found("static files")
    assert finding.is_problem
    assert "collectstatic" in finding.advice


@pytest.mark.django_db
def test_a_clock_that_differs_from_the_databases_is_a_problem(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Cursor:
        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None: ...

        def execute(self, _: str) -> None: ...

        def fetchone(self) -> tuple[float]:
            return (0.0,)

    theirs = SimpleNamespace(vendor="postgresql", cursor=Cursor)
    monkeypatch.setattr(doctor, "connection", theirs)
    monkeypatch.setattr(true_time, "connection", theirs)
    finding = doctor._clock()
    assert finding.is_problem
    assert "NTP" in finding.advice


@pytest.mark.django_db
def test_an_unreadable_table_is_reported_by_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from games.analysis import tables

    (tmp_path / "crib_2.table").write_bytes(b"{}")
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    monkeypatch.setattr(tables, "load", lambda name: tables.read(name, tmp_path))
    finding = found("computers' tables")
    assert finding.is_problem
    assert "crib_2.table" in finding.state


@pytest.mark.slow
def test_doctor_fails_until_the_database_is_migrated(tmp_path: Path, empty_database: Path) -> None:
    url = sqlite_url(tmp_path)
    with pytest.raises(RuntimeError, match=r"Run manage\.py migrate"):
        manage(url, "doctor")
    shutil.copyfile(empty_database, tmp_path / "site.sqlite3")
    assert "FAIL" not in manage(url, "doctor")


@pytest.mark.servers
@pytest.mark.slow
def test_postgresql_and_redis_are_checked(postgres_url: str, redis_url: str) -> None:
    said = manage(postgres_url, "doctor", redis_url=redis_url)
    assert "ok   database: PostgreSQL" in said
    assert "s from the database's" in said
    assert "ok   redis: answers" in said
    with pytest.raises(RuntimeError, match="FAIL database: PostgreSQL"):
        manage("postgresql://u:geheim@127.0.0.1:1/x", "doctor", extra={"DATABASE_POOL": "0"})


@pytest.mark.django_db
def test_without_numba_the_kernels_must_have_been_built(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert found("computers' kernels").state == "compiled by Numba"
    monkeypatch.setattr(built, "HAS_NUMBA", False)
    monkeypatch.setattr(built, "FOLDER", tmp_path)
    finding = found("computers' kernels")
    assert finding.is_problem
    assert "docs/deployment.md" in finding.advice
    monkeypatch.setattr(built, "load", lambda: (None, {"show.count_cards": []}))
    assert found("computers' kernels").state == "1 built ahead of time"
