"""State machine of events that play by the clock: club nights and tournaments.

An event is a row. Each step is taken in a transaction that holds the row's lock and looks at the
stored state again, so it is taken exactly once, however many processes advance the event, and
whenever one of them is killed. A job advances it at its next date, after each finished game, and
after what people do; no page does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from django.db import models, transaction

from games.api import Match, true_now
from ratings.rating import results

Row = TypeVar("Row", bound=models.Model)
Step = Callable[[], None]
"""A change of the stored state, which makes the next one due or none."""


class EndlessError(RuntimeError):
    """An event had more steps to take than it can have; a step does not change what it should."""


@dataclass(frozen=True, kw_only=True)
class StateMachine(Generic[Row]):
    """The rules by which the rows of one model advance.

    Attributes:
        rows: returns all rows of the model.
        next_step: returns the step that is due at a moment; None if none is.
        dates: returns the dates at which further steps may become due; past ones are ignored.
        most_steps: returns how many steps can be due at once; a higher number is a fault.
        matches: returns the primary keys of the row's matches that have a play of a standard game
            whose result has not been collected.
        wait: enqueues the job that advances the row, by primary key, at a date.
    """

    rows: Callable[[], models.QuerySet[Row]]
    next_step: Callable[[Row, datetime], Step | None]
    dates: Callable[[Row], Iterable[datetime]]
    most_steps: Callable[[Row], int]
    matches: Callable[[Row], models.QuerySet[Match]]
    wait: Callable[[int, datetime], object]

    def advance(self, row: Row, now: datetime | None = None) -> Row:
        """Take all steps that are due; return the row in its new state.

        Raises:
            EndlessError: if more steps than can be are due; those taken are kept.
        """
        moment = now or true_now()
        self._collect_missed(row)
        if self.next_step(row, moment) is not None:
            row = self._take_steps(row, moment)
        later = [date for date in self.dates(row) if date > moment]
        if later:
            self.wait(row.pk, min(later))
        return row

    def _take_steps(self, row: Row, moment: datetime) -> Row:
        """Take steps until none is due; each is looked for once, under the lock."""
        for _ in range(self.most_steps(row)):
            with transaction.atomic():
                row = self.lock(row)
                step = self.next_step(row, moment)
                if step is None:
                    return row
                step()
        raise EndlessError(f"{type(row).__name__} {row.pk} does not come to rest")

    def advance_by_key(self, pk: int) -> None:
        """Take the steps of a row that are due, by primary key; none for a deleted row."""
        row = self.rows().filter(pk=pk).first()
        if row is not None:
            self.advance(row)

    def lock(self, row: Row) -> Row:
        """Return the row as it is stored, locked until the transaction ends."""
        return self.rows().select_for_update(of=("self",)).get(pk=row.pk)

    def _collect_missed(self, row: Row) -> None:
        """Collect results that a crashed process left behind, as `results.collect_missed` does."""
        missed = self.matches(row).filter(
            standard_play__finished_at__isnull=True, status=Match.Status.FINISHED
        )
        for pk in list(missed.values_list("pk", flat=True)):
            results.collect(match=pk)
