"""Learning: the coached lesson, the counting tutor, reviews, drills and puzzles."""
