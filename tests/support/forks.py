"""The process that forks the tests' Python processes, with what they need imported already.

It imports the libraries once for a run. Most of a site's start, or of a short script, is
spent on importing the site itself. So processes that have done so are forked from it, one for each
combination of the settings that are read while modules are imported, and fork in their turn. Every
other setting, such as the address of the database, is read again in each fork. A combination that
only one process of a run asks for is not worth such a process.

The protocol is described in `tests.support.launcher`.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import select
import selectors
import shutil
import signal
import socket
import sys
import traceback
from collections import Counter
from pathlib import Path

from tests.support.fork_jobs import Job, Kind, kind_of
from tests.support.forked_process import do_and_end, import_site, load_computers
from tests.support.launcher import COUNT

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
"""Modules imported before any fork: none reads a setting or starts Twisted's reactor."""


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
                import_site(job.environment)
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
    if 0 in select.select([0, listener], [], [])[0]:
        _clean_up(Path(address).parent)
        return
    for name in LIBRARIES:
        importlib.import_module(name)
    load_computers()
    gc.collect()
    gc.freeze()
    job = _Launcher(listener, usual).serve()
    if job is None:
        _clean_up(Path(address).parent)
    else:
        do_and_end(job)


if __name__ == "__main__":
    try:
        _main(sys.argv[1])
    except Exception:
        traceback.print_exc()
        sys.exit(1)
