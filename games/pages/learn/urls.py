"""URL patterns of reviews, the analysis board, the explorer, drills and puzzles."""

from datetime import date

from django.urls import path, register_converter

from games.pages.learn import (
    board,
    drills,
    explorer,
    insights,
    puzzle,
    rated_puzzles,
    review,
    storm,
)


class PuzzleDay:
    """A path converter for days such as 2026-11-21."""

    regex = r"\d{4}-\d\d-\d\d"

    def to_python(self, value: str) -> date:
        """Return the day; ValueError if it does not exist."""
        return date.fromisoformat(value)

    def to_url(self, value: date) -> str:
        """Return the day as text."""
        return value.isoformat()


register_converter(PuzzleDay, "puzzle_day")

urlpatterns = [
    path("matches/<slug:public_id>/review/", review.review, name="review"),
    path("matches/<slug:public_id>/review/state/", review.state, name="review_state"),
    path("matches/<slug:public_id>/review.json", review.panel, name="review_panel"),
    path("analysis/", board.board, name="board"),
    path("analysis/play/", board.play, name="board_play"),
    path("analysis/embed/", board.embed, name="board_embed"),
    path("analysis/picture.svg", board.image, name="board_picture"),
    path("matches/<slug:public_id>/analysis/<int:step>/", board.decision, name="board_decision"),
    path("explorer/", explorer.explorer, name="explorer"),
    path("explorer/disputed/", explorer.disputed, name="disputed"),
    path("explorer/disputed/<puzzle_day:week>/", explorer.disputed, name="disputed_week"),
    path("insights/", insights.insights, name="insights"),
    path("drills/", drills.drills, name="drills"),
    path("drills/<int:pk>/", drills.answer, name="drill_answer"),
    path("puzzles/", rated_puzzles.puzzles, name="puzzles"),
    path("puzzles/history/", rated_puzzles.history, name="puzzle_history"),
    path("puzzles/storm/", storm.storm, name="storm"),
    path("puzzles/<int:pk>/", rated_puzzles.attempt, name="puzzle_attempt"),
    path("puzzle/", puzzle.puzzle, name="puzzle"),
    path("puzzle/<puzzle_day:when>/", puzzle.puzzle, name="puzzle_day"),
]
