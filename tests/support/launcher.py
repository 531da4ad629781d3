"""A process that forks the tests' Python processes with the libraries already imported.

A site process spends most of its start-up on importing Django, Twisted and NumPy. The tests start
hundreds of processes, so one launcher per test run imports these once, and every fork has them
immediately. Each fork reads the settings from its own environment, like an independent process.
A second launcher, forked from the first on demand, has loaded the site as well: it serves short
scripts that differ only in the database and the Redis server.

Without a launcher (benchmarks, a single helper script) the same calls start ordinary processes.

Protocol: one connection to a Unix socket per process. The client sends the job (JSON, with its
length before it) and the descriptors of standard input, output and error; the launcher answers
with the process id, and with the exit status (as Popen.returncode) when the process has ended.

Longer than 400 lines: the two ends of the protocol belong together.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import runpy
import select
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "CRIBBAGE_TEST_LAUNCHER"
"""The environment variable with the path of the launcher's socket."""

WITH_SITE = ".site"
"""The suffix of the second launcher's socket path."""

LIBRARIES = (
    "asyncio", "autobahn.twisted.websocket", "channels.generic.websocket", "channels.routing",
    "confusable_homoglyphs.confusables", "cryptography.x509", "django.contrib.admin",
    "django.contrib.messages", "django.contrib.staticfiles.handlers",
    "django.core.handlers.asgi", "django.core.management", "django.db.backends.postgresql.base",
    "django.db.backends.sqlite3.base", "django.db.migrations.executor", "django.forms",
    "django.template.loader", "django.test.utils", "django.views.generic", "numba", "numpy",
    "orjson", "prometheus_client", "psycopg", "psycopg_pool", "pydantic", "pywebpush",
    "redis.asyncio", "requests", "segno", "twisted.internet.endpoints",
    "twisted.web.http", "uvicorn.config", "websockets.asyncio.server", "whitenoise.middleware",
)  # fmt: skip
"""What is imported before any fork: nothing that reads a setting, or starts Twisted's reactor."""

_COUNT = struct.Struct("!i")


class Forked:
    """A process forked by the launcher, with the part of Popen's interface that tests use."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._lock = threading.Lock()
        self.pid = _receive_number(line)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, or None while it is running."""
        with self._lock:
            if self.returncode is None and select.select([self._line], [], [], 0)[0]:
                self.returncode = _receive_number(self._line)
                self._line.close()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end of the process; return the exit status, or raise TimeoutExpired."""
        end = None if timeout is None else time.monotonic() + timeout
        while (status := self.poll()) is None:
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
            with contextlib.suppress(ValueError, OSError):  # another thread has just closed it
                select.select([self._line], [], [], left)
        return status

    def send_signal(self, number: int) -> None:
        """Send a signal to the process, unless it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask the process to terminate."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kill the process."""
        self.send_signal(signal.SIGKILL)


Process = Forked | subprocess.Popen[bytes]


def launch(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    *,
    stdin: IO[bytes] | None = None,
    stdout: IO[bytes],
    stderr: IO[bytes],
    with_site: bool = False,
) -> Process:
    """Start Python with `arguments` (-m module, -c code or a file) in the project's root.

    `with_site` asks for a fork that has already loaded the site, and reads only the database and
    Redis addresses from its environment: for scripts, not for servers.
    """
    address = os.environ.get(ADDRESS)
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123  # a device, not a path of the project
        source = stdin or nothing
        if not address:
            return subprocess.Popen(
                [sys.executable, *arguments],
                cwd=ROOT,
                env=environment,
                stdin=source,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
            )
        job = json.dumps({"arguments": list(arguments), "environment": dict(environment)}).encode()
        files = [source.fileno(), stdout.fileno(), stderr.fileno()]
        line = socket.socket(socket.AF_UNIX)
        line.connect(address + WITH_SITE if with_site else address)
        socket.send_fds(line, [_COUNT.pack(len(job))], files)
        line.sendall(job)
        return Forked(line)


class Script:
    """A Python process that gets a text as input and runs to its end, like subprocess.run."""

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        *,
        text: str = "",
        stdin: IO[bytes] | None = None,
        with_site: bool = True,
    ) -> None:
        self.arguments = list(arguments)
        self._said = [tempfile.TemporaryFile() for _ in range(2)]  # noqa: SIM115  # see finish
        with tempfile.TemporaryFile() as given:
            given.write(text.encode())
            given.seek(0)
            self.process = launch(
                arguments,
                environment,
                stdin=stdin or given,
                stdout=self._said[0],
                stderr=self._said[1],
                with_site=with_site,
            )

    def finish(self, within: float = 240.0) -> str:
        """Wait for the end and return the output; raise RuntimeError if the process failed."""
        try:
            status = self.process.wait(within)
        finally:
            self.process.kill()
        said = []
        for file in self._said:
            with file:
                file.seek(0)
                said.append(file.read().decode())
        if status:
            raise RuntimeError(f"{' '.join(self.arguments)[:200]}: {''.join(said)}")
        return said[0]


@contextlib.contextmanager
def running(folder: Path, site_environment: Mapping[str, str]) -> Iterator[None]:
    """Run a launcher for a test run in `folder`; put its socket's path in the environment.

    The second launcher loads the site with `site_environment`. When this process ends, for any
    reason, the launcher kills its forks, stops the run's PostgreSQL server and removes the folder.
    """
    address = str(folder / "launcher")
    with (folder / "launcher.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.launcher", address],
            cwd=ROOT,
            env=dict(site_environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
    assert process.stdout is not None and process.stdin is not None
    assert process.stdout.readline(), (folder / "launcher.log").read_text()
    os.environ[ADDRESS] = address
    try:
        yield
    finally:
        del os.environ[ADDRESS]
        process.stdin.close()
        process.wait()


def _receive_number(line: socket.socket) -> int:
    """Receive one number; return SIGKILL's status if the launcher is gone."""
    data = b""
    while len(data) < _COUNT.size:
        part = line.recv(_COUNT.size - len(data))
        if not part:
            return -signal.SIGKILL
        data += part
    return int(_COUNT.unpack(data)[0])


# The rest of this module runs in the launcher.


class _Launcher:
    """Forks a process for each connection, and notifies each client when its process has ended."""

    def __init__(self, listener: socket.socket, *, with_site: bool) -> None:
        self.listener = listener
        self.with_site = with_site
        self.lines: dict[int, socket.socket] = {}
        self.wakes, wakener = os.pipe()
        os.set_blocking(wakener, False)
        os.set_blocking(self.wakes, False)
        self.wakener = wakener
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakener)

    def serve(self, also: dict[int, str]) -> str | dict[str, Any]:
        """Serve until a descriptor of `also` is readable, and return its name.

        In a fork, return the job to do instead.
        """
        watched = selectors.DefaultSelector()
        for descriptor in (self.listener.fileno(), self.wakes, *also):
            watched.register(descriptor, selectors.EVENT_READ)
        while True:
            for key, _ in watched.select():
                if key.fd in also:
                    watched.close()
                    return also[key.fd]
                if key.fd == self.wakes:
                    self.tell_ends()
                elif (job := self.accept()) is not None:
                    watched.close()
                    return job

    def accept(self) -> dict[str, Any] | None:
        """Take one job and fork; return the job in the fork, None in the launcher."""
        line, _ = self.listener.accept()
        head, files, _, _ = socket.recv_fds(line, _COUNT.size, 3)
        left, text = int(_COUNT.unpack(head)[0]), b""
        while left > len(text):
            text += line.recv(left - len(text))
        job: dict[str, Any] = json.loads(text)
        pid = os.fork()
        if pid:
            for file in files:
                os.close(file)
            self.lines[pid] = line
            line.sendall(_COUNT.pack(pid))
            return None
        line.close()
        self.leave()
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        return job

    def leave(self) -> None:
        """Release the launcher's resources in a fork."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(self.wakes)
        os.close(self.wakener)
        self.listener.close()
        for line in self.lines.values():
            line.close()

    def end_all(self) -> None:
        """Kill all running forks: no client is left to do it."""
        for pid in self.lines:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def tell_ends(self) -> None:
        """Notify the clients of all processes that have ended."""
        with contextlib.suppress(BlockingIOError):
            os.read(self.wakes, 4096)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            if line := self.lines.pop(pid, None):
                with contextlib.suppress(OSError), line:
                    line.sendall(_COUNT.pack(os.waitstatus_to_exitcode(status)))


def _clean_up(folder: Path) -> None:
    """Stop the run's PostgreSQL server and remove its folder."""
    from tests.support import shared_postgres

    shared_postgres.stop(folder)
    shutil.rmtree(folder, ignore_errors=True)


def _read_settings_again() -> None:
    """Make Django reread settings, databases and caches from this process's environment."""
    from django.conf import Settings, settings
    from django.core.cache import caches
    from django.db import connections

    importlib.reload(sys.modules["cribbage_site.settings"])
    for name in [name for name in vars(settings) if name.isupper()]:
        del vars(settings)[name]
    settings._wrapped = Settings("cribbage_site.settings")
    for handler in (connections, caches):
        for alias in list(handler):
            with contextlib.suppress(AttributeError):  # it has not been used yet
                del handler[alias]
        vars(handler).pop("settings", None)
        setattr(handler, "_settings", None)  # noqa: B010 — a name that the stubs do not know


def _do(job: dict[str, Any], *, with_site: bool) -> None:
    """Become the requested process."""
    os.setsid()
    os.environ.clear()
    os.environ.update(job["environment"])
    time.tzset()
    if with_site:
        _read_settings_again()
    kind, *rest = job["arguments"]
    sys.path[:] = [str(ROOT), *(path for path in sys.path if path not in {str(ROOT), ""})]
    if kind == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif kind == "-c":
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = [kind, *rest]
        runpy.run_path(str(ROOT / kind), run_name="__main__")


def _main(address: str) -> None:
    listeners = []
    for path in (address, address + WITH_SITE):
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen(64)
        listeners.append(listener)
    print("ready", flush=True)
    # Import nothing for a run that starts no processes.
    select.select([0, *listeners], [], [])
    for name in LIBRARIES:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    with_site = False
    launcher = _Launcher(listeners[0], with_site=False)
    waited = {0: "end", listeners[1].fileno(): "site"}
    while isinstance(asked := launcher.serve(waited), str):
        if asked == "end":
            launcher.end_all()
            if not with_site:
                _clean_up(Path(address).parent)
            return
        if not os.fork():
            launcher.leave()
            with_site = True
            import django

            django.setup()
            importlib.import_module("cribbage_site.urls")
            gc.freeze()
            launcher = _Launcher(listeners[1], with_site=True)
            waited = {0: "end"}
        else:
            listeners[1].close()
            waited = {0: "end"}
    if not with_site:
        listeners[1].close()
    _do(asked, with_site=with_site)


if __name__ == "__main__":
    try:
        _main(sys.argv[1])
    except Exception:
        traceback.print_exc()
        sys.exit(1)
