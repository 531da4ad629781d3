"""Template tags of the ratings."""
