"""Reading of games played elsewhere: game records, or notations of other programs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.utils.translation import gettext

from games.archive.notations.readers import read_notation
from games.archive.notations.written_game import NotationError
from games.engine.record import RecordError
from games.engine.record_check import RecordEvent
from games.text.fault_sentences import fault_place, fault_words

MAX_BYTES = 512 * 1024
"""The largest file or pasted text accepted; a long game with all derived fields takes 30 KB."""
MAX_GAMES = 20
"""Maximum number of games in a file or pasted text."""


class ImportProblem(Exception):
    """A file or pasted text that cannot be imported.

    Attributes:
        key, params: what is wrong, for `games.text.fault_sentences`.
        line: line of the file, from 1; None if the file as a whole is wrong.
        hand, event: position in the game, as in `RecordError`.
    """

    def __init__(
        self,
        key: str,
        line: int | None = None,
        hand: int | None = None,
        event: RecordEvent | None = None,
        **params: object,
    ) -> None:
        super().__init__(key)
        self.key = key
        self.params = params
        self.line = line
        self.hand = hand
        self.event = event


@dataclass(frozen=True, slots=True)
class NumberedRecord:
    """A record with the line of the file where it starts.

    ``hand_lines`` is the line of each hand, in notations that take several lines for a game.
    """

    line: int
    data: Any
    hand_lines: tuple[int, ...] = ()

    def line_of(self, hand: int | None) -> int:
        """Return the line of a hand, from 1; the record's own if the hand has none."""
        if hand is not None and hand <= len(self.hand_lines):
            return self.hand_lines[hand - 1]
        return self.line


def read_upload(content: bytes) -> list[NumberedRecord]:
    """Return the records of a file or pasted text that a visitor sends, within the site's limits.

    Raises:
        ImportProblem: as `read_file`, and if it is too large or has too many games.
    """
    if len(content) > MAX_BYTES:
        raise ImportProblem("too_large", number=MAX_BYTES // 1024)
    return read_file(content, most=MAX_GAMES)


def read_file(content: bytes, *, most: int | None = None) -> list[NumberedRecord]:
    """Return the records of a file: JSON objects (one, a list, or one per line), or a notation.

    Args:
        content: the file.
        most: the maximum number of games; None for any number.

    Raises:
        ImportProblem: if it is malformed, in no known notation, empty, or has too many games.
    """
    found = _records(_decoded(content), most)
    if not found:
        raise ImportProblem("empty")
    if most is not None and len(found) > most:
        raise ImportProblem("too_many_games", most=most)
    return found


def refused_record(record: NumberedRecord, error: RecordError) -> ImportProblem:
    """Return why the rules do not allow the game of a record, with its position in the file."""
    line = record.line_of(error.hand)
    return ImportProblem(error.key, line, error.hand, error.event, **error.params)


def _decoded(content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        raise ImportProblem("not_utf8") from cause
    if "\0" in text:  # in UTF-16 without a byte order mark, every other byte of ASCII is null
        raise ImportProblem("not_utf8")
    return text


def _records(text: str, most: int | None) -> list[NumberedRecord]:
    found = _written(text, most)
    return _parse(text, most) if found is None else found


def _written(text: str, most: int | None) -> list[NumberedRecord] | None:
    """Read a file in another notation, up to one game too many; None if it is in none."""
    games = read_notation(text)
    if games is None:
        return None
    try:
        return [
            NumberedRecord(game.line, game.data, game.hand_lines)
            for game in islice(games, None if most is None else most + 1)
        ]
    except NotationError as cause:
        raise ImportProblem(cause.key, cause.line, cause.hand, None, **cause.params) from cause


def _parse(text: str, most: int | None) -> list[NumberedRecord]:
    """Read a file that is one JSON value, or one value per line."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        if text.strip() and text.lstrip()[0] not in "[{":
            raise ImportProblem("unknown_notation") from None
        return _lines(text, most)
    return (
        [NumberedRecord(1, one) for one in value]
        if isinstance(value, list)
        else [NumberedRecord(1, value)]
    )


def _lines(text: str, most: int | None) -> list[NumberedRecord]:
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found.append(NumberedRecord(number, json.loads(line)))
        except (ValueError, RecursionError) as cause:
            raise _json_problem(cause, number) from cause
        if most is not None and len(found) > most:
            break
    return found


def _json_problem(cause: Exception, line: int) -> ImportProblem:
    if isinstance(cause, json.JSONDecodeError):
        return ImportProblem("bad_json", line, number=cause.pos + 1)
    return ImportProblem("nested" if isinstance(cause, RecursionError) else "long_number", line)


def problem_words(problem: ImportProblem) -> str:
    """Return an import problem and its position as one sentence."""
    where = fault_place(line=problem.line, hand=problem.hand, event=problem.event)
    text = fault_words(problem.key, problem.params)
    return gettext("%(place)s: %(problem)s") % {"place": where, "problem": text} if where else text
