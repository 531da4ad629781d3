"""Match logs read from the database by plain SQL, independently of the site's code."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from games.engine import rules
from games.engine.moves import parse_move
from games.engine.rules import Step
from games.engine.state import Ruleset, State


@dataclass(frozen=True)
class Row:
    """One entry of a log."""

    sequence: int
    seat: int | None
    text: str
    client_id: str


def query(database_url: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Run a statement with ``?`` placeholders over a separate connection."""
    if database_url.startswith("sqlite"):
        with sqlite3.connect(database_url.removeprefix("sqlite:///"), timeout=90) as connection:
            rows = connection.execute(statement, values).fetchall()
        connection.close()
        return rows
    import psycopg

    with psycopg.connect(database_url) as server:
        return server.execute(statement.replace("?", "%s"), values).fetchall()


@contextlib.contextmanager
def asking(database_url: str) -> Iterator[Callable[..., list[tuple[Any, ...]]]]:
    """Give `query` for one database, over one connection: for a condition that is asked often."""
    if database_url.startswith("sqlite"):
        path = database_url.removeprefix("sqlite:///")
        with contextlib.closing(sqlite3.connect(path, timeout=90, isolation_level=None)) as file:
            yield lambda statement, *values: file.execute(statement, values).fetchall()
        return
    import psycopg

    with psycopg.connect(database_url, autocommit=True) as server:
        yield lambda statement, *values: server.execute(
            statement.replace("?", "%s"), values
        ).fetchall()


def run_script(database_url: str, script: str) -> None:
    """Run several statements in a PostgreSQL database."""
    import psycopg

    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(script.encode())


def read_log(database_url: str, match: int) -> list[Row]:
    """Return the log of the match with this primary key."""
    rows = query(
        database_url,
        "SELECT sequence, seat, text, client_id FROM games_move WHERE match_id = ? "
        "ORDER BY sequence",
        match,
    )
    return [Row(*row) for row in rows]


def ruleset(database_url: str, match: int) -> Ruleset:
    """Return the rules of a match."""
    ((stored,),) = query(database_url, "SELECT ruleset FROM games_match WHERE id = ?", match)
    return Ruleset.from_dict(stored if isinstance(stored, dict) else json.loads(stored))


def steps_of(database_url: str, match: int) -> list[Step]:
    """Return the step of each log entry; fail if an entry is missing or illegal."""
    log = read_log(database_url, match)
    assert [row.sequence for row in log] == list(range(len(log))), "the log has a gap"
    return list(rules.steps(ruleset(database_url, match), (parse_move(row.text) for row in log)))


def check_log(database_url: str, match: int) -> State:
    """Check that a finished match's log folds to the stored result; return the final state."""
    state = steps_of(database_url, match)[-1].state
    ((status, winner),) = query(
        database_url, "SELECT status, winner FROM games_match WHERE id = ?", match
    )
    assert (status, winner) == ("finished", state.winner)
    hands = query(database_url, "SELECT COUNT(*) FROM games_hand WHERE match_id = ?", match)
    assert hands[0][0] >= len(state.hands)
    return state
