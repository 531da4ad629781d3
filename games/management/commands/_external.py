"""External programs as players, which exchange JSON lines on standard input and output.

``docs/bots.md`` describes the protocol.
"""

from __future__ import annotations

import selectors
import shlex
import subprocess
from contextlib import suppress
from time import monotonic
from typing import IO, Any

import orjson

from games.engine.cards import Card, CardError, card_name, parse_card
from games.engine.view import View
from games.wire.serializers import view_json

Pipes = tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes]]
"""A running program with its standard input and output."""

LIMIT = 10.0
"""Time limit for one decision, in seconds."""
LONGEST = 65_536
"""Maximum number of bytes in a line."""


class Forfeit(RuntimeError):
    """The program crashed, timed out or gave an invalid answer; the message says which."""


class External:
    """A program as a player; it is started once and asked for every decision."""

    name = "external"
    version = 1
    description = "A program that speaks JSON lines."

    def __init__(self, command: str, limit: float = LIMIT) -> None:
        self.command = command
        self.limit = limit
        self.pipes: Pipes | None = None

    def discard(self, view: View) -> tuple[Card, ...]:
        """Return the program's discard.

        Raises:
            Forfeit: if the program fails or its answer is invalid.
        """
        answer = self._ask("discard", view)
        cards = self._cards(answer, "cards")
        number = view.legal.number
        if len(set(cards)) != number or not set(cards) <= set(view.legal.cards):
            raise Forfeit(f"{self.command!r} discarded {answer['cards']!r}, which is not allowed")
        return cards

    def play(self, view: View) -> Card:
        """Return the program's play.

        Raises:
            Forfeit: if the program fails or its answer is invalid.
        """
        answer = self._ask("play", view)
        (card,) = self._cards({"card": [answer.get("card")]}, "card")
        if card not in view.legal.cards:
            raise Forfeit(f"{self.command!r} played {card_name(card)}, which is not allowed")
        return card

    def _cards(self, answer: dict[str, Any], key: str) -> tuple[Card, ...]:
        try:
            return tuple(parse_card(name) for name in answer[key])
        except (KeyError, TypeError, AttributeError, CardError) as problem:
            raise Forfeit(f"{self.command!r} named no cards in {key!r}: {problem}") from problem

    def _ask(self, kind: str, view: View) -> dict[str, Any]:
        question = {"t": kind, "view": view_json(view, log=True)}
        _, stdin, _ = self._running()
        try:
            stdin.write(orjson.dumps(question) + b"\n")
            stdin.flush()
        except OSError as problem:
            raise Forfeit(f"{self.command!r} has ended, {self._code()}") from problem
        line = self._line()
        try:
            answer = orjson.loads(line)
        except orjson.JSONDecodeError as problem:
            raise Forfeit(f"{self.command!r} did not answer with JSON: {line[:80]!r}") from problem
        if not isinstance(answer, dict):
            raise Forfeit(f"{self.command!r} did not answer with a JSON object: {line[:80]!r}")
        return answer

    def _running(self) -> Pipes:
        if self.pipes is None:
            try:
                process = subprocess.Popen(  # noqa: S603 - the user names the program
                    shlex.split(self.command),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    bufsize=0,
                )
            except (OSError, ValueError, IndexError) as problem:
                raise Forfeit(f"{self.command!r} cannot be started: {problem}") from problem
            if process.stdin is None or process.stdout is None:
                raise Forfeit(f"{self.command!r} has no standard input or output")
            self.pipes = (process, process.stdin, process.stdout)
        return self.pipes

    def _line(self) -> bytes:
        _, _, stdout = self._running()
        due = monotonic() + self.limit
        found = b""
        with selectors.DefaultSelector() as ready:
            ready.register(stdout, selectors.EVENT_READ)
            while not found.endswith(b"\n"):
                if not ready.select(max(0.0, due - monotonic())):
                    raise Forfeit(f"{self.command!r} took longer than {self.limit:g} s")
                more = stdout.read(LONGEST)
                if not more:
                    raise Forfeit(f"{self.command!r} has ended, {self._code()}")
                found += more
                if len(found) > LONGEST:
                    raise Forfeit(f"{self.command!r} wrote a line of more than {LONGEST} bytes")
        return found

    def _code(self) -> str:
        if self.pipes is not None:
            with suppress(subprocess.TimeoutExpired):
                return f"exit status {self.pipes[0].wait(timeout=1)}"
        return "still running"

    def close(self) -> None:
        """End the program."""
        if self.pipes is not None:
            process, stdin, stdout = self.pipes
            process.kill()
            process.wait()
            stdin.close()
            stdout.close()
            self.pipes = None
