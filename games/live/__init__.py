"""Matches being played in this process."""
