"""The explorer: what was chosen in public matches, by hand, role, score and strength."""
