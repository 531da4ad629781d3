"""The read side of what has been played: lists, players, records. Each page a few queries."""
