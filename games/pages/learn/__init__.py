"""Pages for learning: reviews, drills, puzzles, hand counter and discard helper."""
