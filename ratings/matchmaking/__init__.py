"""The queue for ranked games, players who leave them, and linked accounts."""
