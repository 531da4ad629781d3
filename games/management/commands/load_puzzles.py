"""The ``load_puzzles`` command: add the shipped puzzles that the database lacks."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.learn.puzzle_loading import load_puzzles
from games.models import RatedPuzzle


class Command(BaseCommand):
    help = "Add the shipped puzzles that the database lacks; a job does the same every night."

    def handle(self, *args: Any, **options: Any) -> None:
        load_puzzles.call()
        self.stdout.write(f"{RatedPuzzle.objects.count()} puzzles")
