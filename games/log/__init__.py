"""The log of moves: writing, reading and verifying it, and the summaries derived from it."""
