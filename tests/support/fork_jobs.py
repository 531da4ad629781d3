"""Requests to a launcher: a process with its arguments, environment and files."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass

from tests.support.launcher import COUNT

READ_AT_IMPORT = ("SITE_MODE", "DEBUG", "TIME_ZONE")
"""The variables that modules of the site, or of Django, read while they are imported."""

Kind = tuple[str, ...]


def kind_of(environment: Mapping[str, str]) -> Kind:
    """Return the settings that a process with the site imported must share with its forks."""
    return tuple(environment.get(name, "") for name in READ_AT_IMPORT)


@dataclass(frozen=True)
class Job:
    """A client's request.

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
