"""The value of discards, plays and scores. Pure: no clock, no randomness, no Django."""
