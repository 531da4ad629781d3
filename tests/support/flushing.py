"""Emptying the database after a test that commits.

Django empties all tables and then has every app make its content types and permissions again, which
takes ten times as long. They are the same after each test, so here they are left alone.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management.color import Style
from django.core.management.commands import flush
from django.db.backends.base.base import BaseDatabaseWrapper

LEFT = {"auth_permission", "django_content_type"}
"""The tables that follow from the models alone; they refer to no others."""


def leave_permissions(patched: pytest.MonkeyPatch) -> None:
    """Let Django's command `flush` leave content types and permissions alone."""
    patched.setattr(flush, "sql_flush", _sql_flush)
    patched.setattr(flush, "emit_post_migrate_signal", _nothing)


def _sql_flush(
    style: Style,
    connection: BaseDatabaseWrapper,
    *,
    reset_sequences: bool = True,
    allow_cascade: bool = False,
) -> list[str]:
    every = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return connection.ops.sql_flush(
        style,
        sorted(set(every) - LEFT),
        reset_sequences=reset_sequences,
        allow_cascade=allow_cascade,
    )


def _nothing(*_: Any, **__: Any) -> None:
    """Make nothing: what other apps would make has not been deleted."""
