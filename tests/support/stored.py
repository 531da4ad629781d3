"""Fixtures that a file's tests share: rows stored once, and patches to store them with."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

RANDOM_MODULES = (
    "games.live.dealing",
    "games.tables.duplicates",
    "ratings.clubs.night_state_machine",
    "ratings.events.pairings",
    "ratings.events.seating",
    "ratings.matchmaking.queue",
    "ratings.standard.catalogue",
    "ratings.standard.decks",
)


@contextlib.contextmanager
def kept_for_file(blocker: DjangoDbBlocker) -> Iterator[None]:
    """Keep rows that a module's fixture stores inside until its tests have run, and undo them.

    Each test's own changes are undone after it, as always: its transaction is a savepoint in this.
    Not for tests marked with ``transaction=True``.
    """
    with blocker.unblock():
        whole = transaction.atomic()
        whole._from_testcase = True  # type: ignore[attr-defined]  # as Django's own test case does
        with whole:
            yield
            transaction.set_rollback(True)


def fix_cards(patched: pytest.MonkeyPatch) -> None:
    """Deal the same cards, and draw the same pairs."""
    rng = random.Random(7)
    for module in RANDOM_MODULES:
        patched.setattr(f"{module}._random", rng)


def shallow_pool(patched: pytest.MonkeyPatch) -> None:
    """Let every table that may share a game take an open one, if there is one."""
    patched.setattr("django.conf.settings.RANKED_POOL_DEPTH", 0)
    patched.setattr("ratings.standard.catalogue.DEPTH_PER_PLAY", 1e-9)
