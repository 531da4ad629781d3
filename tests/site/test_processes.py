"""The site as real processes: one with SQLite, several with PostgreSQL and Redis."""

import contextlib
import http.cookiejar
import os
import shutil
import signal
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from tests.support.data_servers import free_port
from tests.support.servers import ROOT, Site, StartSite, site_environment, sqlite_url
from tests.support.waiting import DEADLINE

# Like `python -m cribbage_site.serve` at a terminal: a shell that runs these tests in the
# background makes its children ignore SIGINT.
PROGRAM = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("cribbage_site.serve", run_name="__main__")
"""


class Visitor:
    """A minimal browser: keeps cookies and posts forms."""

    def __init__(self) -> None:
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def get(self, url: str) -> str:
        with self.opener.open(url, timeout=DEADLINE) as answer:
            return str(answer.read().decode())

    def post(self, url: str, **fields: str) -> str:
        self.get(url)
        token = next(cookie.value for cookie in self.jar if cookie.name == "csrftoken")
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
        with self.opener.open(url, data=body, timeout=DEADLINE) as answer:
            return str(answer.read().decode())


def test_two_processes_form_one_site(
    start_site: StartSite, postgres_url: str, redis_url: str
) -> None:
    """Daphne and uvicorn side by side, since both are documented."""
    daphne, uvicorn = (
        start_site(database_url=postgres_url, redis_url=redis_url, server=server)
        for server in ("daphne", "uvicorn")
    )
    visitor = Visitor()
    visitor.post(
        f"{daphne.url}/accounts/signup/", username="Margery", email="", password1="fifteen-two-4"
    )
    assert "Margery" in visitor.get(f"{uvicorn.url}/accounts/logout/")


def test_stored_data_survives_a_killed_process(start_site: StartSite) -> None:
    first: Site = start_site()
    visitor = Visitor()
    visitor.post(
        f"{first.url}/accounts/signup/", username="Margery", email="", password1="fifteen-two-4"
    )
    first.kill()
    second = start_site(database_url=first.database_url)
    assert "Margery" in visitor.get(f"{second.url}/accounts/logout/")


def test_forged_forms_and_foreign_host_names_are_refused(start_site: StartSite) -> None:
    site = start_site()
    body = urllib.parse.urlencode({"login": "a", "password": "b"}).encode()
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(f"{site.url}/accounts/login/", data=body, timeout=DEADLINE)
    assert refusal.value.code == 403

    request = urllib.request.Request(f"{site.url}/", headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(request, timeout=DEADLINE)
    assert refusal.value.code == 400


@pytest.mark.servers
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM])
def test_the_make_run_program_migrates_serves_and_stops(
    tmp_path: Path, empty_database: Path, way: int
) -> None:
    """It starts once without a database, and once with one that is up to date."""
    new = way == signal.SIGINT
    if not new:
        shutil.copyfile(empty_database, tmp_path / "site.sqlite3")
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env={**site_environment(sqlite_url(tmp_path)), "PORT": str(port)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        expected = [
            "Starting Cribbage ...\n",
            *(["Creating the database ...\n"] if new else []),
            f"Cribbage is ready: http://localhost:{port}   (Ctrl-C stops it)\n",
        ]
        assert [process.stdout.readline() for _ in expected] == expected
        assert "Cribbage" in Visitor().get(f"http://localhost:{port}/")
        os.kill(process.pid, way)
        rest, _ = process.communicate(timeout=DEADLINE)
        assert rest == "\nStopped. Matches under way continue at the next start.\n"
        assert process.returncode == 0
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        process.wait()


# The same; while it prepares the database, an interrupt comes in a callback that drops exceptions.
INTERRUPTED = """
import os, signal, weakref
signal.signal(signal.SIGINT, signal.default_int_handler)
from cribbage_site import serve

class Garbage:
    pass

def prepare():
    garbage = Garbage()
    weakref.finalize(garbage, os.kill, os.getpid(), signal.SIGINT)
    del garbage

serve.prepare = prepare
raise SystemExit(serve.main())
"""


@pytest.mark.servers
def test_ctrl_c_stops_the_make_run_program_before_it_is_ready(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        cwd=ROOT,
        env={**site_environment(sqlite_url(tmp_path)), "PORT": str(free_port())},
        check=False,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "\nStopped before the site was ready.\n"
