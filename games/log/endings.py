"""The job that runs after a match ends: statistics, results and ratings."""

from __future__ import annotations

from games import hooks
from games.jobs.backend import PROMPT, job


@job(queue=PROMPT)
def follow_up(match: int) -> None:
    """Run the hooks for a finished match, by primary key.

    Raises:
        ExceptionGroup: what the hooks raised, after all of them have run.
    """
    hooks.finished(match)
