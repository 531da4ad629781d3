"""Insights: what a player's decisions cost by situation, compared with the field."""
