"""The files in deploy/ agree with the code, and systemd accepts its units.

tests/proxies runs nginx and Caddy, tests/site/test_monitoring.py Prometheus. Not tested: `docker
compose up`, and Grafana itself.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from cribbage_site import env
from cribbage_site import settings as site_settings
from deploy import nightly
from games.analysis.kernels import built
from tests.support.data_servers import HOST, Postgres
from tests.support.logs import query
from tests.support.proxies import program
from tests.support.servers import ROOT, manage, site_environment, sqlite_url
from tests.support.tables import make_tables, wish

DEPLOY = ROOT / "deploy"
SETTINGS = (ROOT / "cribbage_site" / "settings.py").read_text()
EXAMPLE = (ROOT / ".env.example").read_text()
TABLE = (ROOT / "docs" / "deployment.md").read_text()

READ = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', SETTINGS)) | {"PORT", "BIND"}
OF_THE_FILES = {"SITE", "POSTGRES_PASSWORD"}
OF_POSTGRESQL = {"PGPASSWORD"}
"""Variables that its client library reads."""


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "docker-compose.yml").read_text())
    return found


def test_compose_has_every_service_with_its_dependencies() -> None:
    services = compose()["services"]
    assert {"site-1", "site-2", "worker", "nightly", "migrate", "db", "redis", "caddy"} <= set(
        services
    )
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)
        assert service["image"]
    for name in ("site-1", "site-2", "worker"):
        assert services[name]["depends_on"]["migrate"]["condition"] == (
            "service_completed_successfully"
        )
    assert services["migrate"]["command"][:2] == ["python", "manage.py"]
    assert services["nightly"]["command"][:2] == ["python", "deploy/nightly.py"]
    assert services["nightly"]["volumes"] == [f"backups:{nightly.BACKUPS}"]
    assert services["worker"]["command"] == ["python", "manage.py", "worker"]


def test_only_the_worker_works_where_several_processes_share_a_database() -> None:
    """Sites on PostgreSQL start no worker of their own, and the units have one."""
    assert "EMBEDDED_WORKER" not in compose()["services"]["site-1"]["environment"]
    assert '"process" if SQLITE else "none"' in SETTINGS
    unit = (DEPLOY / "systemd" / "cribbage-worker.service").read_text()
    assert "manage.py worker\n" in unit
    assert "Restart=always" in unit


def test_compose_sets_only_what_the_site_reads() -> None:
    services = compose()["services"]
    assert set(services["site-1"]["environment"]) <= READ | OF_POSTGRESQL
    asked = set(re.findall(r"\$\{([A-Z_]+)", (DEPLOY / "docker-compose.yml").read_text()))
    assert asked == OF_THE_FILES


def test_a_password_of_compose_may_have_any_characters() -> None:
    password = "p/q@r#s"
    given = {
        name: re.sub(r"\$\{POSTGRES_PASSWORD[^}]*\}", password, value)
        for name, value in compose()["services"]["site-1"]["environment"].items()
    }
    found = env.database(given["DATABASE_URL"], base=ROOT, pool_size=0)
    assert (found["HOST"], found["PORT"], found["NAME"]) == ("db", "5432", "cribbage")
    assert password in (found["PASSWORD"], given.get("PGPASSWORD"))


def test_every_file_mounted_by_compose_exists() -> None:
    for service in compose()["services"].values():
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            if source.startswith("."):
                assert (DEPLOY / source).exists(), source


def test_the_stop_timeouts_exceed_the_drain_time() -> None:
    drain = site_settings.DRAIN_SECONDS
    assert int(compose()["services"]["site-1"]["stop_grace_period"].removesuffix("s")) > drain
    unit = (DEPLOY / "systemd" / "cribbage@.service").read_text()
    stop = re.search(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)
    assert stop is not None
    assert int(stop[1]) > drain


def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    home = tmp_path / "opt"
    for started in (".venv/bin/daphne", ".venv/bin/python", "deploy/wait-until-ready.sh"):
        path = home / started
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    units = []
    for unit in (DEPLOY / "systemd").iterdir():
        copy = tmp_path / unit.name.replace("@", "@8001")
        copy.write_text(unit.read_text().replace("/opt/cribbage", str(home)))
        units.append(str(copy))
    assert faults_found(tmp_path, units) == []
    # It would also find a fault.
    broken = Path(next(unit for unit in units if "nightly.service" in unit))
    broken.write_text(broken.read_text().replace("deploy/nightly.py", "").replace("/bin/py", "/x"))
    assert faults_found(tmp_path, units)


def faults_found(folder: Path, units: list[str]) -> list[str]:
    """Return what systemd finds wrong with our units, but not with those of this machine."""
    done = subprocess.run(
        [program("systemd-analyze"), "verify", "--man=no", *units],
        check=False, capture_output=True, text=True,
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{folder}:"},
    )  # fmt: skip
    return [line for line in done.stderr.splitlines() if "cribbage" in line]


def test_the_units_make_the_folder_that_they_write_to() -> None:
    """A unit that may write to a folder which does not exist is not started by systemd."""
    assert nightly.BACKUPS.parts[:4] == ("/", "var", "lib", "cribbage")
    for name in ("cribbage@", "cribbage-worker", "cribbage-nightly"):
        unit = (DEPLOY / "systemd" / f"{name}.service").read_text()
        assert "\nStateDirectory=cribbage\n" in unit, name
        writes = re.findall(r"^ReadWritePaths=(.*)$", unit, re.MULTILINE)
        assert set(" ".join(writes).split()) <= {"/opt/cribbage"}, name


def test_a_process_that_is_started_again_does_not_wait_for_the_migrations() -> None:
    """Every service wants this unit; systemd would run it again if it had ended."""
    unit = (DEPLOY / "systemd" / "cribbage-migrate.service").read_text()
    assert "\nType=oneshot\n" in unit
    assert "\nRemainAfterExit=yes\n" in unit


def test_waiting_for_a_process_ends_in_time_and_says_why() -> None:
    """It is killed after 90 seconds without a message, so slow answers must not add up."""

    class Slow(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            time.sleep(1)
            self.send_error(503, explain="no Redis")

        def log_message(self, *_: object) -> None:
            """Keep the test's output clean."""

    with ThreadingHTTPServer((HOST, 0), Slow) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        begun = time.monotonic()
        waited = subprocess.run(
            [DEPLOY / "wait-until-ready.sh", f"http://{HOST}:{server.server_port}/", "2"],
            check=False, capture_output=True, text=True,
        )  # fmt: skip
        took = time.monotonic() - begun
        server.shutdown()
    assert waited.returncode == 1
    assert "no Redis" in waited.stderr
    assert 2 <= took < 30


def test_the_units_run_existing_commands() -> None:
    commands = ROOT.glob("*/management/commands/*.py")
    known = {path.stem for path in commands} | {"migrate", "collectstatic", "clearsessions"}
    text = "".join(path.read_text() for path in (DEPLOY / "systemd").iterdir())
    assert set(re.findall(r"manage\.py (\w+)", text)) <= known
    for path in re.findall(r"(?:/opt/cribbage/| )(deploy/[\w.-]+)", text):
        assert (ROOT / path).is_file(), path


@pytest.mark.slow
def test_daphne_knows_the_servers_options() -> None:
    texts = (DEPLOY / "systemd" / "cribbage@.service", DEPLOY / "Dockerfile")
    asked = {
        option for path in texts for option in re.findall(r"--(?:ping|web)[-\w]+", path.read_text())
    }
    help_text = subprocess.run(
        [sys.executable, "-m", "daphne", "--help"], check=True, capture_output=True, text=True
    ).stdout
    assert asked == {"--ping-interval", "--ping-timeout", "--websocket_connect_timeout"}
    assert all(option in help_text for option in asked)


def test_the_image_gets_its_kernels_from_a_stage_with_a_compiler() -> None:
    """Docker itself is not tested. tests/analysis/test_built.py tests what is built, and how."""
    text = (DEPLOY / "Dockerfile").read_text()
    first, last = re.split(r"^FROM ", text, flags=re.MULTILINE)[1:]
    assert first.split()[0] == last.split()[0]  # a module suits one version of Python and of libc
    assert "-r requirements-image.lock -r kernels.lock" in first
    assert "python -m scripts.kernels\n" in first
    folder = built.FOLDER.relative_to(ROOT)
    assert f"COPY --from=kernels /opt/cribbage/{folder} {folder}\n" in last
    assert "-r requirements-image.lock\n" in last
    assert "RUN python -m games.bots.warmup" in last  # fails without the kernels


def test_what_git_ignores_does_not_get_into_the_image() -> None:
    left_out = {line.removeprefix("**/") for line in lines_of(".dockerignore")}
    assert {line.strip("/") for line in lines_of(".gitignore")} <= left_out
    assert {".env", ".git"} <= left_out


def lines_of(name: str) -> list[str]:
    lines = (ROOT / name).read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def documented() -> dict[str, str]:
    """Return each setting's default from the table in docs/deployment.md, "" for none."""
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.*?) ?\|", TABLE, re.MULTILINE)
    return {name: default.strip("` ") for name, default in rows}


def test_daphne_keeps_many_connections_waiting() -> None:
    """Its own queue has 50 places; tests/sockets/test_arrivals.py shows what is lost without."""
    texts = (DEPLOY / "systemd" / "cribbage@.service", DEPLOY / "Dockerfile")
    assert all(":backlog=2048" in text.read_text() for text in texts)


def test_daphne_gives_handshakes_time() -> None:
    """By default those fail that take five seconds, as many do after a restart."""
    given = r'websocket_connect_timeout"?,? "?20\b'
    texts = (DEPLOY / "systemd" / "cribbage@.service", DEPLOY / "Dockerfile")
    assert all(re.search(given, text.read_text()) for text in texts)


def test_the_example_file_has_the_documented_defaults() -> None:
    """Where the table describes the default in words, the example has no value."""
    example = dict(re.findall(r"^#([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE))
    assert example.keys() == READ
    for name, default in documented().items():
        in_words = " " in default
        assert example[name] == ("" if in_words else default), name


def test_the_documented_defaults_are_those_of_the_code() -> None:
    """Literal defaults are compared; computed ones are described in words."""
    literal = re.findall(
        r'env\.(number|text|flag)\(\s*"([A-Z_]+)",\s*(?:default=)?("[^"]*"|[\d_]+|True|False)\s*\)',
        SETTINGS,
    )
    assert len(literal) > 25
    table = documented()
    for _, name, value in literal:
        plain = {"True": "1", "False": "0"}.get(value, value.strip('"').replace("_", ""))
        in_words = " " in table[name]
        assert in_words or table[name] == plain, name


def backup(url: str, *arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = site_environment(url)
    if path is not None:
        environment["PATH"] = path
    return subprocess.run(
        [sys.executable, "deploy/backup.py", *arguments],
        cwd=ROOT, check=False, capture_output=True, text=True, env=environment,
    )  # fmt: skip


SEATED = "SELECT COUNT(*) FROM games_seat WHERE player_id IS NOT NULL AND 1 = ?"


@pytest.mark.slow
def test_a_sqlite_backup_can_be_saved_and_restored(tmp_path: Path, empty_database: Path) -> None:
    url = sqlite_url(tmp_path)
    shutil.copyfile(empty_database, tmp_path / "site.sqlite3")
    make_tables(url, wish(), wish())
    saved = backup(url, "save", str(tmp_path / "kept"))
    assert saved.returncode == 0, saved.stderr
    other = sqlite_url(tmp_path, "restored.sqlite3")
    restored = backup(other, "restore", saved.stdout.strip())
    assert restored.returncode == 0, restored.stderr
    assert query(other, SEATED, 1) == query(url, SEATED, 1) == [(4,)]
    assert "0 differ" in manage(other, "verify_matches")

    again = backup(other, "restore", saved.stdout.strip())
    assert again.returncode == 1
    assert "there already" in again.stderr


@pytest.mark.servers
@pytest.mark.slow
def test_a_postgresql_backup_can_be_saved_and_restored(
    tmp_path: Path, postgres: Postgres, postgres_url: str
) -> None:
    path = f"{postgres.programs}{os.pathsep}{os.environ['PATH']}"
    (table,) = make_tables(postgres_url, wish())
    saved = backup(postgres_url, "save", str(tmp_path), path=path)
    assert saved.returncode == 0, saved.stderr
    other = postgres.create_database(f"restored_{table.match}")
    restored = backup(other, "restore", saved.stdout.strip(), path=path)
    assert restored.returncode == 0, restored.stderr
    assert query(other, SEATED, 1) == query(postgres_url, SEATED, 1) == [(2,)]
    assert "0 differ" in manage(other, "verify_matches")
    assert "ok   migrations: all there" in manage(other, "doctor")

    again = backup(other, "restore", saved.stdout.strip(), path=path)
    assert again.returncode == 1
    assert "restore into an empty one" in again.stderr


def test_a_failed_backup_says_why_without_secrets(tmp_path: Path) -> None:
    gone = backup(sqlite_url(tmp_path, "gone.sqlite3"), "save", str(tmp_path))
    assert gone.returncode == 1
    assert "is not there" in gone.stderr
    assert not list(tmp_path.glob("*.sqlite3"))
    without = backup("postgresql://u:geheim@127.0.0.1:1/x", "save", str(tmp_path), path="/nowhere")
    assert without.returncode == 1
    assert "pg_dump is not on the PATH" in without.stderr
    assert "geheim" not in without.stderr


def test_a_backup_is_for_its_owner_and_a_failed_one_leaves_nothing(tmp_path: Path) -> None:
    made = sqlite3.connect(tmp_path / "site.sqlite3")
    made.execute("CREATE TABLE games_match (id integer)")
    made.close()
    saved = backup(sqlite_url(tmp_path), "save", str(tmp_path / "kept"))
    assert saved.returncode == 0, saved.stderr
    assert Path(saved.stdout.strip()).stat().st_mode & 0o777 == 0o600

    (tmp_path / "site.sqlite3").write_text("not a database")
    failed = backup(sqlite_url(tmp_path), "save", str(tmp_path / "other"))
    assert failed.returncode == 1
    assert failed.stderr.startswith("backup: ")
    assert not list((tmp_path / "other").iterdir())


@pytest.mark.parametrize("content", ["", "not a database"])
def test_a_damaged_file_is_not_restored(tmp_path: Path, content: str) -> None:
    (tmp_path / "cribbage-1.sqlite3").write_text(content)
    failed = backup(
        sqlite_url(tmp_path, "new.sqlite3"), "restore", f"{tmp_path}/cribbage-1.sqlite3"
    )
    assert failed.returncode == 1
    assert failed.stderr.startswith("backup: ")
    assert "Traceback" not in failed.stderr
    assert not (tmp_path / "new.sqlite3").exists(), "so that the next attempt finds none there"


def test_a_wrong_address_is_one_line(tmp_path: Path) -> None:
    failed = backup("postgresql://u:ge/heim@db/x", "save", str(tmp_path))
    assert failed.returncode == 1
    assert failed.stderr.startswith("backup: DATABASE_URL cannot be read")


@pytest.mark.slow
def test_sentry_is_needed_only_if_configured() -> None:
    assert importlib.util.find_spec("sentry_sdk") is not None
    hide = "import sys; sys.modules['sentry_sdk'] = None; import cribbage_site.settings"
    done = subprocess.run(
        [sys.executable, "-c", hide],
        cwd=ROOT, check=False, capture_output=True, text=True,
        env={**site_environment("sqlite:///x"), "SENTRY_DSN": "https://k@sentry.example/1"},
    )  # fmt: skip
    assert "SENTRY_DSN is set and sentry-sdk is not installed" in done.stderr
    plain = subprocess.run(
        [sys.executable, "-c", hide],
        cwd=ROOT, check=False, capture_output=True, text=True, env=site_environment("sqlite:///x"),
    )  # fmt: skip
    assert plain.returncode == 0, plain.stderr
