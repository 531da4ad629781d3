"""`manage.py doctor` finds what is ill, says what to do, and tells no secret."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from games import doctor
from tests.servers import manage, sqlite_url

LONG_KEY = "a-key-of-this-test-alone-that-is-long-enough-0123456789-and-more"


def found(part: str) -> doctor.Finding:
    """Return what is said of one part."""
    return next(finding for finding in doctor.examine() if finding.part == part)


@pytest.mark.django_db
def test_a_site_that_is_well_is_called_so() -> None:
    out = StringIO()
    call_command("doctor", stdout=out)
    lines = out.getvalue().splitlines()
    assert len(lines) == 9
    assert all(line.startswith("ok ") for line in lines)


@pytest.mark.django_db
def test_missing_migrations_are_ill_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.MigrationExecutor, "migration_plan", lambda *_: [1])
    assert found("migrations").advice == "Run manage.py migrate."
    with pytest.raises(CommandError, match="1 of these"):
        call_command("doctor", stdout=StringIO())


@pytest.mark.django_db
def test_redis_that_is_away_is_told_without_its_password(settings: Settings) -> None:
    settings.REDIS_URL = "redis://:geheim@127.0.0.1:1/0"
    finding = found("redis")
    assert finding.ill
    assert "REDIS_URL" in finding.advice
    assert "geheim" not in finding.state + finding.advice


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["short", "a" * 80])
@pytest.mark.parametrize("production", [False, True])
def test_a_poor_secret_key_is_ill_in_production(
    settings: Settings, key: str, *, production: bool
) -> None:
    settings.SECRET_KEY, settings.PRODUCTION = key, production
    finding = found("secret key")
    assert finding.ill is production
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
def test_host_names_and_origins_are_looked_at(
    settings: Settings, hosts: list[str], origins: list[str], *, ill: bool
) -> None:
    settings.ALLOWED_HOSTS, settings.CSRF_TRUSTED_ORIGINS = hosts, origins
    assert found("host names").ill is ill


@pytest.mark.django_db
def test_a_key_for_web_push_that_is_none_is_ill(settings: Settings) -> None:
    settings.VAPID_PRIVATE_KEY = ""
    assert "no web push" in found("messages").state
    settings.VAPID_PRIVATE_KEY = "nonsense"
    finding = found("messages")
    assert finding.ill
    assert "make_vapid_key" in finding.advice


@pytest.mark.django_db
def test_production_needs_its_static_files(settings: Settings, tmp_path: Path) -> None:
    settings.PRODUCTION, settings.STATIC_ROOT = True, tmp_path
    finding = found("static files")
    assert finding.ill
    assert "collectstatic" in finding.advice


@pytest.mark.django_db
def test_a_clock_that_is_not_the_databases_is_ill(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cursor:
        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None: ...

        def execute(self, _: str) -> None: ...

        def fetchone(self) -> tuple[float]:
            return (0.0,)

    theirs = SimpleNamespace(vendor="postgresql", cursor=Cursor)
    monkeypatch.setattr(doctor, "connection", theirs)
    finding = doctor._clock()
    assert finding.ill
    assert "NTP" in finding.advice


@pytest.mark.django_db
def test_a_table_that_cannot_be_read_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from games.analysis import tables

    (tmp_path / "crib_2.table").write_bytes(b"{}")
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    monkeypatch.setattr(tables, "load", lambda name: tables.read(name, tmp_path))
    finding = found("computers' tables")
    assert finding.ill
    assert "crib_2.table" in finding.state


@pytest.mark.slow
def test_its_exit_status_says_whether_people_can_play(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path)
    with pytest.raises(RuntimeError, match=r"Run manage\.py migrate"):
        manage(url, "doctor")
    manage(url, "migrate", "-v", "0")
    assert "ILL" not in manage(url, "doctor")


@pytest.mark.servers
@pytest.mark.slow
def test_it_looks_at_postgresql_and_redis(postgres_url: str, redis_url: str) -> None:
    said = manage(postgres_url, "doctor", redis_url=redis_url)
    assert "ok   database: PostgreSQL" in said
    assert "s from the database's" in said
    assert "ok   redis: answers" in said
    with pytest.raises(RuntimeError, match="ILL  database: PostgreSQL"):
        manage("postgresql://u:geheim@127.0.0.1:1/x", "doctor", extra={"DATABASE_POOL": "0"})
