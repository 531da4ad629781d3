"""The process that forks the tests' Python processes, with what they need imported already.

It imports the libraries once for a run. What takes most of a site's start, or of a short script,
is importing the site itself. So processes that have done so are forked from it, one for each
combination of the settings that are read while modules are imported, and fork in their turn. Every
other setting, such as the address of the database, is read again in each fork. A combination that
only one process of a run asks for is not worth such a process.

The protocol is described in `tests.support.launcher`.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import selectors
import shutil
import signal
import socket
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from tests.support.launcher import COUNT, ROOT

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

SITE = ("cribbage_site", "games", "ratings")
"""The packages of the site, all of whose modules are imported before a fork with the site."""

AT_START = "cribbage_site.asgi"
"""The module that builds the application from the settings: each process imports it."""

READ_AT_IMPORT = (
    "SITE_MODE", "DEBUG", "TIME_ZONE", "RANKED_CLOCK_SECONDS", "RANKED_POOL_DEPTH",
)  # fmt: skip
"""The variables that modules of the site, or of Django, read while they are imported."""

Kind = tuple[str, ...]


def kind_of(environment: Mapping[str, str]) -> Kind:
    """Return the settings that a process with the site imported must share with its forks."""
    return tuple(environment.get(name, "") for name in READ_AT_IMPORT)


@dataclass(frozen=True)
class Job:
    """What a client asks for.

    Attributes:
        arguments, environment: of the process to fork.
        files: the client's connection, and the process's standard input, output and error.
    """

    arguments: list[str]
    environment: dict[str, str]
    files: tuple[int, ...]

    @classmethod
    def receive(cls, line: socket.socket) -> Job | None:
        """Receive a job whose descriptors come with it; None at the end."""
        head, files, _, _ = socket.recv_fds(line, COUNT.size, 4)
        if not head:
            return None
        left, text = int(COUNT.unpack(head)[0]), b""
        while left > len(text):
            text += line.recv(left - len(text))
        return cls(**json.loads(text), files=tuple(files))

    @classmethod
    def of_client(cls, line: socket.socket) -> Job | None:
        """Receive a job from a client, whose connection is one of its descriptors."""
        job = cls.receive(line)
        return job and cls(job.arguments, job.environment, (line.detach(), *job.files))

    def pass_on(self, line: socket.socket) -> None:
        """Send this job to another process, and release it here."""
        text = json.dumps({"arguments": self.arguments, "environment": self.environment}).encode()
        socket.send_fds(line, [COUNT.pack(len(text))], self.files)
        line.sendall(text)
        self.close()

    def close(self) -> None:
        """Close the descriptors."""
        for file in self.files:
            os.close(file)


class _Forker:
    """Forks a process for each job, and notifies each client when its process has ended."""

    def __init__(self) -> None:
        self.lines: dict[int, socket.socket] = {}
        self.wakes, self._wakener = os.pipe()
        os.set_blocking(self._wakener, False)
        os.set_blocking(self.wakes, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wakener)

    def fork(self, job: Job) -> bool:
        """Fork for a job, and tell its client; return whether this is the fork."""
        pid = os.fork()
        line = socket.socket(fileno=job.files[0])
        if pid:
            for file in job.files[1:]:
                os.close(file)
            self.lines[pid] = line
            with contextlib.suppress(OSError):
                line.sendall(COUNT.pack(pid))
            return False
        line.close()
        self.leave()
        for number, file in enumerate(job.files[1:]):
            os.dup2(file, number)
            os.close(file)
        return True

    def leave(self) -> None:
        """Release the forking process's resources in a fork."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(self.wakes)
        os.close(self._wakener)
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
                    line.sendall(COUNT.pack(os.waitstatus_to_exitcode(status)))


class _WithSite(_Forker):
    """Forks with the site imported, for jobs that the launcher passes on."""

    def __init__(self, jobs: socket.socket) -> None:
        super().__init__()
        self.jobs = jobs

    def serve(self) -> Job:
        """Serve until the launcher ends, and exit; return the job in a fork."""
        with selectors.DefaultSelector() as watched:
            watched.register(self.jobs, selectors.EVENT_READ)
            watched.register(self.wakes, selectors.EVENT_READ)
            while True:
                ready = {key.fd for key, _ in watched.select()}
                if self.wakes in ready:
                    self.tell_ends()
                if self.jobs.fileno() in ready:
                    job = Job.receive(self.jobs)
                    if job is None:
                        self.end_all()
                        sys.exit()
                    if self.fork(job):
                        return job

    def leave(self) -> None:
        super().leave()
        self.jobs.close()


class _Launcher(_Forker):
    """Forks for the clients' jobs, or passes these on to forks that have imported the site."""

    def __init__(self, listener: socket.socket, usual: Kind) -> None:
        super().__init__()
        self.listener = listener
        self.asked = Counter({usual: 1})
        self.with_site: dict[Kind, socket.socket] = {}
        self.servers: list[int] = []

    def serve(self) -> Job | None:
        """Serve until standard input ends; return the job in a fork."""
        with selectors.DefaultSelector() as watched:
            for descriptor in (0, self.listener.fileno(), self.wakes):
                watched.register(descriptor, selectors.EVENT_READ)
            while True:
                ready = {key.fd for key, _ in watched.select()}
                if self.wakes in ready:
                    self.tell_ends()
                if self.listener.fileno() in ready:
                    line, _ = self.listener.accept()
                    if (job := Job.of_client(line)) and (mine := self.take(job)):
                        return mine
                if 0 in ready:
                    self.end_all()
                    return None

    def take(self, job: Job) -> Job | None:
        """Have a job done; return the job to do in a fork."""
        kind = kind_of(job.environment)
        self.asked[kind] += 1
        if self.asked[kind] == 1:
            return job if self.fork(job) else None
        if kind not in self.with_site:
            ours, theirs = socket.socketpair()
            pid = os.fork()
            if not pid:
                ours.close()
                self.leave()
                job.close()
                _import_site(job.environment)
                return _WithSite(theirs).serve()
            theirs.close()
            self.with_site[kind] = ours
            self.servers.append(pid)
        job.pass_on(self.with_site[kind])
        return None

    def leave(self) -> None:
        super().leave()
        self.listener.close()
        for line in self.with_site.values():
            line.close()

    def end_all(self) -> None:
        super().end_all()
        for line in self.with_site.values():
            line.close()
        for pid in self.servers:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _import_site(environment: Mapping[str, str]) -> None:
    """Import the site, and load what its processes would load with their first pages."""
    _take(environment)
    try:
        import django

        django.setup()
        importlib.import_module("cribbage_site.urls")
        for name in SITE:
            for module in pkgutil.walk_packages([str(ROOT / name)], f"{name}."):
                if module.name != AT_START:
                    importlib.import_module(module.name)
        from django.contrib.auth.hashers import PBKDF2PasswordHasher
        from django.template.loader import get_template
        from django.urls import reverse

        from games.engine.scoring import count_hand

        PBKDF2PasswordHasher.iterations = 1_000  # else 0.25 s of processor time each
        reverse("account_login")  # makes the table of all addresses
        count_hand((0, 1, 2, 3), 4)  # makes the table of all hands
        folder = ROOT / "templates"
        for file in folder.rglob("*.html"):
            get_template(str(file.relative_to(folder)))
        if kernels_are_compiled():
            from games.bots.warmup import warm_up

            warm_up()
    except Exception:
        traceback.print_exc()  # each fork will say so too
    gc.collect()
    gc.freeze()


def kernels_are_compiled() -> bool:
    """Return whether Numba's cache has kernels of these sources: compiling them takes a minute."""
    from numba import config

    importlib.import_module("games.analysis.kernels.compiled")  # names the folder
    folder = getattr(config, "CACHE_DIR", "")
    return bool(folder) and any(Path(folder).rglob("*.nbi"))


def _take(environment: Mapping[str, str]) -> None:
    """Become a process with that environment."""
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()


def _read_settings_again() -> None:
    """Make Django reread settings, databases and caches from this process's environment."""
    from django.conf import Settings, settings
    from django.core.cache import caches
    from django.db import connections

    module = sys.modules["cribbage_site.settings"]
    for names in (vars(module), vars(settings)):
        for name in [name for name in names if name.isupper()]:
            del names[name]
    importlib.reload(module)
    settings._wrapped = Settings("cribbage_site.settings")
    for handler in (connections, caches):
        for alias in list(handler):
            with contextlib.suppress(AttributeError):  # it has not been used yet
                del handler[alias]
        vars(handler).pop("settings", None)
        setattr(handler, "_settings", None)  # noqa: B010 — a name that the stubs do not know


def _do(job: Job) -> None:
    """Become the requested process."""
    os.setsid()
    _take(job.environment)
    if "cribbage_site.settings" in sys.modules:
        _read_settings_again()
    kind, *rest = job.arguments
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


def _do_and_end(job: Job) -> NoReturn:
    """Become the requested process, and end without clearing its modules.

    Clearing them copies most of the memory that forks share: 0.2 s of processor time for each.
    """
    try:
        _do(job)
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except Exception:
        traceback.print_exc()
        status = 1
    # What the interpreter does before it clears the modules; neither has a public name.
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(status & 0xFF)


def _clean_up(folder: Path) -> None:
    """Stop the run's PostgreSQL server and remove its folder."""
    from tests.support import shared_postgres

    shared_postgres.stop(folder)
    shutil.rmtree(folder, ignore_errors=True)


def _main(address: str) -> None:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(64)
    usual = kind_of(os.environ)
    print("ready", flush=True)
    # Import nothing for a run that starts no processes.
    select.select([0, listener], [], [])
    for name in LIBRARIES:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    job = _Launcher(listener, usual).serve()
    if job is None:
        _clean_up(Path(address).parent)
    else:
        _do_and_end(job)


if __name__ == "__main__":
    try:
        _main(sys.argv[1])
    except Exception:
        traceback.print_exc()
        sys.exit(1)
