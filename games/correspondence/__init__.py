"""Correspondence matches (days for each decision), and notifications of players who are away."""
