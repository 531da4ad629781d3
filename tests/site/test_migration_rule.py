"""Migrations are compatible with the previous release's code."""

from __future__ import annotations

import inspect

import pytest
from django.db import models
from django.db.migrations import operations as ops
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

from scripts.migration_rule import CLEARING, breaches


def test_every_migration_follows_the_rule() -> None:
    loader = MigrationLoader(None)
    ours = [key for key in loader.disk_migrations if key[0] in {"games", "ratings"}]
    assert len(ours) >= 2
    for key in ours:
        migration = loader.disk_migrations[key]
        source = inspect.getsource(inspect.getmodule(type(migration)))  # type: ignore[arg-type]
        if not migration.initial and CLEARING not in source:
            assert list(breaches(migration.operations)) == [], key


@pytest.mark.parametrize(
    "operation",
    [
        ops.RemoveField("Match", "hints"),
        ops.RenameField("Match", "hints", "advice"),
        ops.DeleteModel("Match"),
        ops.RenameModel("Match", "Contest"),
        ops.AddField("Match", "mood", models.IntegerField(default=1)),
    ],
)
def test_incompatible_operations_are_found(operation: Operation) -> None:
    (sentence,) = breaches([operation])
    assert "old code" in sentence


@pytest.mark.parametrize(
    "operation",
    [
        ops.AddField("Match", "mood", models.IntegerField(null=True)),
        ops.AddField("Match", "mood", models.IntegerField(db_default=1)),
        ops.AddField("Match", "friends", models.ManyToManyField("games.Player")),
        ops.CreateModel("Mood", [("id", models.BigAutoField(primary_key=True))]),
        ops.AddIndex("Match", models.Index(fields=["hints"], name="match_hints")),
    ],
)
def test_compatible_operations_are_allowed(operation: Operation) -> None:
    assert list(breaches([operation])) == []


def test_a_table_created_in_the_same_migration_may_have_any_field() -> None:
    made = ops.CreateModel("Mood", [("id", models.BigAutoField(primary_key=True))])
    assert list(breaches([made, ops.AddField("Mood", "worth", models.IntegerField())])) == []
