"""Python processes of the tests, forked from one that has imported what they need.

A site process spends most of its start-up on importing Django, Twisted, NumPy and the site. The
tests start hundreds of processes, so one launcher per test run (`tests.support.forks`) imports
these once, and every fork has them immediately. Each fork reads the settings from its own
environment, like an independent process.

Without a launcher (benchmarks, a single helper script) the same calls start ordinary processes.

Protocol: one connection to a Unix socket per process. The client sends the job (JSON, with its
length before it) and the descriptors of standard input, output and error; the launcher answers
with the process id, and with the exit status (as Popen.returncode) when the process has ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "CRIBBAGE_TEST_LAUNCHER"
"""The environment variable with the path of the launcher's socket."""

COUNT = struct.Struct("!i")
"""The encoding of lengths, process ids and statuses in the protocol."""


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
) -> Process:
    """Start Python with `arguments` (-m module, -c code or a file) in the project's root."""
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
        line.connect(address)
        socket.send_fds(line, [COUNT.pack(len(job))], files)
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

    Most processes will have an environment like `site_environment`. When this process ends, for any
    reason, the launcher kills its forks, stops the run's PostgreSQL server and removes the folder.
    """
    address = str(folder / "launcher")
    with (folder / "launcher.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.forks", address],
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
    while len(data) < COUNT.size:
        part = line.recv(COUNT.size - len(data))
        if not part:
            return -signal.SIGKILL
        data += part
    return int(COUNT.unpack(data)[0])
