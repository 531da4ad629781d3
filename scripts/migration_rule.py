"""The rule for migrations: a release must not remove what the code of the previous release needs.

While a release is rolled out, old code runs on the new tables; docs/deployment.md explains the
rule. A migration that removes what no running code needs any more contains the comment
`# after the last process`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.db import models
from django.db.migrations import operations as ops
from django.db.migrations.operations.base import Operation
from django.db.models.fields import NOT_PROVIDED

CLEARING = "# after the last process"

TAKEN_AWAY = (
    ops.RemoveField,
    ops.DeleteModel,
    ops.RenameField,
    ops.RenameModel,
    ops.AlterModelTable,
)


def breaches(operations: Sequence[Operation]) -> Iterator[str]:
    """Yield a sentence for each operation that breaks the code of the previous release."""
    made = {one.name_lower for one in operations if isinstance(one, ops.CreateModel)}
    for one in operations:
        if isinstance(one, TAKEN_AWAY):
            yield f"{one.describe()}: the old code still reads or writes it"
        elif (
            isinstance(one, ops.AddField)
            and one.model_name_lower not in made
            and not _filled_by_the_database(one.field)
        ):
            yield f"{one.describe()}: the old code does not set it; use null or db_default"


def _filled_by_the_database(field: models.Field[object, object]) -> bool:
    return field.many_to_many or field.null or field.db_default is not NOT_PROVIDED
